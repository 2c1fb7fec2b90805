"""The form with which files of results are uploaded."""

from typing import Any

from django import forms

from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from reading.event_files.reader import MAX_BYTES
from reading.names.rules import visible
from reading.tables.formats.decoding import Unreadable, candidates
from reading.tables.formats.workbooks import is_workbook


class ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several uploaded files: their names and contents."""

    def clean(self, data: Any, initial: Any = None) -> list[tuple[str, bytes]]:
        uploads = data if isinstance(data, list) else [data]
        return [_read_upload(super(FilesField, self).clean(upload, initial)) for upload in uploads or [None]]


def _read_upload(upload: Any) -> tuple[str, bytes]:
    if upload.size > MAX_BYTES:
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
    return visible(upload.name), data


class UploadForm(forms.Form):
    file = FilesField(
        label=gettext_lazy("Files"),
        widget=ManyFiles({"accept": ".csv,.tsv,.txt,.xlsx,.ods,.json,text/*"}),
        help_text=gettext_lazy(
            "CSV or text in any common encoding, XLSX, ODS, JSON, logs of a tournament clock. Several at once; at most"
            " 2 MB each."
        ),
    )
