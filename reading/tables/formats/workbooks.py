"""Read the sheets of XLSX and ODS workbooks (docs/decisions/0018-workbooks.md)."""

import io
import struct
import zipfile
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

from reading.tables.formats import extents
from reading.tables.formats.decoding import Unreadable
from reading.tables.grids import BLANK, BadGrid, Grid, row_of

MOST_UNPACKED = 60_000_000  # bytes of a workbook: more is a zip bomb or no club's results
MOST_CELLS = 2_000_000
MOST_SHEETS = 60
MOST_FILES = 2_000  # of which a workbook consists
DAMAGED = (zipfile.BadZipFile, struct.error, ValueError, OverflowError, NotImplementedError, OSError)


def is_workbook(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04")


def unpacked_size(data: bytes) -> int:
    """Read how many bytes the parts of a workbook have, unpacked; 0 of a damaged one."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return sum(item.file_size for item in archive.infolist())
    except DAMAGED:
        return 0


class Workbook(NamedTuple):
    """The visible sheets that have cells, and the names of sheets that are not read: hidden ones and too many."""

    grids: tuple[Grid, ...]
    unread: tuple[str, ...]


def read_workbook(data: bytes) -> Workbook:
    """Read a workbook. Formulas give the values that were saved with them.

    Raises
    ------
    Unreadable
        If it is no workbook, needs a password or would be too large when unpacked.
    """
    _require_small(data)
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            shown = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
            read = shown[:MOST_SHEETS]
            unread = tuple(one.name for one in book.sheets_metadata if one.name not in read)
            return Workbook(tuple(filter(None, (_grid(book, name) for name in read))), unread)
    except BadGrid:
        raise
    except (CalamineError, ValueError, OSError) as error:
        raise Unreadable(_("This workbook cannot be read. Save it as XLSX or CSV and try again.")) from error


def _require_small(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            is_known = len(names) <= MOST_FILES and bool({"xl/workbook.xml", "content.xml"} & set(names))
            unpacked = sum(item.file_size for item in archive.infolist())
            n_cells = extents.n_cells(archive) if is_known and unpacked <= MOST_UNPACKED else 0
    except Exception as error:  # damage makes zipfile raise many things: ValueError, struct.error, zlib.error
        raise Unreadable(_("This workbook is damaged. Save it again and try again.")) from error
    if not is_known:
        raise Unreadable(_("This is no XLSX or ODS workbook. Save the table as XLSX or CSV and try again."))
    if unpacked > MOST_UNPACKED:
        raise Unreadable(
            _("This workbook unpacks to %(size).0f MB; %(most)d MB is the most.")
            % {"size": unpacked / 1e6, "most": MOST_UNPACKED // 1_000_000}
        )
    if n_cells > MOST_CELLS:
        raise Unreadable(_("A sheet has more than %(most)d cells.") % {"most": MOST_CELLS})


def _grid(book: CalamineWorkbook, name: str) -> Grid | None:
    sheet = book.get_sheet_by_name(name)
    rows = [
        row_of(line, [cell_text(cell) for cell in cells])
        for line, cells in enumerate(sheet.to_python(skip_empty_area=False), start=1)
    ]
    return Grid(name, tuple(rows)) if any(not row.is_empty for row in rows) else None


def cell_text(value: Any) -> str:
    """Write a cell as it would be typed: 3 and not 3.0, dates and times in ISO form."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d}" if value.time() == time(0) else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return f"{value:%H:%M}"
    if isinstance(value, timedelta):
        minutes = round(value.total_seconds() / 60)
        return f"{minutes // 60}:{minutes % 60:02}"
    return str(value).strip(BLANK + "\n")
