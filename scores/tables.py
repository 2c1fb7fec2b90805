"""Places and balances of one game at one table."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from scores.errors import ScoreError
from scores.rules import MOST_POINTS, MOST_THOUSANDS, STICK, ScoreRules, plain

MOST_CHIPS = 1_000
MOST_STICKS = 100
LEAST_BALANCES = 2  # players of a game whose balances are written down
TENTH, THOUSANDTH = Decimal("0.1"), Decimal("0.001")


@dataclass(frozen=True)
class Seat:
    """What was written down for one player; seats are in the order of winds, the first East first.

    Either `score`, in points, or `points`, the balance itself in thousands with everything included. A penalty is in
    thousands, positive.
    """

    name: str
    score: int | None = None
    points: Decimal | None = None
    chips: int | None = None
    penalty: Decimal = Decimal(0)


@dataclass(frozen=True)
class Result:
    """Place (1, 2, 2, 4) and balance, in thousands, of one seat."""

    place: int
    balance: Decimal


def places_of(values: Sequence[Decimal | int], *, by_wind: bool) -> list[int]:
    """Place values, the greatest first; equal ones share a place, or the earlier seat is placed higher.

    >>> places_of([300, 250, 250, 200], by_wind=False), places_of([300, 250, 250, 200], by_wind=True)
    ([1, 2, 2, 4], [1, 2, 3, 4])
    """
    return [
        1 + sum(other > value or (by_wind and other == value and j < i) for j, other in enumerate(values))
        for i, value in enumerate(values)
    ]


def settle(rules: ScoreRules, seats: Sequence[Seat], *, sticks_left: int = 0) -> list[Result]:
    """Place a complete table and compute its balances.

    Parameters
    ----------
    rules : ScoreRules
    seats : sequence of Seat
        In the order of winds; all with a score, or all with points.
    sticks_left : int, optional
        Riichi sticks on the table at the end.

    Returns
    -------
    list of Result
        By seat. Balances add up to `right_sum`.

    Raises
    ------
    ScoreError
        If the table is not complete or its sum is wrong.

    Examples
    --------
    >>> from scores.rules import PRESETS
    >>> seats = [Seat("A", 42_200), Seat("B", 22_300), Seat("C", 20_500), Seat("D", 15_000)]
    >>> [str(result.balance) for result in settle(PRESETS["mleague"], seats)]
    ['62.2', '2.3', '-19.5', '-45']
    """
    if len(seats) != rules.n_players:
        raise ScoreError("seats", "wrong_table", n=rules.n_players, got=len(seats))
    if not 0 <= sticks_left <= MOST_STICKS:
        raise ScoreError("sticks", "sticks_out_of_range", most=MOST_STICKS, got=sticks_left)
    _require_complete(seats)
    _require_chips(rules, seats)
    _require_sum(seats, right_written_sum(rules, seats, sticks_left=sticks_left))
    return provisional(rules, seats, sticks_left=sticks_left)


def settle_balances(rules: ScoreRules, seats: Sequence[Seat]) -> list[Result]:
    """Place any number of players by their balances, which are written down as points; raise ScoreError as `settle`."""
    if len(seats) < LEAST_BALANCES:
        raise ScoreError("seats", "too_few_players", least=LEAST_BALANCES, got=len(seats))
    _require_complete(seats)
    _require_sum(seats, right_sum(rules, seats))
    return provisional(rules, seats)


def provisional(rules: ScoreRules, seats: Sequence[Seat], *, sticks_left: int = 0) -> list[Result]:
    """Place and balance seats that all have a number, even if the sum is not right yet."""
    if seats[0].points is not None:
        points = [seat.points or Decimal(0) for seat in seats]
        places = places_of(points, by_wind=False)
        return [Result(place, plain(value)) for place, value in zip(places, points, strict=True)]
    scores = [seat.score or 0 for seat in seats]
    by_wind = rules.ties == "wind"
    places = places_of(scores, by_wind=by_wind)
    bonuses = _bonuses(rules, scores, sticks_left)
    return [
        Result(
            place,
            plain(
                Decimal(scores[i] - rules.back) / 1_000
                + _bonus(bonuses, places, i)
                + (seat.chips or 0) * rules.chip_value
                - seat.penalty
                - rules.house_per_player
            ),
        )
        for i, (seat, place) in enumerate(zip(seats, places, strict=True))
    ]


def right_sum(rules: ScoreRules, seats: Sequence[Seat], *, sticks_left: int = 0) -> Decimal:
    """Compute the sum of a table's balances: minus the house's part, penalties and unclaimed sticks."""
    stay = Decimal(STICK * sticks_left) / 1_000 if rules.sticks == "stay" else Decimal(0)
    return plain(-rules.house(len(seats)) - sum(seat.penalty for seat in seats) - stay)


def written_sum(seats: Sequence[Seat]) -> Decimal:
    """Add up what was written down: points of balance, or scores."""
    return plain(sum((Decimal(_written(seat)) for seat in seats), Decimal(0)))


def right_written_sum(rules: ScoreRules, seats: Sequence[Seat], *, sticks_left: int = 0) -> Decimal:
    """Compute what scores add up to, or points if they were written instead."""
    if any(seat.points is not None for seat in seats):
        return right_sum(rules, seats, sticks_left=sticks_left)
    return Decimal(rules.total - STICK * sticks_left)


def _written(seat: Seat) -> Decimal | int:
    return seat.points if seat.points is not None else seat.score or 0


def _bonuses(rules: ScoreRules, scores: Sequence[int], sticks_left: int) -> list[Decimal]:
    """Compute the bonus of each place: uma; for the first also oka and sticks, minus the house's part."""
    uma = rules.uma
    if rules.floating:
        uma = rules.floating[min(sum(score > rules.back for score in scores), rules.n_players - 1)]
    sticks = Decimal(STICK * sticks_left) / 1_000 if rules.sticks == "first" else Decimal(0)
    return [uma[0] + rules.oka + sticks - rules.house_per_table, *uma[1:]]


