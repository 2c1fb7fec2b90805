"""Write numbers and lists for pages: with a true minus, and a sign on every change."""

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from math import floor

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

MINUS = "−"
MOST_DIGITS = 18  # before the point, of numbers that are rounded by hand
WEEK, TWO_MONTHS, YEAR = 7, 62, 365  # days


def number(value: float | Decimal, places: int = 0) -> str:
    """Format a number with fixed decimals, halves away from zero, and a true minus sign: 1726, −12, 0.50."""
    exact = value if isinstance(value, Decimal) else Decimal(float(value))
    if exact.is_finite() and exact.adjusted() < MOST_DIGITS:
        exact = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    text = f"{exact:.{places}f}"
    if text.startswith("-"):
        text = text[1:] if float(text) == 0 else MINUS + text[1:]
    return text


def whole_rate(value: float) -> str:
    """Write a rate as members see it: rounded down, so that 1399.6 is not 1400 beside the badge below 1400."""
    return number(floor(value))


def signed(value: float | Decimal, places: int = 0) -> str:
    """Format a number with its sign: +118, −58, 0."""
    text = number(value, places)
    return text if text.startswith(MINUS) or float(text) == 0 else f"+{text}"


def points(value: float | Decimal | Fraction) -> str:
    """Format points with at most two decimals and no trailing zeros: 5, 2.5, 1.67."""
    text = number(float(value) if isinstance(value, Fraction) else value, 2)
    return text.rstrip("0").rstrip(".")


def grouped(value: float | Decimal) -> str:
    """Format a number with grouped digits and at most one decimal: 45,300, −1,200, 25,000.5."""
    text = f"{abs(value):,.1f}".removesuffix(".0")
    return MINUS + text if value < 0 else text


def moment(at: datetime, tz: tzinfo | None = None) -> str:
    """Format a date and time for a sentence: March 21, 2026, 19:30. Tables use 2026-03-21."""
    local = localtime(at, tz)
    return f"{date_format(local, 'DATE_FORMAT')}, {local:%H:%M}"


def days(n: int) -> str:
    """Say how long a number of days is, in the largest units that divide it: 2 weeks, 10 days, 1 year, 3 months."""
    if n >= YEAR:
        years, months = divmod(n * 12 // YEAR, 12)
        said = [ngettext("%(n)d year", "%(n)d years", years) % {"n": years}]
        if months:
            said.append(ngettext("%(n)d month", "%(n)d months", months) % {"n": months})
        return listed(said)
    if n >= TWO_MONTHS:
        months = n * 12 // YEAR
        return ngettext("%(n)d month", "%(n)d months", months) % {"n": months}
    if n and n % WEEK == 0:
        return ngettext("%(n)d week", "%(n)d weeks", n // WEEK) % {"n": n // WEEK}
    return ngettext("%(n)d day", "%(n)d days", n) % {"n": n}


def listed(items: Iterable[object]) -> str:
    """Join items with the separator of the active language: Ada, Boris."""
    return pgettext("between the items of a list", ", ").join(map(str, items))


def together(names: Iterable[str]) -> str:
    """Join names in a sentence: Ada, Boris and Cleo."""
    *others, last = [*names] or [""]
    return _(" and ").join([listed(others), last]) if others else last


def ordinal(n: int) -> str:
    """Format a place as an ordinal: 1st, 2nd, 13th, 22nd."""
    return _ordinal(
        n,
        [
            pgettext("place", "%(n)dth"),
            pgettext("place", "%(n)dst"),
            pgettext("place", "%(n)dnd"),
            pgettext("place", "%(n)drd"),
        ],
    )


def finish(n: int) -> str:
    """Format the place in a game as an ordinal. Japanese has another word for it than for a place in a table."""
    return _ordinal(
        n,
        [
            pgettext("finish", "%(n)dth"),
            pgettext("finish", "%(n)dst"),
            pgettext("finish", "%(n)dnd"),
            pgettext("finish", "%(n)drd"),
        ],
    )


def nth(n: int) -> str:
    """Format a number of times as an ordinal: 1st, 2nd, 13th. Japanese has another word for places."""
    return _ordinal(
        n,
        [
            pgettext("time", "%(n)dth"),
            pgettext("time", "%(n)dst"),
            pgettext("time", "%(n)dnd"),
            pgettext("time", "%(n)drd"),
        ],
    )


def percent(share: float, places: int = 0) -> str:
    """Format a share of 1 in percent, with the space of the active language."""
    return pgettext("share", "%(share)s %%") % {"share": number(100 * share, places)}


def _ordinal(n: int, texts: Sequence[str]) -> str:
    is_plain = n % 10 >= len(texts) or n % 100 in {11, 12, 13}
    return texts[0 if is_plain else n % 10] % {"n": n}
