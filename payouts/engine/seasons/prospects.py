"""Which ranks are left to a player: after one more event exactly, after several within sound bounds.

In one more event everybody has one entry or stays away, no places are shared, and as many newcomers as there are places
may come. A player's options are numbered: 0 is to stay away, k is place k.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from payouts.engine.results import EventResult, Ints, SeasonResults, ints, whole_points
from payouts.engine.seasons.season import BroughtForward, SeasonEvent, SeasonRules
from payouts.engine.seasons.tallies import Scale, Tally, tallies_of
from payouts.engine.seasons.tie_breaks import CRITERIA, Criterion, alphabetical

NEWCOMER = 0  # stands in for the id of anybody who has not played yet
# Its keys depend on who else is equal, so that it cannot be decided for two players alone.
BY_GROUP = "head_to_head"
NEXT = "next"  # months that are like no other
# What a player may do: the number of the event among those to come, place and points of each result.
Option: TypeAlias = Sequence[tuple[int, int, Fraction]]


@dataclass(frozen=True)
class SeasonSoFar:
    """A season's results with what counts them; the arguments of `season_rows`, `events` not left out."""

    results: SeasonResults
    rules: SeasonRules
    events: Sequence[SeasonEvent]
    brought_forward: Collection[BroughtForward]
    names: Mapping[int, str]


@dataclass(frozen=True)
class Prospects:
    """What one more event can make of a player's rank, by the player's own option.

    Attributes
    ----------
    best, worst : tuple of int
        Rank if the others help, and if they do their worst; players who are equal share one.
    can_tie : tuple of bool
        Whether somebody who stands behind now, or has not played yet, can draw level.
    draws_level : tuple of bool
        Whether it makes the player equal to somebody ahead who stays away.
    """

    best: tuple[int, ...]
    worst: tuple[int, ...]
    can_tie: tuple[bool, ...]
    draws_level: tuple[bool, ...]

    @property
    def n_places(self) -> int:
        return len(self.best) - 1

    def is_enough(self, rank: int) -> int | None:
        """Find the last place up to which every place brings this rank or a better one, whatever the others do.

        0 if it is enough to stay away, None if no place is enough.
        """
        return self._last(self.worst, rank)

    def can_be_enough(self, rank: int) -> int | None:
        """Find the last place up to which every place can bring this rank or a better one, as `is_enough`."""
        return self._last(self.best, rank)

    def _last(self, ranks: Sequence[int], rank: int) -> int | None:
        if max(ranks) <= rank:
            return 0
        missed = next((place for place in range(1, len(ranks)) if ranks[place] > rank), len(ranks))
        return missed - 1 or None


def prospects(
    player_id: int, season: SeasonSoFar, points: Sequence[Fraction], *, month: str = ""
) -> Prospects:
    """Go through one more event: the best and the worst rank of a player in each place.

    The others' places are chosen by a maximum matching of rivals and places, which is what trying all finishing orders
    would find.

    Parameters
    ----------
    player_id : int
        Somebody with results or totals in the season.
    season : SeasonSoFar
    points : sequence of Fraction, length n
        Points of each place; n is the size of the field.
    month : str
        Month of the event, as in `SeasonEvent`.

    Returns
    -------
    Prospects
        With n + 1 options. If head to head decides between equal totals, equal players count as ahead in `worst` and
        as behind in `best`.

    References
    ----------
    .. [1] J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs", SIAM Journal
       on Computing 2 (1973), 225-231.

    Examples
    --------
    >>> results = SeasonResults.of([EventResult(7, 0, Fraction(5), 1, 1), EventResult(8, 0, Fraction(3), 1, 2)])
    >>> season = SeasonSoFar(results, SeasonRules(), [SeasonEvent()], (), {})
    >>> found = prospects(8, season, [Fraction(3), Fraction(1)])
    >>> found.best, found.worst, found.is_enough(1), found.can_be_enough(1)
    ((2, 1, 2), (3, 1, 2), 1, 1)
    """
    table = _levels(season, _options(points), [month])
    own = table.pop(player_id)
    newcomers = [table.pop(NEWCOMER)] * len(points)
    is_decided = BY_GROUP not in season.rules.tie_breaks
    rivals, all_rivals = np.array([*table.values()]), np.array([*table.values(), *newcomers])
    best, worst, can_tie, draws_level = [], [], [], []
    for option, level in enumerate(own):
        open_places = np.arange(1, len(points) + 1) != option
        ahead = all_rivals < level if is_decided else all_rivals <= level
        worst.append(1 + _most(ahead, open_places))
        behind = rivals >= level
        best.append(1 + len(rivals) - _most(behind, open_places) if len(rivals) else 1)
        behind_now = all_rivals[:, 0] > own[0]
        can_tie.append(bool((all_rivals[behind_now][:, 1:][:, open_places] == level).any()))
        draws_level.append(bool(len(rivals) and (rivals[rivals[:, 0] < own[0], 0] == level).any()))
    return Prospects(tuple(best), tuple(worst), tuple(can_tie), tuple(draws_level))


