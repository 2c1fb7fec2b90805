"""Season standings: points with attendance, profit per tourney, and the rank on each."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

ONE = Fraction(1)


@dataclass(frozen=True)
class EventResult:
    """What a player took from one event: points of all his entries together, and his best place."""

    player_id: int
    event_index: int
    points: Fraction
    n_entries: int
    place: int


@dataclass(frozen=True)
class SeasonRules:
    """`attendance_points` for each event played; `min_events` to be ranked on profit per tourney."""

    attendance_points: Fraction = ONE
    min_events: int = 3


DEFAULT_RULES = SeasonRules()


@dataclass(frozen=True)
class SeasonRow:
    """A player's season; points, attendance, total and profit in points, `profit_rank` None if unranked."""

    player_id: int
    points: Fraction
    attendance: Fraction
    total: Fraction
    n_events: int
    n_entries: int
    wins: int
    profit_per_tourney: Fraction
    points_rank: int
    profit_rank: int | None


@dataclass(slots=True)
class _Tally:
    """Sums of a player; `points`, `total` and `profit` are whole numbers of a unit all players share."""

    player_id: int
    points: int = 0
    n_events: int = 0
    n_entries: int = 0
    wins: int = 0
    total: int = 0
    profit: int = 0


def season_rows(results: Iterable[EventResult], rules: SeasonRules = DEFAULT_RULES) -> list[SeasonRow]:
    """Standings of a season.

    The total is points + attendance points x events; profit per tourney is (points - entries) / events.
    The points rank is on total, then wins, then profit per tourney; the profit rank on profit per tourney,
    then points. Equal on all of these is the same rank (1-2-2-4).

    Parameters
    ----------
    results : iterable of EventResult
        One for each player and event, in any order.
    rules : SeasonRules
        Settings of the season.

    Returns
    -------
    list of SeasonRow
        By points rank; players of the same rank by player_id.

    Raises
    ------
    ValueError
        Naming the field, the player and the event that are wrong.

    References
    ----------
    .. [1] Straddle Cup season standings, January to September 1999 (tests/data/straddle-1999).

    Examples
    --------
    >>> rows = season_rows([EventResult(7, 0, Fraction(5), 1, 1), EventResult(7, 1, Fraction(0), 2, 9)])
    >>> str(rows[0].total), str(rows[0].profit_per_tourney), rows[0].profit_rank
    ('7', '1', None)
    """
    results = list(results)
    _check_rules(rules)
    _check_results(results)
    unit = lcm(rules.attendance_points.denominator, *{result.points.denominator for result in results})
    tallies = _tallies(results, unit)
    _complete(tallies, int(rules.attendance_points * unit), unit)
    ranked = [tally for tally in tallies if tally.n_events >= rules.min_events]
    profit_ranks = _ranks(ranked, lambda tally: (-tally.profit, -tally.points))
    points_ranks = _ranks(tallies, lambda tally: (-tally.total, -tally.wins, -tally.profit))
    by_id = {tally.player_id: tally for tally in tallies}
    return [
        _row(by_id[player], unit, rank, profit_ranks.get(player)) for player, rank in points_ranks.items()
    ]


def _check_rules(rules: SeasonRules) -> None:
    if rules.attendance_points < 0:
        raise ValueError(f"attendance_points: must not be negative, got {rules.attendance_points}")
    if rules.min_events < 0:
        raise ValueError(f"min_events: must not be negative, got {rules.min_events}")


def _check_results(results: Sequence[EventResult]) -> None:
    seen: set[tuple[int, int]] = set()
    for result in results:
        key = (result.player_id, result.event_index)
        if result.n_entries < 1 or result.place < 1 or key in seen:
            raise ValueError(f"{_fault(result)} (player {key[0]}, event {key[1]})")
        seen.add(key)


def _fault(result: EventResult) -> str:
    if result.n_entries < 1:
        return f"n_entries: must be at least 1, got {result.n_entries}"
    if result.place < 1:
        return f"place: must be at least 1, got {result.place}"
    return "event_index: a second result of the player in the event"


def _tallies(results: Sequence[EventResult], unit: int) -> list[_Tally]:
    # Whole numbers: half a million Fraction additions would take seconds.
    scale = {denominator: unit // denominator for denominator in {r.points.denominator for r in results}}
    tallies: dict[int, _Tally] = {}
    for result in results:
        tally = tallies.get(result.player_id)
        if tally is None:
            tally = tallies[result.player_id] = _Tally(result.player_id)
        tally.points += result.points.numerator * scale[result.points.denominator]
        tally.n_events += 1
        tally.n_entries += result.n_entries
        tally.wins += result.place == 1
    return list(tallies.values())


def _complete(tallies: Sequence[_Tally], attendance: int, unit: int) -> None:
    """Fill in total in 1/unit points and profit in 1/(unit x span) points; each n_events divides the span."""
    span = lcm(*{tally.n_events for tally in tallies})
    for tally in tallies:
        tally.total = tally.points + attendance * tally.n_events
        tally.profit = (tally.points - unit * tally.n_entries) * (span // tally.n_events)


def _ranks(tallies: Sequence[_Tally], key: Callable[[_Tally], tuple[int, ...]]) -> dict[int, int]:
    """Competition rank of each player, best first."""
    keyed = sorted((key(tally), tally.player_id) for tally in tallies)
    ranks: dict[int, int] = {}
    last: tuple[int, ...] | None = None
    rank = 0
    for position, (values, player) in enumerate(keyed, start=1):
        rank = rank if values == last else position
        ranks[player], last = rank, values
    return ranks


def _row(tally: _Tally, unit: int, points_rank: int, profit_rank: int | None) -> SeasonRow:
    return SeasonRow(
        player_id=tally.player_id,
        points=Fraction(tally.points, unit),
        attendance=Fraction(tally.total - tally.points, unit),
        total=Fraction(tally.total, unit),
        n_events=tally.n_events,
        n_entries=tally.n_entries,
        wins=tally.wins,
        profit_per_tourney=Fraction(tally.points - unit * tally.n_entries, unit * tally.n_events),
        points_rank=points_rank,
        profit_rank=profit_rank,
    )
