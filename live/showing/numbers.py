"""Numbers as screens and phones are sent them."""

from fractions import Fraction


def plain(value: Fraction) -> str:
    """Write points without zeros at their end."""
    return f"{float(value):.10g}"