def _bonus(bonuses: Sequence[Decimal], places: Sequence[int], seat: int) -> Decimal:
    """Compute a seat's share of the tied places' bonuses; earlier seats get an indivisible remainder."""
    tied = [i for i, place in enumerate(places) if place == places[seat]]
    first = places[seat] - 1
    total = sum(bonuses[first : first + len(tied)], Decimal(0))
    return _shares(total, len(tied))[tied.index(seat)]


def _shares(total: Decimal, n: int) -> list[Decimal]:
    """Divide a total, exactly if three decimals allow it, else in tenths or thousandths.

    >>> [str(share) for share in _shares(Decimal(50), 3)]
    ['16.7', '16.7', '16.6']
    """
    if total % (n * THOUSANDTH) == 0:
        return [total / n] * n
    unit = TENTH if total % TENTH == 0 else THOUSANDTH
    least, rest = divmod(int(total / unit), n)
    return [(least + (i < rest)) * unit for i in range(n)]


def _require_complete(seats: Sequence[Seat]) -> None:
    _require_names(seats)
    has_points = any(seat.points is not None for seat in seats)
    for seat in seats:
        _require_written(seat, has_points=has_points)
        _require_range("penalty", seat.penalty, 0, MOST_THOUSANDS, seat.name)


def _require_sum(seats: Sequence[Seat], right: Decimal) -> None:
    if (got := written_sum(seats)) != right:
        raise ScoreError("sum", "wrong_sum", got=got, right=right)


def _require_names(seats: Sequence[Seat]) -> None:
    """Require a name in each seat, and each name once; names are compared as they are written."""
    seen = set()
    for number, seat in enumerate(seats, start=1):
        if not seat.name:
            raise ScoreError("name", "no_name", seat=number)
        if seat.name in seen:
            raise ScoreError("name", "player_twice", name=seat.name)
        seen.add(seat.name)


def _require_written(seat: Seat, *, has_points: bool) -> None:
    if seat.score is None and seat.points is None:
        raise ScoreError("score", "no_score", name=seat.name)
    if has_points != (seat.points is not None) or (has_points and seat.score is not None):
        raise ScoreError("score", "mixed", name=seat.name)
    if seat.points is not None:
        _require_range("points", seat.points, -MOST_POINTS, MOST_POINTS, seat.name)
    else:
        _require_range("score", seat.score or 0, -MOST_POINTS, MOST_POINTS, seat.name)
        if (seat.score or 0) % 100:
            raise ScoreError("score", "not_hundreds", got=seat.score)


def _require_chips(rules: ScoreRules, seats: Sequence[Seat]) -> None:
    chips = [seat.chips for seat in seats]
    if chips == [None] * len(seats):
        return
    if not rules.chip_value:
        raise ScoreError("chips", "chips_not_used")
    for seat in seats:
        if seat.chips is None:
            raise ScoreError("chips", "no_chips", name=seat.name)
        _require_range("chips", seat.chips, -MOST_CHIPS, MOST_CHIPS, seat.name)
    if total := sum(seat.chips or 0 for seat in seats):
        raise ScoreError("chips", "chips_not_zero", got=total)


def _require_range(field: str, value: Decimal | int, least: int, most: int, name: str) -> None:
    if not least <= value <= most:
        raise ScoreError(field, f"{field}_out_of_range", least=least, most=most, got=value, name=name)
