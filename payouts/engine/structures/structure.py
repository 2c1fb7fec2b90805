"""A points structure with its settings: checking, storing and displaying them, and computing points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from payouts.engine.errors import EngineError
from payouts.engine.exact import exact_text
from payouts.engine.structures.dhondt import SeatRow, Ties, check_ties, seat_table
from payouts.engine.structures.expression import Expression, check_expression
from payouts.engine.structures.facts import NO_ENTRY_FACTS, NO_EVENT_FACTS, Case, EntryFacts, EventFacts
from payouts.engine.structures.formula_parts import FormulaParts
from payouts.engine.structures.formulas import (
    FORMULAS,
    MAX_POINTS,
    Formula,
    check_percentages,
    fixed_table,
    no_points,
    percentage_pool,
    pool_points,
)
from payouts.engine.structures.quotients import Vote
from payouts.engine.structures.settings import (
    DHONDT,
    MAX_ENTRIES,
    NAMES,
    STRUCTURE_SETTINGS,
    SUGGESTED_ALPHA,
    check_cap,
    read_setting,
    settings_of,
)
from payouts.engine.structures.settling import (
    check_size,
    formula_points,
    ranking_counts,
    seat_points,
    shared_points,
    with_balances,
)
from payouts.engine.structures.tails import Tail, check_alpha, parse_tail
from payouts.engine.structures.votes import (
    DEFAULT_STRUCTURE,
    STRUCTURES,
    VP_KID_HEAD,
    StructureVotes,
    VotesRule,
)

EVEN = EntryFacts(balance=Fraction(0))
# Field sizes that a formula is tried on: the smallest and largest in the site's tables, and one between them.
SIZES_TRIED = (5, 30, 100)


TABLE = 12  # entries of an event whose points are remembered


@dataclass(frozen=True)
class PointsStructure:
    """A rule (field size, place, facts) -> points, with valid settings.

    Parameters
    ----------
    name : str
        One of `NAMES`; those of `DHONDT` give out seats, the others are formulas.
    ties : {"better", "worse"}
        D'Hondt: which place wins between equal quotients. No effect on formulas.
    cap : int, optional
        D'Hondt: maximum number of seats; with more entries each seat is worth entries/cap.
    alpha : Fraction, optional
        `vp_kid_alpha`: 1 to 10, at most 4 decimals; 1.05 if None.
    votes : tuple of Fraction
        By place: votes (`custom`), percentages (`fixed`, `percentage_pool`) or points (`fixed_table`).
    tail : str
        `custom`: "none", "100/n" or "power 1.05" (last vote listed times (m/n)^1.05, m places listed).
    per_entry : Fraction, optional
        `percentage_pool`: points put up for each entry; 1 if None.
    per_balance : Fraction, optional
        All but `expression`: points for each 1 of a player's balance, added to those of the places. None if the
        balance has no effect, 1 for `balance`, whose places have no points.
    expression : str
        `expression`: formula in n, k, entries, knockouts, buy_in, paid, balance.

    Raises
    ------
    EngineError
        Naming the invalid field, and the place in a list; also for a setting the structure does not have.

    Examples
    --------
    >>> structure = PointsStructure.from_dict({"name": "custom", "votes": [50, 30], "tail": "60/n", "cap": 100})
    >>> structure.formula
    '50, 30, then 60/n for n > 2; above 100 entries 100 seats, each worth entries/100'
    >>> [int(points) for points in structure.points(8)]
    [4, 2, 1, 1, 0, 0, 0, 0]
    """

    name: str = DEFAULT_STRUCTURE
    ties: Ties = "better"
    cap: int | None = None
    alpha: Fraction | None = None
    votes: tuple[Fraction, ...] = ()
    tail: str = ""
    per_entry: Fraction | None = None
    per_balance: Fraction | None = None
    expression: str = ""

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            raise EngineError("structure", "unknown_structure", name=self.name, known=", ".join(NAMES))
        check_ties(self.ties)
        self._check_settings()
        self._fill_in_defaults()
        if self.is_dhondt:
            check_cap(self.cap)
            self.rule  # noqa: B018  building the rule checks its settings
        else:
            self._formula  # noqa: B018

    @property
    def is_dhondt(self) -> bool:
        """Tell whether the structure has votes, seats and a seat table."""
        return self.name in DHONDT

    @property
    def shares_a_total(self) -> bool:
        """Tell whether the structure can share out a `total` of points put up."""
        return self.is_dhondt or self.name == "percentage_pool"

    @property
    def uses_balance(self) -> bool:
        """Tell whether points follow from balances too, so that they can be negative."""
        return self.per_balance is not None or (
            self.name == "expression" and Expression(self.expression).uses_balance
        )

    @property
    def names(self) -> frozenset[str]:
        """Find the variables that the formula names, such as b for the buy-in, besides n and k; none for seats."""
        if self.name == "expression":
            return Expression(self.expression).names
        return frozenset() if self.name == "balance" else frozenset(self.parts.variables)

    @property
    def follows_places(self) -> bool:
        """Tell whether field size and place alone decide about points; an expression is taken to use more."""
        return not self.uses_balance and self.name != "expression" and "e" not in self.parts.variables

    @cached_property
    def rule(self) -> VotesRule:
        """Votes of a D'Hondt structure; a formula raises EngineError."""
        if not self.is_dhondt:
            raise EngineError("structure", "formula_without_votes", structure=self.name)
        if self.name == "vp_kid_alpha":
            return VotesRule(VP_KID_HEAD, Tail("power", self.alpha or SUGGESTED_ALPHA))
        if self.name == "fixed":
            check_percentages(self.votes)
            return VotesRule(self.votes)
        if self.name == "custom":
            return VotesRule(self.votes, parse_tail(self.tail))
        return STRUCTURES[self.name]

    @property
    def parts(self) -> FormulaParts:
        """Formula for display. In votes n is the place; in a formula n is the entries and k the place."""
        parts = replace(self.rule.parts, cap=self.cap) if self.is_dhondt else self._formula.parts
        if self.per_balance is None or self.name == "balance":
            return parts
        return replace(parts, per_balance=exact_text(self.per_balance))

    @property
    def formula(self) -> str:
        """The formula in English."""
        return self.parts.text

    def votes_by_place(self, n_places: int) -> list[Vote]:
        """List the votes of the first places, 0 for those without votes; each converts to float.

        Raises
        ------
        EngineError
            If the structure is a formula, or `n_places` is negative.
        """
        positive = StructureVotes(self.rule, n_places)[:]
        return positive + [Fraction(0)] * (n_places - len(positive))

    def seat_table(self, seats: int) -> list[SeatRow]:
        """List which seat is the k-th point of a place, for as many entries as seats.

        Raises
        ------
        EngineError
            If the structure is a formula, or the number of seats is out of range.
        """
        return seat_table(StructureVotes(self.rule, max(seats, 1)), seats, self.ties)

    def points(
        self,
        n_entries: int,
        *,
        seats: int | None = None,
        total: Fraction | int | None = None,
        facts: EventFacts = NO_EVENT_FACTS,
    ) -> list[Fraction]:
        """Compute the points of each place, without those from balances.

        Parameters
        ----------
        n_entries : int
            Entries of the event, 1 to `MAX_ENTRIES`.
        seats : int, optional
            D'Hondt: seats given out; as many as entries, up to the cap, if None.
        total : Fraction or int, optional
            D'Hondt and `percentage_pool`: points put up; one (or `per_entry`) for each entry if None.
        facts : EventFacts
            Formulas: buy-in and paid places. Each player counts as having one entry, no knock-outs and a balance of 0.

        Returns
        -------
        list of Fraction, length n_entries
            Place 1 first; for D'Hondt structures they sum to seats times the worth of a seat.

        Raises
        ------
        EngineError
            Naming the invalid field, or the case in which an expression has no value.
        """
        if n_entries < 1:
            raise EngineError("n_entries", "too_small", least=1, got=n_entries)
        if n_entries > MAX_ENTRIES:
            raise EngineError("n_entries", "too_large", most=MAX_ENTRIES, got=n_entries)
        if self.is_dhondt:
            if seats is None and self.cap is not None and n_entries > self.cap:
                seats, total = self.cap, n_entries if total is None else total
            points = seat_points(self.rule, self.ties, n_entries, seats=seats, total=total)
            check_size(points)
            return points
        self._refuse_seats(seats)
        formula = self._formula_for(n_entries, total)
        points = formula.points([Case(n_entries, place, facts, EVEN) for place in range(1, n_entries + 1)])
        check_size(points)
        return points

    def event_points(
        self,
        places: Sequence[int],
        *,
        entries: Sequence[EntryFacts] | None = None,
        seats: int | None = None,
        total: Fraction | int | None = None,
        facts: EventFacts = NO_EVENT_FACTS,
    ) -> list[Fraction]:
        """Compute the points of each entry; tied entries share the points of the places they occupy.

        Parameters
        ----------
        places : sequence of int, length n
            Finishing place of every entry of the event in any order, competition ranking (1-2-2-4).
        entries : sequence of EntryFacts, length n, optional
            Formulas: facts of the player of each entry. A tied entry gets the mean of the points that the formula
            gives its player for the places occupied. Without them no balance is known.
        seats, total, facts
            As for `points`.

        Returns
        -------
        list of Fraction, length n
            Points, in the order of `places`.

        Raises
        ------
        ValueError
            Naming the field, and the place if the places are not a competition ranking or a balance is needed there.
        """
        if entries is not None and len(entries) != len(places):
            raise ValueError(f"entries: {len(entries)} given for {len(places)} places")
        if entries is None and self.uses_balance:
            entries = [NO_ENTRY_FACTS] * len(places)
        if entries is None or self.is_dhondt:
            points = self._points_by_place(places, seats, total, facts)
        else:
            self._refuse_seats(seats)
            points = formula_points(self._formula_for(len(places), total), places, entries, facts)
        if self.per_balance is not None and entries is not None:
            points = with_balances(points, places, entries, self.per_balance)
        check_size(points)
        return points

    def _points_by_place(
        self, places: Sequence[int], seats: int | None, total: Fraction | int | None, facts: EventFacts
    ) -> list[Fraction]:
        if self.is_dhondt and len(places) <= TABLE:
            return list(_points_at_table(self, tuple(places), seats, total))
        ranking_counts(places)
        return shared_points(places, self.points(len(places), seats=seats, total=total, facts=facts))

    def check(self) -> None:
        """Try a formula on `SIZES_TRIED`, an expression also on a grid of cases.

        Called before a structure is saved; its settings were checked when it was built.

        Raises
        ------
        EngineError
            Naming field size and place where it fails, is negative or increases.
        """
        if self.name == "expression":
            check_expression(self.expression)
        if not self.is_dhondt:
            for n_entries in SIZES_TRIED:
                self.points(n_entries)

    def to_dict(self) -> dict[str, Any]:
        """Convert name and settings to JSON types; exact numbers become text."""
        values: dict[str, Any] = {"name": self.name}
        for setting in settings_of(self.name):
            value = getattr(self, setting)
            if isinstance(value, tuple):
                value = [exact_text(vote) for vote in value]
            values[setting] = exact_text(value) if isinstance(value, Fraction) else value
        return {setting: value for setting, value in values.items() if value is not None}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "PointsStructure":
        """Build a structure from stored or typed settings: numbers may be text, `votes` a list or text with commas.

        Raises
        ------
        EngineError
            Naming the unknown or invalid field.
        """
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(values) - known):
            raise EngineError(unknown[0], "unknown_setting", known=", ".join(sorted(known)))
        return cls(**{name: read_setting(name, value) for name, value in values.items() if value is not None})

    def _check_settings(self) -> None:
        for setting in STRUCTURE_SETTINGS:
            is_set = setting != "ties" and getattr(self, setting) not in {None, (), ""}
            if is_set and setting not in settings_of(self.name):
                raise EngineError(setting, "no_such_setting", structure=self.name)

    def _fill_in_defaults(self) -> None:
        """Set the defaults of missing settings, so that equal structures compare equal."""
        settings = settings_of(self.name)
        if "alpha" in settings:
            alpha = SUGGESTED_ALPHA if self.alpha is None else self.alpha
            check_alpha("alpha", alpha, least=Fraction(1))
            object.__setattr__(self, "alpha", alpha)
        if "tail" in settings:
            object.__setattr__(self, "tail", parse_tail(self.tail).text)
        if "per_entry" in settings and self.per_entry is None:
            object.__setattr__(self, "per_entry", Fraction(1))
        if self.name == "balance" and self.per_balance is None:
            object.__setattr__(self, "per_balance", Fraction(1))
        if self.per_balance is not None and not 0 < self.per_balance <= MAX_POINTS:
            got = exact_text(self.per_balance)
            raise EngineError("per_balance", "out_of_positive_range", most=MAX_POINTS, got=got)

    @cached_property
    def _formula(self) -> Formula:
        """The formula of a structure without votes; making it checks its settings."""
        if self.name == "expression":
            return Formula(FormulaParts(self.expression), Expression(self.expression).values)
        if self.name == "fixed_table":
            return fixed_table(self.votes)
        if self.name == "balance":
            return no_points(
                FormulaParts("", per_balance=exact_text(self.per_balance or Fraction(1))).balance
            )
        if self.name == "percentage_pool":
            return percentage_pool(self.votes, Fraction(1) if self.per_entry is None else self.per_entry)
        return FORMULAS[self.name]

    def _formula_for(self, n_entries: int, total: Fraction | int | None) -> Formula:
        """Return the formula for a field in which `total` points are put up."""
        if total is None:
            return self._formula
        if self.name != "percentage_pool":
            raise EngineError("total", "formula_without_total", structure=self.name)
        return replace(self._formula, points=pool_points(self.votes, Fraction(total) / n_entries))

    def _refuse_seats(self, seats: int | None) -> None:
        if seats is not None:
            raise EngineError("seats", "formula_without_seats", structure=self.name)


@lru_cache(maxsize=1_024)
def _points_at_table(
    structure: PointsStructure, places: tuple[int, ...], seats: int | None, total: Fraction | int | None
) -> Sequence[Fraction]:
    """Compute (and cache) the points of a small field by seats."""
    ranking_counts(places)
    return shared_points(places, structure.points(len(places), seats=seats, total=total))