def _most(holds: NDArray[np.bool_], open_places: NDArray[np.bool_]) -> int:
    """Count the most rivals that can meet a condition at once: by staying away or in distinct places."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not len(holds):
        return 0
    away = holds[:, 0]
    by_place = holds[~away][:, 1:][:, open_places]
    if not by_place.any():
        return int(away.sum())
    matched = maximum_bipartite_matching(csr_array(by_place), perm_type="column")
    return int(away.sum() + (matched >= 0).sum())


def _options(points: Sequence[Fraction]) -> list[Option]:
    return [[], *([(0, place, value)] for place, value in enumerate(points, start=1))]


def _levels(season: SeasonSoFar, options: Sequence[Option], months: Sequence[str]) -> dict[int, Ints]:
    """Rank every option of every player, the best first; a newcomer who stays away comes last."""
    tallies, names, _unit = _tallied(season, options, months)
    last = len(tallies)
    levels: dict[int, Ints] = defaultdict(lambda: np.full(len(options), last))
    for (player, option), level in zip(
        tallies, _order([*tallies.values()], season.rules, names), strict=True
    ):
        levels[player][option] = level
    return levels


class _Tallied(NamedTuple):
    """The tally of each player and option, the names of the copies, and the unit of the points."""

    tallies: dict[tuple[int, int], Tally]
    names: dict[int, str]
    unit: int


def _tallied(season: SeasonSoFar, options: Sequence[Option], months: Sequence[str]) -> _Tallied:
    """Sum up each option of each player by the rules of the season, and name them for the alphabetical order.

    Each option of each player is a player of its own, so that all are counted at once.
    """
    brought = {totals.player_id: totals for totals in season.brought_forward}
    players = [*sorted({*season.results.player_id.tolist(), *brought}), NEWCOMER]
    index = {player: i * len(options) for i, player in enumerate(players)}
    results = _with_options(season, index, options)
    events = [*season.events, *(SeasonEvent(month) for month in months)]
    copies = [
        replace(totals, player_id=index[player] + option)
        for player, totals in brought.items()
        for option in range(len(options))
    ]
    parts = (results, season.rules, events, copies)
    scale = Scale(*parts)
    # A newcomer has no name yet: the first in the alphabet is the worst for everybody else.
    names = {
        start + i: season.names.get(player, "")
        for player, start in index.items()
        for i in range(len(options))
    }
    whose = {start + i: (player, i) for player, start in index.items() for i in range(len(options))}
    tallies = {whose[tally.player_id]: tally for tally in tallies_of(*parts, scale)}
    return _Tallied(tallies, names, scale.unit)


def _with_options(season: SeasonSoFar, index: Mapping[int, int], options: Sequence[Option]) -> SeasonResults:
    """Build the results of every copy of every player: those so far and those of the copy's option."""
    so_far, n_events = season.results, len(season.events)
    old = so_far.where(np.tile(np.arange(len(so_far)), len(options)))
    copies = ints(index[player] for player in so_far.player_id.tolist())
    old = replace(old, player_id=np.add.outer(np.arange(len(options)), copies).ravel())
    added = [
        EventResult(start + i, n_events + offset, points, 1, place)
        for start in index.values()
        for i, option in enumerate(options)
        for offset, place, points in option
    ]
    return _joined(old, SeasonResults.of(added))


