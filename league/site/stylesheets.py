"""The style sheets of a page as one file, so that it waits for one request."""

import re
from typing import Any

from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The sheets that pages load: those of the site, of the desk of a live night, and of its screens and players' phones.
SHEETS = ("css/site.css", "css/desk.css", "css/screen.css")
Files = dict[str, tuple[StaticFilesStorage, str]]  # by name: where each comes from
IMPORT = re.compile(r'@import "([\w-]+\.css)";\n')


class OneSheetStorage(CompressedManifestStaticFilesStorage):
    """Copies into each sheet that pages load the sheets that it imports, when static files are collected."""

    def post_process(self, paths: Files, dry_run: bool = False, **options: Any) -> Any:
        if not dry_run:
            loaded = [name for name in SHEETS if name in paths]
            for name in loaded:
                self.delete(name)
                self.save(name, ContentFile(_whole(paths, name)))
            paths = paths | {name: (self, name) for name in loaded}
        return super().post_process(paths, dry_run, **options)


def _whole(paths: Files, name: str) -> str:
    return IMPORT.sub(lambda found: _text(paths, f"css/{found[1]}"), _text(paths, name))


def _text(paths: Files, name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return str(file.read(), "utf-8")
