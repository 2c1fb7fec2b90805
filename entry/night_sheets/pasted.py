"""Read tables that were typed or pasted as text: a name and a number on each line, a blank line between tables."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from reading.finishing_order.marks import CIRCLED, NUMBERING, PLACE, is_unread_mark
from scores.errors import ScoreError
from scores.rules import decimal_of

MOST_LINES = 400
# A minus as it is typed or as Japanese score sheets write it.
_NUMBER = re.compile(r"([+\-−▲△]?)\s*(\d[\d,]*(?:\.\d+)?)\s*点?$")
# A score has a sign, or three characters and more: the 1 of "Player 1" is part of the name.
_OTHER_SCORE = re.compile(r"(?<![^\s:=;、/])(?:[+\-−▲△]\s?\d|\d[\d,.]{2,}点?(?![^\s:=;、/]))")
_BETWEEN = " \t:=;,、"  # name and number
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)")
_LOSS = "-−▲△"
_WIND = re.compile(r"^(?:[ESWN東南西北]\s+|[東南西北]家\s*)", re.IGNORECASE)
_BREAK = re.compile(r"\n[ \t\u3000]*\n\s*")


@dataclass(frozen=True)
class TextSeat:
    """A name and the number beside it; `is_points` if it is a balance: with a sign in front or decimals."""

    name: str
    number: Decimal
    is_points: bool


def read_tables(text: str) -> list[list[TextSeat]]:
    r"""Read tables from text; seats keep the order of the lines.

    Parameters
    ----------
    text : str
        Between name and number stand blanks, a tab, a colon or the like; in front may stand a place or a wind.

    Returns
    -------
    list of list of TextSeat

    Raises
    ------
    ScoreError
        For a line without a name, or with another number of scores than one; names the line.

    Examples
    --------
    >>> [[seat.name for seat in table] for table in read_tables("Nora 45200\nAda -3,100\n\nCy +52.3")]
    [['Nora', 'Ada'], ['Cy']]
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if (n_lines := lines.count("\n") + 1) > MOST_LINES:
        raise ScoreError("text", "too_many_lines", most=MOST_LINES, got=n_lines)
    blocks = [block for block in _BREAK.split(lines) if block.strip()]
    return [[_seat(line.strip()) for line in block.split("\n") if line.strip()] for block in blocks]


def _seat(typed: str) -> TextSeat:
    line = unicodedata.normalize("NFKC", CIRCLED.sub("", typed)).strip()
    match = _NUMBER.search(line)
    if match is None:
        raise ScoreError("text", "no_number", line=line)
    name = _name(line[: match.start()])
    if not name or is_unread_mark(name):
        raise ScoreError("text", "no_player", line=line)
    if _OTHER_SCORE.search(name):
        raise ScoreError("text", "several_scores", line=line)
    sign, digits = match[1], _digits(match[2])
    number = decimal_of("text", f"-{digits}" if sign and sign in _LOSS else digits)
    return TextSeat(name, number, is_points=sign == "+" or "." in digits)


def _name(text: str) -> str:
    """Leave out a number or a place in front, as a finishing order does, and a wind."""
    name = PLACE.sub("", NUMBERING.sub("", text.strip(" ")).strip())
    return _WIND.sub("", name).strip(_BETWEEN)


def _digits(written: str) -> str:
    """Write a number without commas: 45,200 is whole, 52,3 has a decimal."""
    return written.replace(",", "" if _THOUSANDS.match(written) else ".")
