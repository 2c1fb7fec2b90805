"""Compile the catalogues of translations that the command line names, `.po`, to the `.mo` files that Django reads."""  # noqa: INP001

import sys
from pathlib import Path

import polib

for name in sys.argv[1:]:
    polib.pofile(name).save_as_mofile(str(Path(name).with_suffix(".mo")))