def _joined(old: SeasonResults, new: SeasonResults) -> SeasonResults:
    """Join results whose points are in different units."""
    points = np.concatenate([old.points, new.points])
    wholes, unit = whole_points(points, np.repeat([old.unit, new.unit], [len(old), len(new)]))
    columns = ("player_id", "event_index", "n_entries", "place")
    joined = {name: np.concatenate([getattr(old, name), getattr(new, name)]) for name in columns}
    return SeasonResults(points=wholes, unit=unit, **joined)


def _order(tallies: Sequence[Tally], rules: SeasonRules, names: Mapping[int, str]) -> list[int]:
    """Rank tallies by total and those tie-breaks that need only the two players compared."""
    known: dict[str, Criterion] = {**CRITERIA, "alphabetical": alphabetical(names)}
    decided = takewhile(lambda name: name != BY_GROUP, rules.tie_breaks)
    keys = list(zip(*(known[name](tallies) for name in ("total", *decided)), strict=True))
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]


@dataclass(frozen=True)
class Bounds:
    """Ranks between which a player ends, and the most points that the total can come to."""

    best: int
    worst: int
    most: Fraction


def bounds(season: SeasonSoFar, points: Sequence[Sequence[Fraction]]) -> dict[int, Bounds]:
    """Bound the rank of every player after several more events.

    The most that anybody can do is to win them all, the least is to stay away. Not all can win, so the ranks that are
    left can be nearer to each other. Players who may come to equal totals count as ahead in `worst` and as behind in
    `best`.

    Parameters
    ----------
    season
        As for `prospects`.
    points : sequence of sequences of Fraction
        For each event that is left the points of each place in the largest field to expect, not negative.

    Returns
    -------
    dict of int to Bounds
        By the ids of the players.

    Examples
    --------
    >>> results = SeasonResults.of([EventResult(7, 0, Fraction(9), 1, 1), EventResult(8, 0, Fraction(3), 1, 2)])
    >>> season = SeasonSoFar(results, SeasonRules(), [SeasonEvent()], (), {})
    >>> found = bounds(season, [[Fraction(3), Fraction(1)]])[8]
    >>> found.best, found.worst, str(found.most)
    (2, 4, '8')
    """
    wins: Option = [(number, 1, of_event[0]) for number, of_event in enumerate(points)]
    # Each event is in a month of its own: no more results count in any other way.
    months = [f"{NEXT} {number}" for number in range(len(points))]
    tallied = _tallied(season, [[], wins], months)
    totals = {key: tally.total for key, tally in tallied.tallies.items()}
    # Without an event to come there is no newcomer.
    newcomer = totals.pop((NEWCOMER, 1), 0)
    totals.pop((NEWCOMER, 0), None)
    players = sorted({player for player, _option in totals})
    least = np.array([totals[player, 0] for player in players], dtype=object)
    most = np.array([totals[player, 1] for player in players], dtype=object)
    n_newcomers = sum(map(len, points))
    return {
        player: Bounds(
            best=1 + int((least > most[i]).sum()),
            # Oneself is among those who can come to one's own least total.
            worst=int((most >= least[i]).sum()) + (n_newcomers if newcomer >= least[i] else 0),
            most=Fraction(int(most[i]), tallied.unit),
        )
        for i, player in enumerate(players)
    }
