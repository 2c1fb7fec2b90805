"""Points of an event: seats times the worth of a seat, or a formula; tied entries share."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice

from payouts.engine.errors import EngineError
from payouts.engine.exact import exact_text
from payouts.engine.structures.dhondt import Ties, allocate
from payouts.engine.structures.facts import Case, EntryFacts, EventFacts
from payouts.engine.structures.formulas import MAX_POINTS, Formula
from payouts.engine.structures.votes import StructureVotes, VotesRule

MAX_PART = 2**63 - 1


def seat_points(
    rule: VotesRule, ties: Ties, n_entries: int, *, seats: int | None, total: Fraction | int | None
) -> list[Fraction]:
    """Points of each place by a D'Hondt structure.

    Parameters
    ----------
    rule : VotesRule
        Votes of the places.
    ties : {"better", "worse"}
        Which place wins between equal quotients.
    n_entries : int
        Places of the event, at least 1.
    seats : int, optional
        Seats given out; as many as entries if None.
    total : Fraction or int, optional
        Points that the seats are worth together; one for each seat if None.

    Returns
    -------
    list of Fraction, length n_entries
        Points, place 1 first.

    Raises
    ------
    EngineError
        Naming `seats` or `total`, if one is out of range or there is no seat for a total.

    Examples
    --------
    >>> rule = VotesRule((Fraction(50), Fraction(30), Fraction(20)))
    >>> [str(points) for points in seat_points(rule, "better", 4, seats=None, total=6)]
    ['3', '3/2', '3/2', '0']
    """
    n_seats = n_entries if seats is None else seats
    held = allocate(StructureVotes(rule, n_entries), n_seats, ties)
    value = _seat_value(n_seats, total)
    worth = {count: count * value for count in {0, *held}}
    return [worth[count] for count in held] + [worth[0]] * (n_entries - len(held))


def _seat_value(seats: int, total: Fraction | int | None) -> Fraction:
    if total is None:
        return Fraction(1)
    if total < 0:
        raise EngineError("total", "negative", got=total)
    if seats == 0 and total:
        raise EngineError("seats", "no_seats_for_total", total=total)
    return Fraction(total) / max(seats, 1)


def formula_points(
    formula: Formula, places: Sequence[int], entries: Sequence[EntryFacts], facts: EventFacts
) -> list[Fraction]:
    """Points of each entry by a formula; a tied entry gets the mean of its own points for the places occupied.

    Parameters
    ----------
    formula : Formula
        Points of a case.
    places : sequence of int, length n
        Finishing place of every entry in any order, competition ranking (1-2-2-4).
    entries : sequence of EntryFacts, length n
        Facts of the player of each entry.
    facts : EventFacts
        Buy-in and paid places.

    Returns
    -------
    list of Fraction, length n
        Points, in the order of `places`.

    Raises
    ------
    EngineError
        Naming the place that breaks the competition ranking, or the first case without a value.

    Examples
    --------
    >>> from payouts.engine.structures.formulas import FORMULAS
    >>> entries = [EntryFacts()] * 3
    >>> [str(points) for points in formula_points(FORMULAS["linear"], [1, 2, 2], entries, EventFacts())]
    ['3', '3/2', '3/2']
    """
    n_tied = ranking_counts(places)
    keys = list(zip(places, entries, strict=True))
    paid = [(place, entry) for place, entry in dict.fromkeys(keys) if entry.is_last]
    cases = [
        Case(len(places), k, facts, entry)
        for place, entry in paid
        for k in range(place, place + n_tied[place])
    ]
    values = iter(formula.points(cases))
    points = {(place, entry): _mean(list(islice(values, n_tied[place]))) for place, entry in paid}
    return [points.get(key, Fraction(0)) for key in keys]


def shared_points(places: Sequence[int], by_place: Sequence[Fraction]) -> list[Fraction]:
    """Share out the points of each place: tied entries share the points of the places occupied.

    Parameters
    ----------
    places : sequence of int, length n
        Finishing place of every entry in any order, competition ranking (1-2-2-4).
    by_place : sequence of Fraction, length n
        Points, place 1 first.

    Returns
    -------
    list of Fraction, length n
        Points, in the order of `places`.

    Raises
    ------
    EngineError
        Naming the place that breaks the competition ranking.

    Examples
    --------
    >>> [str(points) for points in shared_points([3, 1, 1], [Fraction(2), Fraction(1), Fraction(0)])]
    ['0', '3/2', '3/2']
    """
    n_tied = ranking_counts(places)
    shares = {place: _mean(by_place[place - 1 : place - 1 + count]) for place, count in n_tied.items()}
    return [shares[place] for place in places]


def with_balances(
    points: Sequence[Fraction], places: Sequence[int], entries: Sequence[EntryFacts], per_balance: Fraction
) -> list[Fraction]:
    """Add the points from each player's balance to those of the player's last entry.

    Parameters
    ----------
    points : sequence of Fraction, length n
        Points of each entry.
    places : sequence of int, length n
        Place of each entry, for the error.
    entries : sequence of EntryFacts, length n
        Facts of the player of each entry.
    per_balance : Fraction
        Points for each 1 of balance.

    Returns
    -------
    list of Fraction, length n
        Points, which can be negative.

    Raises
    ------
    EngineError
        Naming the place of the first entry without a balance.

    Examples
    --------
    >>> entries = [EntryFacts(balance=Fraction(622, 10)), EntryFacts(balance=Fraction(-622, 10))]
    >>> [str(points) for points in with_balances([Fraction(3), Fraction(0)], [1, 2], entries, Fraction(1, 2))]
    ['341/10', '-311/10']
    """
    n_entries = len(points)
    return [
        own + per_balance * Case(n_entries, place, entry=entry).balance if entry.is_last else own
        for own, place, entry in zip(points, places, entries, strict=True)
    ]


def ranking_counts(places: Sequence[int]) -> Mapping[int, int]:
    """Count the entries at each place; raise EngineError unless the places are a competition ranking."""
    if not places:
        raise EngineError("places", "no_entries")
    n_tied = dict(sorted(Counter(places).items()))
    expected = 1
    for place, count in n_tied.items():
        if place != expected:
            raise EngineError("places", "not_a_ranking", place=place, expected=expected)
        expected += count
    return n_tied


def check_size(points: Sequence[Fraction]) -> None:
    """Refuse points that are too many, or too long a fraction, to be stored.

    Parameters
    ----------
    points : sequence of Fraction

    Raises
    ------
    EngineError
        If one is more than `MAX_POINTS`, up or down, or its numerator or denominator does not fit 63 bits.

    Examples
    --------
    >>> check_size([Fraction(10**9) + 1])
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: structure: 1000000001 points are more than the 1000000000 that an entry can have
    """
    for value in {id(value): value for value in points}.values():
        if abs(value) > MAX_POINTS:
            raise EngineError("structure", "too_many_points", points=exact_text(value), most=MAX_POINTS)
        if max(abs(value.numerator), value.denominator) > MAX_PART:
            raise EngineError("structure", "too_long_a_fraction", points=exact_text(value))


def _mean(points: Sequence[Fraction]) -> Fraction:
    return points[0] if len(points) == 1 else sum(points, Fraction(0)) / len(points)
