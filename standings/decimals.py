"""Exact fractions as the decimals that are stored and shown."""

from decimal import Decimal
from fractions import Fraction

POINTS = 4  # places that points are stored and shown with


def decimal_of(value: Fraction, places: int) -> Decimal:
    """Rounded to so many places, half to even."""
    scale: int = 10**places
    return Decimal(round(value * scale)).scaleb(-places)
