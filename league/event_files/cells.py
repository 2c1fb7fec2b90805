"""Cells of an event file as values; what is wrong with one names its column."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal

from django.utils.translation import gettext as _

MAX_BALANCE = 1_000_000_000  # either way
COST = re.compile(r"\d{1,9}(\.\d{1,3})?")
BALANCE = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
# Minus signs that float() does not know: a true one, and that of Japanese score sheets.
MINUS = str.maketrans("\u2212▲", "--")


class BadCell(ValueError):
    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


def balance(text: str) -> float | None:
    if not text:
        return None
    number = text.translate(MINUS)
    if not BALANCE.fullmatch(number) or abs(float(number)) > MAX_BALANCE:
        raise BadCell(
            "balance",
            _("“%(value)s” is no number from %(least)d to %(most)d")
            % {"value": text, "least": -MAX_BALANCE, "most": MAX_BALANCE},
        )
    return float(number)


def cost(text: str) -> Decimal | None:
    if not text:
        return None
    if not COST.fullmatch(text):
        raise BadCell(
            "cost", _("“%(value)s” is no amount from 0 to 999999999, like 60 or 12.50") % {"value": text}
        )
    return Decimal(text)


def whole(column: str, text: str, least: int, most: int) -> int:
    if not text.isdecimal() or len(text) > 12 or not least <= int(text) <= most:  # noqa: PLR2004  int() has a limit
        raise BadCell(
            column,
            _("“%(value)s” is no whole number from %(least)d to %(most)d")
            % {"value": text, "least": least, "most": most},
        )
    return int(text)


def instant(column: str, text: str, tz: tzinfo) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise BadCell(
            column, _("“%(value)s” is no date like 2026-01-13 or 2026-01-13T19:30") % {"value": text}
        ) from None
    if not date(1900, 1, 1) <= found.date() <= date(2200, 1, 1):
        raise BadCell(column, _("“%(value)s” is too far away") % {"value": text})
    # In UTC from here on: clocks of one zone do not compare by age where it changes its time.
    return (found if found.tzinfo else found.replace(tzinfo=tz)).astimezone(UTC)


def moment(column: str, text: str, start: datetime | None, tz: tzinfo) -> datetime | None:
    """An ISO date and time, or minutes from the start: those of an unknown start are unknown."""
    if not text:
        return None
    if text.replace(".", "", 1).isdecimal() and len(text) < 8:  # noqa: PLR2004  20260113 is a date
        return start and start + timedelta(minutes=float(text))
    return instant(column, text, tz)
