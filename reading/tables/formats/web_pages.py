"""Read the tables of a web page, which many programs save under the name of a spreadsheet."""

import re
from html.parser import HTMLParser

from reading.tables.grids import Grid, Row, row_of

PAGE = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|table)\b", re.IGNORECASE | re.DOTALL
)
MARKED = re.compile(r"<!\[[^>]*>?")  # sections like <![if ...]>, at which the parser stops
MOST_SPANNED = 50  # columns over which one cell reaches


def is_web_page(text: str) -> bool:
    return bool(PAGE.match(text[:10_000]))


def read_web_page(text: str, name: str) -> tuple[Grid, ...]:
    """Read the tables of a page that have cells; lines count the rows of all tables."""
    reader = _Tables()
    reader.feed(MARKED.sub("", text))
    reader.close()
    filled = [rows for rows in reader.tables if any(not row.is_empty for row in rows)]
    return tuple(
        Grid(name if len(filled) == 1 else f"{n}", tuple(rows)) for n, rows in enumerate(filled, start=1)
    )


class _Tables(HTMLParser):
    """Collects the text of cells; a table within a cell is one of its own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[Row]] = []
        self.cells: list[str] | None = None
        self.text: list[str] | None = None
        self.span = 1
        self.n_rows = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._end_row()
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self._end_row()
            self.cells = []
        elif tag in {"td", "th"} and self.cells is not None:
            self._end_cell()
            span = dict(attrs).get("colspan") or "1"
            self.text, self.span = [], min(int(span[:4]), MOST_SPANNED) if span.isdecimal() else 1
        elif tag == "br" and self.text is not None:
            self.text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"}:
            self._end_cell()
        elif tag in {"tr", "table"}:
            self._end_row()

    def handle_data(self, data: str) -> None:
        if self.text is not None:
            self.text.append(data)

    def close(self) -> None:
        super().close()
        self._end_row()

    def _end_cell(self) -> None:
        if self.text is not None and self.cells is not None:
            self.cells += [" ".join("".join(self.text).split()), *[""] * (self.span - 1)]
        self.text = None

    def _end_row(self) -> None:
        self._end_cell()
        if self.cells is not None:
            self.n_rows += 1
            self.tables[-1].append(row_of(self.n_rows, self.cells))
        self.cells = None
