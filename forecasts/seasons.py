"""The odds of a season's title: what is read for them, and the figures that are stored."""

import hashlib
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from forecasts.histories import noise_of
from forecasts.quality import Correction
from league.models import PoolKind, Season
from league.schedule import Left, left_of
from payouts.engine.results import SeasonResults
from payouts.engine.seasons.season import SeasonEvent
from ratings.models import RatedEntry, RatedGame
from ratings.queries import applied_eras
from standings.recomputation.season import SeasonInput, read_season, results_of

if TYPE_CHECKING:
    from forecasts.engine.titles import SeasonSoFar, Strengths

RUNS_NOW, RUNS_BEFORE = 10_000, 1_000
MOST_NIGHTS = 12  # for which the odds of earlier are computed
MOST_RESULTS = 100_000  # of a season; a larger one takes minutes
METHOD = 3  # raise it when the same data give other odds
Rating = tuple[float, float]


@dataclass(frozen=True)
class ReadSeason:
    """A season with its nights, what is to come, and the ratings after each event."""

    season: Season
    read: SeasonInput
    results: SeasonResults
    nights: list[list[int]]  # indices of events
    left: Left | None  # None if nobody knows how many nights
    to_come: list[SeasonEvent] | None
    ratings: dict[tuple[int, int], Rating]  # by event index and player
    noise: float

    @property
    def has_ended(self) -> bool:
        return self.left is not None and self.left.is_planned and not self.left.n

    def digest(self, trust: float) -> str:
        """Digest what the odds follow from; of an ended season, nothing is drawn toward even."""
        results = self.results
        columns = (results.player_id, results.event_index, results.n_entries, results.place)
        parts = (
            METHOD,
            [column.tolist() for column in (*columns, results.points)],
            results.unit,
            self.nights,
            self.left and (self.left.days, self.left.is_planned, trust if self.left.n else 1.0),
            self.read.rules,
            [event.counts_as for event in self.read.events],
            self.read.brought_forward,
            sorted(self.ratings.items()),
            self.noise,
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()


def read_for_odds(season: Season, now: datetime) -> ReadSeason | None:
    """Read a season; None if it has no results, too many, or some without points."""
    read = read_season(season)
    if not len(read.entries) or len(read.entries) > MOST_RESULTS or not read.entries.denominator.all():
        return None
    held = set(read.entries.event_index.tolist())
    nights: dict[Any, list[int]] = {}
    for index, event in enumerate(read.events):
        if index in held:
            nights.setdefault(event.meet_id or (index,), []).append(index)
    left = left_of(season, now)
    return ReadSeason(
        season,
        read,
        results_of(read.entries),
        list(nights.values()),
        left,
        _to_come(left),
        _ratings(season, {event.pk: index for index, event in enumerate(read.events)}),
        noise_of(season.pool, applied_eras(season.pool_id)[-1]),
    )


def _ratings(season: Season, index: dict[int, int]) -> dict[tuple[int, int], Rating]:
    """Read what each player was rated after each event of the season."""
    if season.pool.kind == PoolKind.PROFIT:
        games = RatedGame.objects.filter(pool=season.pool_id, event__season=season).order_by("pk")
        rows = games.values_list("event_id", "player_id", "r_after")
        return {(index[event], player): (r, 0.0) for event, player, r in rows if event in index}
    entries = RatedEntry.objects.filter(pool=season.pool_id, event__season=season).order_by("number", "pk")
    columns = entries.values_list("event_id", "player_id", "posterior_mu", "posterior_sigma")
    return {(index[event], player): (mu, sigma) for event, player, mu, sigma in columns if event in index}


def _to_come(left: Left | None) -> list[SeasonEvent] | None:
    """List the nights to come with how they count; None if nobody knows how many."""
    return [SeasonEvent(month=f"{day:%Y-%m}") for day in left.days] if left else None


def odds_figures(
    read: ReadSeason, correction_at: Callable[[datetime], Correction], trust: float = 1.0
) -> dict[str, Any]:
    """Compute the odds now and after earlier nights; empty if the number of remaining nights is unknown.

    `correction_at` gives that of chances by moment; `trust` is how much of a chance's distance from an even one came
    true in seasons that have ended. The random numbers follow from the data.
    """
    from forecasts.engine.titles import Strengths, drawn_toward_even, position_chances

    if read.to_come is None:
        return {}
    seed = int(read.digest(trust)[:16], 16)
    before = []
    for night in _chosen(len(read.nights) - 1):
        rng = np.random.default_rng([seed, night])
        players, so_far, strengths = _after(read, night, correction_at)
        chances = position_chances(so_far, strengths, n_runs=RUNS_BEFORE, rng=rng)
        before.append({"night": night, "odds": _titles(players, chances)})
    players, so_far, strengths = _after(read, len(read.nights), correction_at)
    rng = np.random.default_rng([seed, len(read.nights)])
    chances = position_chances(so_far, strengths, n_runs=RUNS_NOW, rng=rng)
    equal = position_chances(so_far, Strengths.equal(len(players)), n_runs=RUNS_NOW, rng=rng)
    return {
        "days": [
            read.read.events[night[0]].starts_at.astimezone(read.season.club.tz).date().isoformat()
            for night in read.nights
        ],
        "n_to_come": len(read.to_come),
        "left": [day.isoformat() for day in read.left.days] if read.left else [],
        "is_planned": read.left is not None and read.left.is_planned,
        "has_ended": read.has_ended,
        "players": players,
        "trust": trust,
        "raw": chances[:, 0].round(4).tolist(),
        "chances": drawn_toward_even(chances, trust).round(4).tolist(),
        "equal": equal[:, 0].round(4).tolist(),
        "before": before,
    }


def _chosen(last: int) -> list[int]:
    """Choose at most MOST_NIGHTS numbers of nights from 1 to the last one, evenly."""
    if last < 1:
        return []
    return sorted({round(night) for night in np.linspace(1, last, min(last, MOST_NIGHTS)).tolist()})


def _titles(players: list[int], chances: Any) -> dict[str, float]:
    return {str(player): round(float(row[0]), 4) for player, row in zip(players, chances, strict=True)}


def _after(
    read: ReadSeason, n_nights: int, correction_at: Callable[[datetime], Correction]
) -> tuple[list[int], "SeasonSoFar", "Strengths"]:
    """Build the season as known after its first `n_nights` nights; the later nights are still to come."""
    from forecasts.engine.titles import SeasonSoFar

    nights = read.nights[:n_nights]
    held = sorted(index for night in nights for index in night)
    number = {index: i for i, index in enumerate(held)}
    results = read.results.where(np.isin(read.results.event_index, held))
    brought = read.read.brought_forward
    players = sorted({*results.player_id.tolist(), *(totals.player_id for totals in brought)})
    place = {player: i for i, player in enumerate(players)}
    later = [read.read.events[night[0]].counts_as for night in read.nights[n_nights:]]
    so_far = SeasonSoFar(
        n_players=len(players),
        results=SeasonResults(
            np.searchsorted(players, results.player_id),
            np.searchsorted(held, results.event_index),
            results.points,
            results.n_entries,
            results.place,
            results.unit,
        ),
        events=[read.read.events[index].counts_as for index in held],
        nights=[[number[index] for index in night] for night in nights],
        to_come=[*later, *(read.to_come or ())],
        rules=read.read.rules,
        brought_forward=[
            type(totals)(
                place[totals.player_id], totals.points, totals.n_events, totals.n_entries, totals.wins
            )
            for totals in brought
        ],
        names=[read.read.sort_keys.get(player, "") for player in players],
    )
    next_night = read.nights[n_nights][0] if n_nights < len(read.nights) else None
    moment = read.read.events[next_night if next_night is not None else held[-1]].starts_at
    return players, so_far, _strengths(read, players, held, correction_at(moment))


def _strengths(read: ReadSeason, players: list[int], held: list[int], correction: Correction) -> "Strengths":
    """Read the ratings after the last held event; players without a rating get the mean."""
    from forecasts.engine.titles import Strengths

    known: dict[int, Rating] = {}
    for (event, player), rating in sorted(read.ratings.items()):
        if bisect_left(held, event) < len(held) and event <= held[-1]:
            known[player] = rating
    mean = float(np.mean([mu for mu, _sigma in known.values()])) if known else 0.0
    mu, sigma = np.array([known.get(player, (mean, 0.0)) for player in players], dtype=np.float64).T
    return Strengths.corrected(mu, sigma, read.noise, scale=correction.scale, luck=correction.luck)
