"""The form with which files of results are uploaded."""

from pathlib import PurePath
from typing import Any

from django import forms

from league.site.security_log import log_refusal
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from reading.event_files.reader import MAX_BYTES
from reading.names.rules import visible
from reading.tables.formats.decoding import Unreadable, candidates
from reading.tables.formats.workbooks import is_workbook

TEXTS = (".csv", ".tsv", ".txt", ".text", ".log", ".json")
WORKBOOKS = (".xlsx", ".xlsm", ".ods")
MOST_LOGGED = 10  # letters of a name's end


class ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several uploaded files: their names and contents."""

    def clean(self, data: Any, initial: Any = None) -> list[tuple[str, bytes]]:
        uploads = data if isinstance(data, list) else [data]
        return [_read_upload(super(FilesField, self).clean(upload, initial)) for upload in uploads or [None]]


def _read_upload(upload: Any) -> tuple[str, bytes]:
    if upload.size > MAX_BYTES:
        log_refusal("file-refused", bytes=upload.size)
        raise forms.ValidationError(
            _("%(file)s has %(size).1f MB; %(most)d MB is the most on this page. Split it by season."),
            params={"file": upload.name, "size": upload.size / 1e6, "most": MAX_BYTES // 1_000_000},
        )
    data = upload.read()
    try:
        if not is_workbook(data):
            candidates(data)
    except Unreadable as error:
        raise forms.ValidationError(f"{upload.name}: {error}") from error
    _require_own_ending(upload.name, is_book=is_workbook(data))
    return visible(upload.name), data


def _require_own_ending(name: str, *, is_book: bool) -> None:
    """Refuse a file whose name ends as another kind of file does: one of the two is a mistake, or a trap."""
    ending = PurePath(name).suffix.lower()
    if ending[1:].isdecimal():  # "Results.2026"
        ending = ""
    if ending in (WORKBOOKS if is_book else (*TEXTS, "")):
        return
    log_refusal("file-refused", ending=ending[:MOST_LOGGED])
    if ending in WORKBOOKS:
        text = _("%(file)s is no workbook, whatever its name says. Save it as XLSX or CSV and try again.")
    elif is_book:
        text = _("%(file)s is a workbook. Give it a name that ends in .xlsx or .ods and try again.")
    else:
        text = _("%(file)s is none of the files that are read here. Save it as CSV, text, XLSX, ODS or JSON.")
    raise forms.ValidationError(text, params={"file": visible(name)})


class UploadForm(forms.Form):
    file = FilesField(
        label=gettext_lazy("Files"),
        widget=ManyFiles({"accept": ",".join((*TEXTS, *WORKBOOKS))}),
        help_text=gettext_lazy(
            "CSV or text in any common encoding, XLSX, ODS, JSON, logs of a tournament clock. Several at once; at most"
            " 2 MB each."
        ),
    )
