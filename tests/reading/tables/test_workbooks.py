"""Workbooks that are bombs, damaged or hostile are refused with a sentence."""

import io
import struct
import zipfile

import pytest

from reading.tables.formats import workbooks
from reading.tables.formats.decoding import Unreadable
from reading.tables.formats.workbooks import read_workbook
from tests.reading.tables.previews import DATA

BOOK = (DATA / "files" / "workbook-with-dates-and-numbers.xlsx").read_bytes()
SHEET = "xl/worksheets/sheet1.xml"


def with_sheet(change):
    """Write the workbook with another text of its sheet."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(BOOK)) as source,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for item in source.infolist():
            content = source.read(item)
            target.writestr(item.filename, change(content) if item.filename == SHEET else content)
    return made.getvalue()


def padded(content):
    return content.replace(b"<sheetData>", b"<sheetData>" + b" " * 100_000)


def test_a_workbook_that_unpacks_to_too_much_is_not_opened(monkeypatch):
    monkeypatch.setattr(workbooks, "MOST_UNPACKED", 50_000)
    with pytest.raises(Unreadable, match="unpacks to"):
        read_workbook(with_sheet(padded))


def test_a_workbook_that_lies_about_its_size_is_refused():
    data = bytearray(with_sheet(padded))
    for signature, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = data.find(signature)
        while at >= 0:
            if struct.unpack_from("<I", data, at + offset)[0] > 100_000:
                struct.pack_into("<I", data, at + offset, 5_000)
            at = data.find(signature, at + 4)
    with pytest.raises(Unreadable, match="damaged"):
        read_workbook(bytes(data))


def test_a_cell_far_away_is_refused_before_memory_is_reserved_for_all_between():
    far = with_sheet(lambda content: content.replace(b'r="D3"', b'r="XFD1048576"'))
    assert far != BOOK
    with pytest.raises(Unreadable, match="more than 2000000 cells"):
        read_workbook(far)


def with_rows(rows):
    """Write the workbook in the open format with these rows before its own."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(DATA / "files" / "workbook-of-open-document.ods") as source,
        zipfile.ZipFile(made, "w") as target,
    ):
        for item in source.infolist():
            content = source.read(item)
            target.writestr(
                item.filename, content.replace(b"<table:table-row>", rows + b"<table:table-row>", 1)
            )
    return made.getvalue()


EMPTY_ROW = b'<table:table-row table:number-rows-repeated="%d"><table:table-cell/></table:table-row>'


def test_rows_that_are_repeated_too_often_are_refused():
    with pytest.raises(Unreadable, match="more than 2000000 cells"):
        read_workbook(with_rows(EMPTY_ROW % 1_000_000))
    (grid,) = read_workbook(with_rows(EMPTY_ROW % 2)).grids
    assert [row.cells[2] for row in grid.rows if not row.is_empty] == ["Name", "Iris", "佐々木"]


def test_an_archive_that_is_no_workbook_is_refused():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("xl/workbook.bin", b"\x00")
    with pytest.raises(Unreadable, match="no XLSX or ODS"):
        read_workbook(made.getvalue())


def test_a_workbook_of_very_many_files_is_none():
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(BOOK)) as source, zipfile.ZipFile(made, "w") as target:
        for item in source.infolist():
            target.writestr(item.filename, source.read(item))
        for n in range(workbooks.MOST_FILES):
            target.writestr(f"x{n}", b"")
    with pytest.raises(Unreadable, match="no XLSX or ODS workbook"):
        read_workbook(made.getvalue())
