"""A season to simulate: players, nights, and the structures and rules to compare."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from lab.engine.errors import EngineError
from payouts.engine.seasons.season import SeasonRules, TieBreak, check_rules
from payouts.engine.structures.structure import PointsStructure
from ratings.engine.simulation.player_types import CLOSES_AT, FIRST_PLACE, TYPES

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LEAST_PLAYERS, MOST_PLAYERS = 3, 200
MOST_NIGHTS = 100
MOST_VARIANTS = 8
MOST_LATE = 0.75  # of the players: more could not all be seated before they bust
MOST_RULE = 1000  # in a season's rules
RULES = ("attendance_points", "best_n", "drop_worst", "missed_count_as_zero", "min_events", "tie_breaks")
# Tie-breaks that are simulated; those left out decide next to nothing after them.
TIE_BREAKS = ("points", "wins", "events", "profit")
# Kinds of hold'em players of lab.engine.holdem.styles, in the order in which they win nights (measured over 3,000 quick
# tournaments of two players of each kind: 47, 37, 9, 4, 1.4, 1.3 and 0 percent).
KINDS = ("bold", "kelly", "loose", "moody", "dreamer", "careful", "rock")
THIRDS = ("upper", "middle", "lower")


@dataclass(frozen=True)
class Variant:
    """A points structure with season rules, one of those compared.

    Tie-breaks that are not simulated are taken out of the rules, and so is the best of each month.
    """

    structure: PointsStructure = field(default_factory=PointsStructure)
    rules: SeasonRules = field(default_factory=SeasonRules)

    def __post_init__(self) -> None:
        if self.structure.uses_balance:
            raise EngineError("structure", "needs_balances", structure=self.structure.name)
        check_rules(self.rules)
        simulated = tuple(name for name in self.rules.tie_breaks if name in TIE_BREAKS)
        object.__setattr__(self, "rules", replace(self.rules, tie_breaks=simulated, best_n_per_month=None))
        for name in ("attendance_points", "best_n", "drop_worst", "min_events"):
            value = getattr(self.rules, name)
            if value is not None and not 0 <= value <= MOST_RULE:
                raise EngineError(name, "out_of_range", least=0, most=MOST_RULE, got=value)

    def to_dict(self) -> dict[str, Any]:
        rules = {name: getattr(self.rules, name) for name in RULES}
        rules |= {
            "attendance_points": int(self.rules.attendance_points),
            "tie_breaks": list(self.rules.tie_breaks),
        }
        return {"structure": self.structure.to_dict(), "rules": rules}

    @classmethod
    def from_dict(cls, values: Any) -> "Variant":
        """Read a variant from JSON.

        Raises
        ------
        ratings.engine.errors.EngineError or payouts.engine.errors.EngineError
            Naming the field.
        """
        _require_keys("variants", values, ("structure", "rules"))
        rules = dict(values.get("rules", {}))
        _require_keys("rules", rules, RULES)
        for name in ("attendance_points", "best_n", "drop_worst", "min_events"):
            if rules.get(name) is not None:
                rules[name] = _whole(name, rules[name])
        if "attendance_points" in rules:
            rules["attendance_points"] = Fraction(rules["attendance_points"])
        if "tie_breaks" in rules:
            known = [name for name in rules["tie_breaks"] if name in get_args(TieBreak)]
            if known != list(rules["tie_breaks"]):
                raise EngineError("tie_breaks", "unknown_field", known=", ".join(get_args(TieBreak)))
            rules["tie_breaks"] = tuple(known)
        structure = values.get("structure", {})
        if not isinstance(structure, Mapping):
            raise EngineError("structure", "not_an_object", got=structure)
        return cls(PointsStructure.from_dict(structure), SeasonRules(**rules))


@dataclass(frozen=True)
class Scenario:
    """A season to simulate.

    Parameters
    ----------
    counts : tuple of int
        Players of each type of `ratings.engine.simulation.player_types.TYPES`, the best first.
    styles : tuple of int
        Or players of each of KINDS, who play hold'em hand by hand.
    mu, sigma : tuple of float
        Or skill of each player in rating points, the best first, and its standard deviation.
    beta : float
        Standard deviation of a performance around skill, rating points; used with `mu`.
    nights : int
    size : int, optional
        Players of a night, drawn equally; None: each comes by his own chance.
    attendance : tuple of float
        Chance of each player to come; one number stands for all.
    late : float
        Share of a night's players who come late, at equal intervals until registration closes. Places do not depend
        on it, ratings do.
    re_entry : float
        Chance that a player who busts before registration closes buys in again, once.
    variants : tuple of Variant

    Raises
    ------
    EngineError
        Naming the field.

    Examples
    --------
    >>> season = Scenario(counts=(1, 6, 10, 6, 1), nights=12, size=15)
    >>> season.n_players, season.most_entries
    (24, 15)
    """

    counts: tuple[int, ...] = ()
    styles: tuple[int, ...] = ()
    mu: tuple[float, ...] = ()
    sigma: tuple[float, ...] = ()
    beta: float = 1000.0
    nights: int = 12
    size: int | None = None
    attendance: tuple[float, ...] = ()
    late: float = 0.0
    re_entry: float = 0.0
    variants: tuple[Variant, ...] = (Variant(),)

    def __post_init__(self) -> None:
        if sum(map(bool, (self.counts, self.styles, self.mu))) != 1:
            raise EngineError("players", "one_kind_of_players")
        if self.mu:
            self._check_ratings()
        for name, known in (("counts", TYPES), ("styles", KINDS)):
            self._check_counts(name, getattr(self, name), len(known))
        if self.styles and self.re_entry:
            raise EngineError("re_entry", "no_re_entries")
        _within("players", self.n_players, LEAST_PLAYERS, MOST_PLAYERS)
        _within("nights", self.nights, 1, MOST_NIGHTS)
        _within("late", self.late, 0, MOST_LATE)
        _within("re_entry", self.re_entry, 0, 1)
        _within("variants", len(self.variants), 1, MOST_VARIANTS)
        if self.size is not None:
            _within("size", self.size, 2, self.n_players)
        elif not self.attendance:
            raise EngineError("attendance", "no_attendance")
        if self.attendance and len(self.attendance) not in {1, self.n_players}:
            raise EngineError("attendance", "wrong_length", right=self.n_players, got=len(self.attendance))
        for chance in self.attendance:
            _within("attendance", chance, 0, 1)

    def _check_counts(self, name: str, counts: tuple[int, ...], right: int) -> None:
        if counts and len(counts) != right:
            raise EngineError(name, "wrong_length", right=right, got=len(counts))
        for count in counts:
            _within(name, count, 0, MOST_PLAYERS)

    def _check_ratings(self) -> None:
        if len(self.sigma) != len(self.mu):
            raise EngineError("sigma", "wrong_length", right=len(self.mu), got=len(self.sigma))
        for name, values in (("mu", self.mu), ("sigma", self.sigma), ("beta", (self.beta,))):
            for value in values:
                _within(name, value, -1e6 if name == "mu" else 1e-3, 1e6)
        if any(worse > better for better, worse in zip(self.mu, self.mu[1:], strict=False)):
            raise EngineError("mu", "not_best_first")

    @property
    def n_players(self) -> int:
        return sum(self.counts) or sum(self.styles) or len(self.mu)

    @property
    def most_entries(self) -> int:
        """Most entries that a night can have."""
        most = self.n_players if self.size is None else self.size
        return most + (int(CLOSES_AT * (most - 1)) if self.re_entry else 0)

    @property
    def least_entries(self) -> int:
        return 2 if self.size is None else self.size

    @property
    def strength(self) -> Floats:
        """Chance of the first place relative to the mean, or mean of a performance, of each player."""
        return np.repeat(FIRST_PLACE, self.counts) if self.counts else np.array(self.mu)

    @property
    def spread(self) -> Floats:
        """Standard deviation of a performance, rating points; zeros for types, which need none."""
        return np.hypot(self.sigma, self.beta) if self.mu else np.zeros(self.n_players)

    @property
    def chances_to_come(self) -> Floats:
        return np.broadcast_to(np.array(self.attendance or (1.0,)), (self.n_players,)).copy()

    @property
    def groups(self) -> tuple[str, ...]:
        return TYPES if self.counts else KINDS if self.styles else THIRDS

    @property
    def group(self) -> Ints:
        """Index of each player's group: the type, the kind, or the third by rating."""
        if counts := self.counts or self.styles:
            return np.repeat(np.arange(len(counts), dtype=np.int64), counts)
        return np.arange(self.n_players, dtype=np.int64) * len(THIRDS) // self.n_players

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types; fields with their default are left out."""
        default = {each.name: each.default for each in fields(self)}
        values = {name: value for name, value in asdict(self).items() if value != default[name]}
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        return values | {"variants": [variant.to_dict() for variant in self.variants]}

    @classmethod
    def from_dict(cls, values: Any) -> "Scenario":
        """Read a scenario from JSON.

        Raises
        ------
        ratings.engine.errors.EngineError or payouts.engine.errors.EngineError
            Naming the unknown or invalid field.
        """
        _require_keys("scenario", values, tuple(each.name for each in fields(cls)))
        read: dict[str, Any] = {}
        for name, value in values.items():
            if name == "variants":
                if not isinstance(value, list):
                    raise EngineError(name, "not_a_list", got=value)
                read[name] = tuple(map(Variant.from_dict, value))
            elif name in {"counts", "styles", "mu", "sigma", "attendance"}:
                numbers = value if isinstance(value, list) else [value]
                number = _whole if name in {"counts", "styles"} else _number
                read[name] = tuple(number(name, each) for each in numbers)
            elif value is not None:
                number = _whole if name in {"nights", "size"} else _number
                read[name] = number(name, value)
        return cls(**read)


def _require_keys(field: str, values: Any, known: tuple[str, ...]) -> None:
    if not isinstance(values, Mapping):
        raise EngineError(field, "not_an_object", got=values)
    for name in values:
        if name not in known:
            raise EngineError(str(name), "unknown_field", known=", ".join(known))


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise EngineError(name, "not_a_number", got=value)
    return float(value)


def _whole(name: str, value: Any) -> int:
    if _number(name, value) != int(value):
        raise EngineError(name, "not_a_number", got=value)
    return int(value)


def _within(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise EngineError(name, "out_of_range", least=least, most=most, got=value)
