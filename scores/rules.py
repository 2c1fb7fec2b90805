"""Rules that turn the scores of a table into balances, and those of well-known organizations."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any, Self

from scores.errors import ScoreError

STICK = 1_000  # points of a riichi stick
LEAST_PLAYERS, MOST_PLAYERS = 3, 4
MOST_POINTS = 1_000_000  # of a score, a start or a return
MOST_THOUSANDS = 1_000  # of uma, a chip, a penalty or the part of the house
MOST_DECIMALS = 3  # of a balance, as it is stored
# Equal scores: the seat nearer to the first East is placed higher, or the places and what they get are shared.
TIES = ("wind", "split")
# Riichi sticks left at the end: the first gets them, or nobody does.
STICKS = ("first", "stay")


@dataclass(frozen=True)
class ScoreRules:
    """How scores become balances, in thousands of points.

    Parameters
    ----------
    n_players : int
    start, back : int
        Points at the start, and those to which a score is compared at the end. What the players start below `back`
        goes to the first: the oka.
    uma : tuple of Decimal
        What each place gets, in thousands.
    floating : tuple of tuple of Decimal
        Uma by the number of players above `back`, from none on, for rules where it depends on that; else empty.
    ties : str
        One of TIES.
    sticks : str
        One of STICKS.
    chip_value : Decimal
        Value of a chip, in thousands; 0: no chips.
    chombo : Decimal
        What a chombo usually costs, in thousands; it is suggested and not charged by itself.
    house_per_table : Decimal
        What the house keeps of a game, in thousands, from the first.
    house_per_player : Decimal
        What the house keeps of each player, in thousands.

    Raises
    ------
    ScoreError
        If a value makes no sense; names the field.

    Examples
    --------
    >>> PRESETS["mleague"].oka
    Decimal('20')
    """

    n_players: int = 4
    start: int = 25_000
    back: int = 30_000
    uma: tuple[Decimal, ...] = (Decimal(30), Decimal(10), Decimal(-10), Decimal(-30))
    floating: tuple[tuple[Decimal, ...], ...] = ()
    ties: str = "split"
    sticks: str = "first"
    chip_value: Decimal = Decimal(0)
    chombo: Decimal = Decimal(20)
    house_per_table: Decimal = Decimal(0)
    house_per_player: Decimal = Decimal(0)

    def __post_init__(self) -> None:
        _require_within("n_players", self.n_players, LEAST_PLAYERS, MOST_PLAYERS)
        for name in ("start", "back"):
            _require_points(name, getattr(self, name))
        if self.back < self.start:
            raise ScoreError("back", "back_below_start", start=self.start, got=self.back)
        _require_uma("uma", self.uma, self.n_players)
        if self.floating and len(self.floating) != self.n_players:
            raise ScoreError("floating", "wrong_length", n=self.n_players, got=len(self.floating))
        for row in self.floating:
            _require_uma("floating", row, self.n_players)
        for name, known in (("ties", TIES), ("sticks", STICKS)):
            if getattr(self, name) not in known:
                raise ScoreError(name, "unknown_choice", got=getattr(self, name), known=", ".join(known))
        for name in ("chip_value", "chombo", "house_per_table", "house_per_player"):
            _require_within(name, getattr(self, name), 0, MOST_THOUSANDS)

    @property
    def total(self) -> int:
        """Points at the table."""
        return self.n_players * self.start

    @property
    def oka(self) -> Decimal:
        return Decimal(self.n_players * (self.back - self.start)) / 1_000

    def house(self, n_players: int) -> Decimal:
        """Compute what the house keeps of a game, in thousands."""
        return self.house_per_table + n_players * self.house_per_player

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> Self:
        """Read stored rules; those that are left out have their defaults."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(data or {}) - known):
            raise ScoreError(unknown[0], "unknown_rule", known=", ".join(sorted(known)))
        return cls(**{name: _READERS[name](name, value) for name, value in (data or {}).items()})

    def to_dict(self) -> dict[str, Any]:
        """Write the rules as JSON can hold them: decimals are texts."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def decimal_of(field: str, value: object) -> Decimal:
    """Read a number in thousands; -0 is 0.

    >>> decimal_of("penalty", "-0.0"), decimal_of("uma", "12.50")
    (Decimal('0'), Decimal('12.5'))
    """
    try:
        number = Decimal(str(value).strip()) if not isinstance(value, bool) else Decimal("NaN")
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise ScoreError(field, "not_a_number", got=value)
    if abs(number) > MOST_POINTS:
        raise ScoreError(field, "out_of_range", least=-MOST_POINTS, most=MOST_POINTS, got=value)
    number = plain(number)
    if -int(number.as_tuple().exponent) > MOST_DECIMALS:
        raise ScoreError(field, "too_many_decimals", most=MOST_DECIMALS, got=value)
    return number


def plain(number: Decimal) -> Decimal:
    """Write a decimal without an exponent, trailing zeros or a sign of zero."""
    return Decimal(f"{number.normalize():f}") if number else Decimal(0)


def whole_number(field: str, value: object) -> int:
    number = decimal_of(field, value)
    if number != int(number):
        raise ScoreError(field, "not_a_whole_number", got=value)
    return int(number)


def _text(_field: str, value: object) -> str:
    return str(value)


def _decimals(field: str, value: Any) -> tuple[Decimal, ...]:
    if not isinstance(value, (list, tuple)):
        raise ScoreError(field, "not_a_number", got=value)
    return tuple(decimal_of(field, item) for item in value)


def _rows(field: str, value: Any) -> tuple[tuple[Decimal, ...], ...]:
    if not isinstance(value, (list, tuple)):
        raise ScoreError(field, "not_a_number", got=value)
    return tuple(_decimals(field, row) for row in value)


_READERS: Mapping[str, Any] = MappingProxyType(
    {
        **dict.fromkeys(("n_players", "start", "back"), whole_number),
        **dict.fromkeys(("chip_value", "chombo", "house_per_table", "house_per_player"), decimal_of),
        **dict.fromkeys(("ties", "sticks"), _text),
        "uma": _decimals,
        "floating": _rows,
    }
)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return f"{plain(value):f}" if isinstance(value, Decimal) else value


def _require_within(field: str, value: Decimal | int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ScoreError(field, "out_of_range", least=least, most=most, got=value)


def _require_points(field: str, value: int) -> None:
    _require_within(field, value, 100, MOST_POINTS)
    if value % 100:
        raise ScoreError(field, "not_hundreds", got=value)


def _require_uma(field: str, uma: tuple[Decimal, ...], n_players: int) -> None:
    if len(uma) != n_players:
        raise ScoreError(field, "wrong_length", n=n_players, got=len(uma))
    for value in uma:
        _require_within(field, value, -MOST_THOUSANDS, MOST_THOUSANDS)
    if sum(uma):
        raise ScoreError(field, "uma_not_zero", got=sum(uma))
    for place in range(1, n_players):
        if uma[place] > uma[place - 1]:
            raise ScoreError(field, "uma_rises", place=place + 1, got=uma[place], before=uma[place - 1])


def _uma(*values: int) -> tuple[Decimal, ...]:
    return tuple(map(Decimal, values))


_EMA = ScoreRules(start=30_000, back=30_000, uma=_uma(15, 5, -5, -15))

PRESETS: Mapping[str, ScoreRules] = MappingProxyType(
    {
        # European Mahjong Association, Riichi rules, 2016: start 30,000, no oka, uma 15/5, equal scores share it,
        # a chombo costs 20,000 after the uma.
        "ema": _EMA,
        # World Riichi Championship rules: (points - 30,000)/1,000 + uma of 15/5, averaged for equal scores.
        "wrc": _EMA,
        # Japan Professional Mahjong League, A rules: start 30,000, no oka, uma by the number of players above 30,000.
        "jpml": replace(
            _EMA,
            uma=_uma(8, 4, -4, -8),
            floating=(_uma(0, 0, 0, 0), _uma(12, -1, -3, -8), _uma(8, 4, -4, -8), _uma(8, 3, 1, -12)),
        ),
        # M.League, official rules: start 25,000, return 30,000, +50/+10/-10/-30 with the oka, shared for equal scores.
        "mleague": ScoreRules(),
    }
)
# Three players: what a club's own rules begin with, as no organization publishes any.
THREE_PLAYERS = ScoreRules(n_players=3, start=35_000, back=40_000, uma=_uma(15, 0, -15))


def preset_of(rules: ScoreRules) -> str:
    """Find the name of the preset with the same scoring of places; "" for a club's own rules."""
    places = ("n_players", "start", "back", "uma", "floating", "ties", "sticks")
    for name, preset in PRESETS.items():
        if all(getattr(preset, field) == getattr(rules, field) for field in places):
            return name
    return ""


def stored_scoring(rules: ScoreRules, *, house: Decimal, sticks_left: int = 0) -> dict[str, Any]:
    """Write the rules of one game as its event stores them.

    `house` is what its balances lack to 0, in thousands; `sticks_left` were on the table at the end.
    """
    more = {"sticks_left": sticks_left} if sticks_left else {}
    return rules.to_dict() | {"house": f"{house:f}"} | more


def read_scoring(data: Mapping[str, Any] | None) -> tuple[ScoreRules, int]:
    """Read rules and sticks left from a stored payload; file imports may hold only the house's part."""
    stored = dict(data or {})
    house = decimal_of("house", stored.pop("house", 0))
    sticks_left = whole_number("sticks", stored.pop("sticks_left", 0))
    # A file states only what the house kept of the game.
    return ScoreRules.from_dict(stored or {"house_per_table": house}), sticks_left
