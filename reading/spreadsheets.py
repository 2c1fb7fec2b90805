"""Texts in cells of CSV files that a spreadsheet could read as formulas."""

import re

# A spreadsheet reads text that begins with one of these as a formula. A text begins anew after what some spreadsheets
# take for the end of a cell, even inside quotes. An apostrophe that is there already gets another one.
FORMULA_START = "(?='*[=+\\-@＝＋－＠\\t\\r])"
CELL_START = "(?:^|[;\\t\\r\\n]) *"
UNSAFE = re.compile(CELL_START + FORMULA_START)
MADE_SAFE = re.compile(f"({CELL_START})'{FORMULA_START}")


def safe_cell(text: str) -> str:
    """Put an apostrophe before what a spreadsheet could read as a formula, as spreadsheets do."""
    return UNSAFE.sub(r"\g<0>'", text)


def plain_cell(text: str) -> str:
    """Take away the apostrophes of `safe_cell`."""
    return MADE_SAFE.sub(r"\1", text)
