"""Exact fractions as the decimals that are stored and shown."""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from league import formats

POINTS = 4  # places that points are stored and shown with


def places_of(column: Iterable[Decimal | None]) -> int:
    """Places that a column of points takes, so that its numbers align."""
    return max((len(formats.points(it).partition(".")[2]) for it in column if it is not None), default=0)


def decimal_of(value: Fraction, places: int) -> Decimal:
    """Rounded to so many places, half to even."""
    scale: int = 10**places
    return Decimal(round(value * scale)).scaleb(-places)
