"""The style sheets of the site as one file, so that a page waits for one request."""

import re
from typing import Any

from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

SHEET = "css/site.css"
Files = dict[str, tuple[StaticFilesStorage, str]]  # by name: where each comes from
IMPORT = re.compile(r'@import "([\w-]+\.css)";\n')


class OneSheetStorage(CompressedManifestStaticFilesStorage):
    """Copies into site.css the sheets that it imports, when static files are collected."""

    def post_process(self, paths: Files, dry_run: bool = False, **options: Any) -> Any:
        if not dry_run:
            self.delete(SHEET)
            self.save(SHEET, ContentFile(_whole(paths)))
            paths = paths | {SHEET: (self, SHEET)}
        return super().post_process(paths, dry_run, **options)


def _whole(paths: Files) -> str:
    return IMPORT.sub(lambda found: _text(paths, f"css/{found[1]}"), _text(paths, SHEET))


def _text(paths: Files, name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return str(file.read(), "utf-8")
