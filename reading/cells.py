"""Read cells of an event file; an error names the column."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal

from django.utils.translation import gettext as _

SLASHED = re.compile(r"^(\d{4})/(\d\d)/(\d\d)")  # year first can mean one day only
MAX_BALANCE = 1_000_000_000  # either way
COST = re.compile(r"\d{1,9}(\.\d{1,3})?")
SCORE = re.compile(r"[+-]?\d{1,9}(\.\d)?")
CHIPS = re.compile(r"-?\d{1,4}")
BALANCE = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
# Minus signs that float() does not accept: the true minus, and the triangle of Japanese score sheets.
MINUS = str.maketrans("\u2212▲", "--")


class BadCell(ValueError):
    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


def balance(text: str) -> Decimal | None:
    if not text:
        return None
    number = text.translate(MINUS)
    if not BALANCE.fullmatch(number) or abs(float(number)) > MAX_BALANCE:
        raise BadCell(
            "balance",
            _("“%(value)s” is no number from %(least)d to %(most)d")
            % {"value": text, "least": -MAX_BALANCE, "most": MAX_BALANCE},
        )
    return Decimal(number)


def score(text: str) -> Decimal | None:
    """Read a score as it was counted; -0 is 0."""
    if not text:
        return None
    number = text.translate(MINUS)
    if not SCORE.fullmatch(number):
        raise BadCell("score", _("“%(value)s” is no score like 45300 or -1200") % {"value": text})
    return Decimal(number) or Decimal(0)


def thousands(column: str, text: str) -> Decimal | None:
    """Read an amount in thousands of points."""
    if not text:
        return None
    if not COST.fullmatch(text):
        raise BadCell(
            column, _("“%(value)s” is no amount from 0 to 999999999, like 20 or 0.5") % {"value": text}
        )
    return Decimal(text)


def chips(text: str) -> int | None:
    if not text:
        return None
    number = text.translate(MINUS).removeprefix("+")
    if not CHIPS.fullmatch(number):
        raise BadCell("chips", _("“%(value)s” is no number of chips from -9999 to 9999") % {"value": text})
    return int(number)


def cost(text: str) -> Decimal | None:
    if not text:
        return None
    if not COST.fullmatch(text):
        raise BadCell(
            "cost", _("“%(value)s” is no amount from 0 to 999999999, like 60 or 12.50") % {"value": text}
        )
    return Decimal(text)


def whole_number(column: str, text: str, least: int, most: int) -> int:
    if not text.isdecimal() or len(text) > 12 or not least <= int(text) <= most:  # noqa: PLR2004  int() limits the digits
        raise BadCell(
            column,
            _("“%(value)s” is no whole number from %(least)d to %(most)d")
            % {"value": text, "least": least, "most": most},
        )
    return int(text)


def instant(column: str, text: str, tz: tzinfo) -> datetime:
    try:
        parsed = datetime.fromisoformat(SLASHED.sub(r"\1-\2-\3", text))
    except ValueError:
        raise BadCell(
            column, _("“%(value)s” is no date like 2026-01-13 or 2026-01-13T19:30") % {"value": text}
        ) from None
    if not date(1900, 1, 1) <= parsed.date() <= date(2200, 1, 1):
        raise BadCell(column, _("“%(value)s” is too far away") % {"value": text})
    # In UTC, because local times of one zone compare wrongly when the clock is set back.
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=tz)).astimezone(UTC)


def moment(column: str, text: str, start: datetime | None, tz: tzinfo) -> datetime | None:
    """Read an ISO date and time, or minutes from the start; None if the start is needed and unknown."""
    if not text:
        return None
    if is_minutes(text):
        return start and start + minutes(text)
    return instant(column, text, tz)


def is_minutes(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal() and len(text) < 8  # noqa: PLR2004  20260113 is a date


def minutes(text: str) -> timedelta:
    return timedelta(minutes=float(text))
