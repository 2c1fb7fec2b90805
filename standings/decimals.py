"""Exact fractions rounded to the decimals that are stored and shown."""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from league import formats
from payouts.engine.exact import half_even

POINTS = 4  # decimal places that points are stored and shown with


def places_of(column: Iterable[Decimal | Fraction | None]) -> int:
    """Count the most decimal places in a column of points, so that its numbers align."""
    return max(
        (len(formats.points(value).partition(".")[2]) for value in column if value is not None), default=0
    )


def decimal_of(value: Fraction, places: int) -> Decimal:
    """Round to so many decimal places, half to even."""
    return Decimal(half_even(value.numerator * 10**places, value.denominator)).scaleb(-places)
