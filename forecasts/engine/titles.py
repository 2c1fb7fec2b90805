"""Chances of each final position of a season: the nights that are left are played many times.

Each night left is a night so far, drawn at random: those who came then come again and play for the same points. Their
places are drawn from the ratings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from payouts.engine.results import SeasonResults
from payouts.engine.seasons.season import BroughtForward, SeasonEvent, SeasonRules
from payouts.engine.seasons.selection import BELOW_MONTH_BEST, select
from payouts.engine.seasons.tallies import Scale

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SCALINGS = 200  # of rows and columns, until both sum to 1
BATCH = 1_000_000  # results in memory at one time
FAR = 1e9  # of what luck alone decides, in the unit of ratings: before or behind everybody else


@dataclass(frozen=True)
class Strengths:
    """Ratings of the players by index, any one unit, already calibrated.

    A performance is mean + steady x + nightly y with x and y standard normal: x is drawn once in a season, because how
    good a player is stays unknown, and y at each event. `luck` is the share of pairs that luck alone decides.
    """

    mean: Floats
    steady: Floats
    nightly: Floats
    luck: float = 0.0

    @property
    def mishap(self) -> float:
        """Chance of a player to have an event that luck alone decides: either of a pair, and the pair is luck."""
        return 1.0 - float(np.sqrt(1.0 - self.luck))

    @classmethod
    def corrected(
        cls, mu: Floats, sigma: Floats, beta: float, *, scale: float, luck: float = 0.0
    ) -> "Strengths":
        """Multiply the gaps between players by `scale`, and keep each spread of performances.

        Examples
        --------
        >>> Strengths.corrected(np.array([3.0]), np.array([3.0]), 4.0, scale=1.0).nightly.tolist()
        [4.0]
        """
        whole = np.hypot(sigma, beta)
        steady = np.minimum(scale * sigma, whole)
        return cls(scale * mu, steady, np.sqrt(np.maximum(whole**2 - steady**2, 0.0)), luck)

    @classmethod
    def equal(cls, n_players: int) -> "Strengths":
        return cls(np.zeros(n_players), np.zeros(n_players), np.ones(n_players))


@dataclass(frozen=True)
class SeasonSoFar:
    """A season after some of its nights.

    `results` have players as indices 0..n_players - 1, `events` are those held, `nights` their indices by night and
    `to_come` the nights left, each with how its events will count. `names` are sort keys, for ties that go by name.
    """

    n_players: int
    results: SeasonResults
    events: Sequence[SeasonEvent]
    nights: Sequence[Sequence[int]]
    to_come: Sequence[SeasonEvent]
    rules: SeasonRules
    brought_forward: Sequence[BroughtForward] = ()
    names: Sequence[str] = ()


def position_chances(
    season: SeasonSoFar, strengths: Strengths, *, n_runs: int, rng: np.random.Generator
) -> Floats:
    """Play the nights left and find how often each player ends at each position.

    Points, multipliers, dropped results, attendance and totals brought forward count by the season's rules. Players
    whom the total and the tie-breaks points, wins, events, profit and name leave level share their positions.

    Parameters
    ----------
    season : SeasonSoFar
        With at least one night.
    strengths : Strengths
    n_runs : int
        How often the season is played to its end.
    rng : numpy.random.Generator

    Returns
    -------
    float64, shape (n_players, n_players)
        Row i, column k: chance that player i ends at position k + 1; rows and columns sum to 1.

    References
    ----------
    .. [1] Simulation of order statistics: the best performance of an event wins.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from payouts.engine.results import EventResult
    >>> results = SeasonResults.of([EventResult(0, 0, Fraction(2), 1, 1), EventResult(1, 0, Fraction(1), 1, 2)])
    >>> season = SeasonSoFar(2, results, [SeasonEvent()], [[0]], [], SeasonRules())
    >>> position_chances(season, Strengths.equal(2), n_runs=4, rng=np.random.default_rng(1)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    chances = np.zeros((season.n_players, season.n_players))
    # Without a night to come every run is the same.
    n_runs = n_runs if season.to_come else 1
    size = len(season.results) + season.n_players * len(season.to_come)
    per_batch = max(1, BATCH // max(size, 1))
    for first in range(0, n_runs, per_batch):
        n = min(per_batch, n_runs - first)
        _add_positions(chances, _sort_keys(season, _played(season, strengths, n, rng), n))
    return chances / n_runs


def drawn_toward_even(chances: Floats, trust: float) -> Floats:
    """Draw chances of positions toward even ones, among the positions that each player can still reach.

    Parameters
    ----------
    chances : float64, shape (n_players, n_players)
        As of `position_chances`.
    trust : float
        Share of the distance from even chances that is kept, 0 to 1.

    Returns
    -------
    float64, shape (n_players, n_players)
        Rows and columns sum to 1; what was 0 stays 0, and what was certain stays certain.

    References
    ----------
    .. [1] R. Sinkhorn, "A relationship between arbitrary positive matrices and doubly stochastic matrices", Annals of
       Mathematical Statistics 35 (1964), 876-879: even chances are the limit of scaling rows and columns in turn.

    Examples
    --------
    >>> drawn_toward_even(np.array([[0.9, 0.1], [0.1, 0.9]]), 0.5).tolist()
    [[0.7, 0.3], [0.3, 0.7]]
    """
    even = (chances > 0).astype(np.float64)
    for _round in range(SCALINGS):
        even /= even.sum(axis=0)
        even /= even.sum(axis=1, keepdims=True)
    return trust * chances + (1.0 - trust) * even


def _played(season: SeasonSoFar, strengths: Strengths, n: int, rng: np.random.Generator) -> SeasonResults:
    """Simulate `n` runs of the season in one table: player i of run r is r * n_players + i."""
    runs, size = np.arange(n), len(season.results)
    base = np.repeat(runs * season.n_players, size)
    columns = [
        [np.tile(season.results.player_id, n) + base],
        *(
            [np.tile(getattr(season.results, name), n)]
            for name in ("event_index", "points", "n_entries", "place")
        ),
    ]
    skill = strengths.mean + strengths.steady * rng.standard_normal((n, season.n_players))
    n_events = len(season.events)
    width = max(map(len, season.nights), default=0)
    for night in range(len(season.to_come)):
        drawn = rng.integers(len(season.nights), size=n)
        for template, events in enumerate(season.nights):
            chosen = np.flatnonzero(drawn == template)
            for slot, event in enumerate(events):
                new = _event_again(season, event, skill[chosen], strengths, rng)
                player = new[0] + (chosen * season.n_players)[:, np.newaxis]
                index = np.full(player.shape, n_events + night * width + slot)
                for column, part in zip(columns, (player, index, *new[1:]), strict=True):
                    column.append(part.ravel())
    player_id, event_index, points, n_entries, place = map(np.concatenate, columns)
    return SeasonResults(player_id, event_index, points, n_entries, place, season.results.unit)


def _event_again(
    season: SeasonSoFar, event: int, skill: Floats, strengths: Strengths, rng: np.random.Generator
) -> tuple[npt.NDArray[Any], ...]:
    """Play an event once more in each run: players best first, points, entries and places, each (n_runs, n_entered)."""
    field = season.results.where(season.results.event_index == event)
    field = field.where(np.argsort(field.place, kind="stable"))
    shape = (len(skill), len(field))
    form = rng.standard_normal(shape)
    performance = skill[:, field.player_id] + strengths.nightly[field.player_id] * form
    if strengths.luck:
        performance = np.where(rng.random(shape) < strengths.mishap, FAR * form, performance)
    order = np.argsort(-performance, axis=1)
    # Entries belong to the player, points and places to the place.
    entries = field.n_entries[order]
    points, place = (np.broadcast_to(column, shape) for column in (field.points, field.place))
    return field.player_id[order], points, entries, place


def _sort_keys(season: SeasonSoFar, results: SeasonResults, n: int) -> Iterator[Floats]:
    """Compute each run's sort keys from season sums, most important first, each of shape (n, n_players)."""
    rules, width = season.rules, max(map(len, season.nights), default=0)
    events = [*season.events, *(event for event in season.to_come for _slot in range(width))]
    scale = Scale(results, rules, events, season.brought_forward)
    scored, paid = scale.scored(results), scale.paid(results)
    verdicts = select(results.player_id, results.event_index, scored, rules, events, len(events))
    size = n * season.n_players

    def total(values: npt.NDArray[Any] | None = None) -> Floats:
        weights = None if values is None else values.astype(np.float64)
        sums = np.bincount(results.player_id, weights=weights, minlength=size)
        return sums.astype(np.float64).reshape(n, season.n_players)

    points, n_events = total(np.where(verdicts < BELOW_MONTH_BEST, scored, 0)), total()
    all_points, n_entries, wins = total(paid), total(results.n_entries), total(results.place == 1)
    for brought in season.brought_forward:
        worth = float(scale.whole(brought.points))
        for sums, value in (
            (points, worth), (all_points, worth), (n_events, brought.n_events), (n_entries, brought.n_entries),
            (wins, brought.wins),
        ):  # fmt: skip
            sums[:, brought.player_id] += value
    keys = {
        "points": points,
        "wins": wins,
        "events": n_events,
        "profit": (all_points - scale.unit * rules.stake * n_entries) / np.maximum(n_events, 1.0),
        "alphabetical": np.broadcast_to(_by_name(season), points.shape),
    }
    yield points + scale.whole(rules.attendance_points) * n_events
    for name in rules.tie_breaks:
        if name not in keys:
            return
        yield keys[name]


def _by_name(season: SeasonSoFar) -> Floats:
    order = np.argsort(np.array(season.names or [""] * season.n_players), kind="stable")
    keys = np.zeros(season.n_players)
    keys[order] = -np.arange(season.n_players)
    return keys


def _add_positions(chances: Floats, keys: Iterator[Floats]) -> None:
    """Add the positions of each run; players level on all keys share theirs."""
    columns = list(keys)
    n_players = len(chances)
    order = np.lexsort([-column for column in reversed(columns)], axis=1)
    differs = np.zeros(order.shape, dtype=bool)
    for column in columns:
        ordered = np.take_along_axis(column, order, axis=1)
        differs[:, 1:] |= ordered[:, 1:] != ordered[:, :-1]
    level = np.cumsum(differs, axis=1) + np.arange(len(order))[:, np.newaxis] * n_players
    _which, group, size = np.unique(level.ravel(), return_inverse=True, return_counts=True)
    position = np.tile(np.arange(n_players), len(order))
    first = np.full(size.size, n_players)
    np.minimum.at(first, group, position)
    player = order.ravel()
    for offset in range(int(size.max())):
        wide = size[group] > offset
        at = first[group][wide] + offset
        np.add.at(chances, (player[wide], at), 1.0 / size[group][wide])
