"""Season standings: points with attendance, profit per tourney, and the rank on each."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from payouts.engine.results import EventResult, SeasonResults
from payouts.engine.seasons.season import (
    DEFAULT_RULES,
    BroughtForward,
    SeasonEvent,
    SeasonRules,
    TieBreak,
    check_season,
)
from payouts.engine.seasons.tallies import Scale, Tally, tallies_of
from payouts.engine.seasons.tie_breaks import CRITERIA, Criterion, alphabetical, ranks

__all__ = [
    "DEFAULT_RULES",
    "BroughtForward",
    "EventResult",
    "SeasonEvent",
    "SeasonResults",
    "SeasonRow",
    "SeasonRules",
    "TieBreak",
    "season_ranks",
    "season_rows",
]


@dataclass(frozen=True)
class SeasonRow:
    """A player's line in the standings; all Fractions are points, `profit_rank` is None if unranked.

    `points` sums the results that count, times the multipliers, and points brought forward. `n_brought` of the
    `n_events` are brought forward.
    """

    player_id: int
    points: Fraction
    total: Fraction
    n_events: int
    n_entries: int
    wins: int
    profit_per_tourney: Fraction
    points_rank: int
    profit_rank: int | None
    n_counted: int = 0
    n_brought: int = 0
    all_points: Fraction = Fraction(0)  # of all results, dropped or not, without multipliers

    @property
    def attendance(self) -> Fraction:
        return self.total - self.points


def season_rows(
    results: Iterable[EventResult] | SeasonResults,
    rules: SeasonRules = DEFAULT_RULES,
    *,
    events: Sequence[SeasonEvent] | None = None,
    brought_forward: Iterable[BroughtForward] = (),
    names: Mapping[int, str] | None = None,
) -> list[SeasonRow]:
    """Compute the standings of a season.

    The total is points that count + attendance points x events played; profit per tourney is (points - entries) /
    events, of all events, without multipliers: the return on one unit staked. The points rank is on total, then
    the tie-breaks; the profit rank on profit per tourney, then points. Players equal on all of these share a
    rank (1-2-2-4).

    Parameters
    ----------
    results : SeasonResults, or iterable of EventResult
        One for each player and event, in any order.
    rules : SeasonRules
        Settings of the season.
    events : sequence of SeasonEvent, optional
        All events held, by index, with months, multipliers and finals; those without a result of a player are missed.
        If None, the events are those with results, all alike.
    brought_forward : iterable of BroughtForward
        Totals of players from events not in the records.
    names : mapping of int to str, optional
        Sort key of each player's name, for the tie-break "alphabetical".

    Returns
    -------
    list of SeasonRow
        In order of points rank; players of the same rank in order of player_id.

    Raises
    ------
    ValueError
        Naming the invalid field, the player and the event.

    References
    ----------
    .. [1] Straddle Cup season standings, January to September 1999 (tests/data/straddle-1999).

    Examples
    --------
    >>> rows = season_rows([EventResult(7, 0, Fraction(5), 1, 1), EventResult(7, 1, Fraction(0), 2, 9)])
    >>> str(rows[0].total), str(rows[0].profit_per_tourney), rows[0].profit_rank
    ('7', '1', None)
    """
    results, brought_forward = SeasonResults.of(results), list(brought_forward)
    check_season(results, rules, events, brought_forward)
    scale = Scale(results, rules, events, brought_forward)
    tallies = tallies_of(results, rules, events, brought_forward, scale)
    profit_ranks = _profit_ranks(tallies, rules)
    by_id = {tally.player_id: tally for tally in tallies}
    return [
        _row(by_id[player], scale.unit, rules.stake, rank, profit_ranks.get(player))
        for player, rank in ranks(tallies, _criteria(rules, names or {})).items()
    ]


def season_ranks(
    results: Iterable[EventResult] | SeasonResults,
    rules: SeasonRules,
    *,
    events: Sequence[SeasonEvent],
    brought_forward: Collection[BroughtForward] = (),
    names: Mapping[int, str] | None = None,
) -> tuple[dict[int, int], dict[int, int]]:
    """Rank players on points and on profit per tourney, from input that `season_rows` accepts.

    Parameters
    ----------
    results, rules, events, brought_forward, names
        As for `season_rows`, but not checked.

    Returns
    -------
    points_ranks : dict of int to int
        Rank by player_id, best first; players equal on total and tie-breaks share a rank (1-2-2-4).
    profit_ranks : dict of int to int
        The same on profit, of those with at least `rules.min_events` events.

    Raises
    ------
    ValueError
        For the tie-break "alphabetical", naming a player without a name.

    Examples
    --------
    >>> results = [EventResult(7, 0, Fraction(5), 1, 1), EventResult(8, 0, Fraction(0), 1, 2)]
    >>> season_ranks(results, SeasonRules(min_events=1), events=[SeasonEvent()])
    ({7: 1, 8: 2}, {7: 1, 8: 2})
    """
    results = SeasonResults.of(results)
    scale = Scale(results, rules, events, brought_forward)
    tallies = tallies_of(results, rules, events, brought_forward, scale)
    return ranks(tallies, _criteria(rules, names or {})), _profit_ranks(tallies, rules)


def _profit_ranks(tallies: Sequence[Tally], rules: SeasonRules) -> dict[int, int]:
    ranked = [tally for tally in tallies if tally.n_events >= rules.min_events]
    return ranks(ranked, [CRITERIA["profit"], CRITERIA["points"]])


def _criteria(rules: SeasonRules, names: Mapping[int, str]) -> list[Criterion]:
    known = {**CRITERIA, "alphabetical": alphabetical(names)}
    return [known["total"], *(known[tie_break] for tie_break in rules.tie_breaks)]


def _row(tally: Tally, unit: int, stake: int, points_rank: int, profit_rank: int | None) -> SeasonRow:
    return SeasonRow(
        player_id=tally.player_id,
        points=Fraction(tally.points, unit),
        total=Fraction(tally.total, unit),
        n_events=tally.n_events,
        n_entries=tally.n_entries,
        wins=tally.wins,
        profit_per_tourney=Fraction(tally.all_points - stake * unit * tally.n_entries, unit * tally.n_events),
        points_rank=points_rank,
        profit_rank=profit_rank,
        n_counted=tally.n_counted,
        n_brought=tally.n_brought,
        all_points=Fraction(tally.all_points, unit),
    )
