"""Exact numbers: reading typed ones and printing them, without rounding."""

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from payouts.engine.errors import EngineError

Typed: TypeAlias = Fraction | int | float | str
# Digits with optional decimals, or a quotient; longer numbers and scientific notation are refused.
NUMBER = re.compile(r"[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12}|\d{1,12}/0*[1-9]\d{0,11})", re.ASCII)
LONG = 10**24  # numbers from here on are shortened in messages


def exact_text(value: Fraction) -> str:
    """Write a number as a decimal if that is finite, else as a/b.

    Examples
    --------
    >>> exact_text(Fraction(5, 2)), exact_text(Fraction(5, 3))
    ('2.5', '5/3')
    """
    n_twos = (value.denominator & -value.denominator).bit_length() - 1
    fives, n_fives = value.denominator >> n_twos, 0
    while fives % 5 == 0:
        fives, n_fives = fives // 5, n_fives + 1
    if fives > 1:
        return str(value)
    n_decimals = max(n_twos, n_fives)
    scaled = value.numerator * 10**n_decimals // value.denominator
    return f"{Decimal(f'{scaled}E-{n_decimals}'):f}"


def exact_decimal(value: Fraction) -> Decimal:
    """Convert an amount, which has a finite number of decimals."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def short_text(value: Fraction) -> str:
    """Write a number exactly if it is short, else to 15 digits.

    Examples
    --------
    >>> short_text(Fraction(5, 3)), short_text(Fraction(10**30, 10**30 + 1))
    ('5/3', '≈1')
    """
    is_short = max(abs(value.numerator), value.denominator) < LONG
    return exact_text(value) if is_short else f"≈{float(value):.15g}"


def half_even(numerator: int, denominator: int) -> int:
    """Round a quotient to a whole number, half to even, without making a fraction of it.

    Examples
    --------
    >>> half_even(5, 2), half_even(7, 2), half_even(-5, 2), half_even(8, 3)
    (2, 4, -2, 3)
    """
    whole, rest = divmod(numerator, denominator)
    return whole + (2 * rest > denominator or (2 * rest == denominator and whole % 2 == 1))


def common_denominator(values: Iterable[Fraction]) -> int:
    return lcm(*{value.denominator for value in values})


def exact_number(field: str, typed: Typed, *, place: int | None = None) -> Fraction:
    """Read a typed number exactly; a float counts as the decimal it prints.

    Parameters
    ----------
    field : str
        Name of the setting, for the error.
    typed : Fraction, int, float or str
        "1.05", "100/3", 40 or 1.05.
    place : int, optional
        Place in a list, for the error.

    Returns
    -------
    Fraction

    Raises
    ------
    EngineError
        If it is not a number of at most 12 digits before and after the point.

    Examples
    --------
    >>> exact_number("alpha", "1.05")
    Fraction(21, 20)
    """
    if isinstance(typed, Fraction):
        return typed
    text = unicodedata.normalize("NFKC", str(typed)).strip()
    if isinstance(typed, bool) or not NUMBER.fullmatch(text):
        if place is None:
            raise EngineError(field, "not_a_number", text=text[:40])
        raise EngineError(field, "not_a_number_at_place", place=place, text=text[:40])
    return Fraction(text)


def exact_numbers(field: str, typed: str | Iterable[Typed]) -> tuple[Fraction, ...]:
    """Read a list of numbers exactly, typed with commas or given one by one.

    Parameters
    ----------
    field : str
        Name of the setting, for the error.
    typed : str or iterable
        "100, 60, 40" or numbers as for `exact_number`.

    Returns
    -------
    tuple of Fraction
        Empty for an empty text.

    Raises
    ------
    EngineError
        Naming the field and the place that is not a number.

    Examples
    --------
    >>> exact_numbers("votes", "100, 60.5")
    (Fraction(100, 1), Fraction(121, 2))
    >>> exact_numbers("votes", "100, x")
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: votes: place 2: 'x' is not a number
    """
    cells: Iterable[Typed] = typed
    if isinstance(typed, str):
        cells = typed.split(",") if typed.strip() else ()
    return tuple(exact_number(field, cell, place=place) for place, cell in enumerate(cells, start=1))
