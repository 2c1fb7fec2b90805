"""Measure how large the sheets of a workbook would be, before a library reserves the memory for all their cells.

One cell far away is enough for a sheet of 17 billion cells, and memory that cannot be had ends the process.
"""

import re
import zipfile

XLSX_CELL = re.compile(rb"<(?:\w+:)?c\b[^>]*?\br\s*=\s*[\"']([A-Za-z]{1,7})(\d{1,18})[\"'][^>]*>")
ODS_ROW = re.compile(rb"<table:table-row\b([^>]*?)(?:/>|>(.*?)</table:table-row>)", re.DOTALL)
ODS_CELL = re.compile(rb"<table:(?:covered-)?table-cell\b([^>]*?)(/?)>")
ODS_REPEATED = re.compile(rb"number-(?:rows|columns)-repeated\s*=\s*[\"'](\d{1,18})[\"']")
ODS_SHEET_END = b"</table:table>"
LETTERS = 26


def n_cells(archive: zipfile.ZipFile) -> int:
    """Find the number of cells of the largest sheet, with the empty ones up to the last filled row and column."""
    sizes = [0]
    for item in archive.infolist():
        content = archive.read(item)
        if item.filename == "content.xml":
            sizes += [_of_ods(sheet) for sheet in content.split(ODS_SHEET_END)]
        else:  # a sheet may have any name
            sizes.append(_of_xlsx(content))
    return max(sizes)


def _of_xlsx(content: bytes) -> int:
    rows = columns = 0
    for match in XLSX_CELL.finditer(content):
        if not match[0].endswith(b"/>"):
            rows, columns = max(rows, int(match[2])), max(columns, _column(match[1]))
    return rows * columns


def _column(letters: bytes) -> int:
    """Count a column like XFD from 1."""
    number = 0
    for letter in letters.upper():
        number = number * LETTERS + letter - ord("A") + 1
    return number


def _of_ods(content: bytes) -> int:
    rows = width = last = 0
    for match in ODS_ROW.finditer(content):
        rows += _repeated(match[1])
        filled = _width(match[2] or b"")
        if filled:
            last, width = rows, max(width, filled)
    return last * width


def _width(row: bytes) -> int:
    """Count the cells of a row up to the last one that holds something."""
    at = width = 0
    for match in ODS_CELL.finditer(row):
        at += _repeated(match[1])
        if not match[2] or b"value" in match[1]:
            width = at
    return width


def _repeated(attributes: bytes) -> int:
    match = ODS_REPEATED.search(attributes)
    return int(match[1]) if match else 1
