"""Settings of the points structures: which structure has which, and reading them from text."""

import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from payouts.engine.errors import EngineError
from payouts.engine.exact import exact_number, exact_numbers
from payouts.engine.structures.formulas import FORMULAS

SUGGESTED_ALPHA = Fraction(21, 20)
MAX_ENTRIES = 10_000_000
DHONDT = ("inverse", "vp_kid", "vp_kid_alpha", "soft_top", "winner_takes_all", "fixed", "custom")
NAMES = (*DHONDT, *FORMULAS, "fixed_table", "percentage_pool", "balance", "expression")
# Settings of all structures together; `ties` has a value even where it has no effect.
STRUCTURE_SETTINGS = ("ties", "cap", "alpha", "votes", "tail", "per_entry", "per_balance", "expression")
# Settings of each structure, besides `ties` and `cap`, which all of DHONDT have.
SETTINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "vp_kid_alpha": ("alpha",),
        "fixed": ("votes",),
        "custom": ("votes", "tail"),
        "fixed_table": ("votes",),
        "percentage_pool": ("votes", "per_entry"),
        "expression": ("expression",),
    }
)


def settings_of(name: str) -> tuple[str, ...]:
    """List the settings that have an effect on a structure.

    Parameters
    ----------
    name : str
        One of `NAMES`.

    Returns
    -------
    tuple of str
        Names from `STRUCTURE_SETTINGS`. An organizer's formula names the balance itself.

    Examples
    --------
    >>> settings_of("custom")
    ('ties', 'cap', 'votes', 'tail', 'per_balance')
    """
    of_seats = ("ties", "cap") if name in DHONDT else ()
    of_balances = () if name == "expression" else ("per_balance",)
    return (*of_seats, *SETTINGS.get(name, ()), *of_balances)


def read_setting(name: str, value: Any) -> Any:
    """Convert a stored or typed setting to the type that `PointsStructure` takes.

    Parameters
    ----------
    name : str
        Name of the setting, or "name".
    value : str, int, float, Fraction or list of these
        Numbers as numbers or texts, votes as a list or a text with commas; the cap is a whole number.

    Returns
    -------
    Fraction (alpha, per_entry, per_balance), tuple of Fraction (votes), int (cap) or str (all others)

    Raises
    ------
    EngineError
        If the value has the wrong type or is not a number; names the setting, and the place in a list.

    Examples
    --------
    >>> read_setting("votes", "50, 12.5")
    (Fraction(50, 1), Fraction(25, 2))
    """
    if isinstance(value, str):
        value = unicodedata.normalize("NFKC", value)  # full-width digits and signs
    if name in {"alpha", "per_entry", "per_balance"}:
        return exact_number(name, value)
    if name == "votes":
        if not isinstance(value, str | list | tuple):
            raise EngineError("votes", "not_a_list", got=repr(value))
        return exact_numbers("votes", value)
    if name == "cap":
        if isinstance(value, bool) or not isinstance(value, int):
            raise EngineError("cap", "not_a_whole_number", got=repr(value))
    elif not isinstance(value, str):
        raise EngineError(name, "not_a_text", got=repr(value))
    return value


def check_cap(cap: int | None) -> None:
    """Refuse a cap on the seats that is not 1 to `MAX_ENTRIES`; None is no cap.

    Raises
    ------
    EngineError
        Naming the field and its bounds.

    Examples
    --------
    >>> check_cap(0)
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: cap: must be 1 to 10000000, got 0
    """
    if cap is not None and not 1 <= cap <= MAX_ENTRIES:
        raise EngineError("cap", "out_of_range", least=1, most=MAX_ENTRIES, got=cap)
