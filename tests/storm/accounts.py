"""Run a program of this folder and read the account that it prints."""

import json
import os
import subprocess
import sys

from django.conf import settings

OF_ONE_THAT_HANGS = 900  # seconds


def account_of(module, *arguments, folder, database):
    """Run a module as a process of its own, with a folder and a database; return its last line, which is JSON."""
    # The broker's messages pass through the folder for temporary files: a kill leaves some there.
    own = {"VAR_DIR": str(folder), "TMPDIR": str(folder), "DATABASE_URL": database}
    log = folder / "log"
    with log.open("w") as errors:
        finished = subprocess.run(
            [sys.executable, "-m", f"tests.storm.{module}", *arguments],
            cwd=settings.BASE_DIR,
            env=os.environ | own,
            stdout=subprocess.PIPE,
            stderr=errors,
            timeout=OF_ONE_THAT_HANGS,
            check=False,
        )
    assert finished.returncode == 0, log.read_text()[-5_000:]
    account = json.loads(finished.stdout)
    sys.stdout.write(f"{module} {arguments}: {account}\n")
    return account
