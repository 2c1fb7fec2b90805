"""Rating a pool: read what changed, replay it, write the rows. The caller holds the pool's lock."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from league.models import Entry
from ratings.engine.tier import TierParams
from ratings.models import PlayerRating, RatedEntry

if TYPE_CHECKING:
    from ratings.engine.replay import History, PoolState, Replay

BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
BATCH = 2_000
SECONDS_PER_DAY = 86_400.0
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class PoolInput:
    """Everything a rating needs, read at one moment: `history` is rated from `start` on."""

    pool_id: int
    since: datetime
    event_ids: list[int]
    starts: list[datetime]
    player_ids: list[int]  # by the index the engine knows them by
    last_at: list[datetime | None]  # of each player, before `since`
    history: "History"
    start: "PoolState"


@dataclass(frozen=True)
class Rerating:
    """Rows that replace those of the pool from `since` on."""

    pool_id: int
    since: datetime
    rated: list[RatedEntry]
    ratings: list[PlayerRating]
    unrated_player_ids: list[int]


def read_pool(pool_id: int, *, since: datetime) -> PoolInput:
    """Read the entries to rate and the state they start from."""
    from ratings.engine.replay import History

    rows = list(
        Entry.objects.filter(event__season__pool=pool_id, event__starts_at__gte=since, is_last=True)
        .order_by("event__starts_at", "event_id", "place", "player_id")
        .values_list("event_id", "event__starts_at", "player_id", "place")
    )
    event_ids, starts, offset = _group_events(rows)
    player_ids = sorted({row[2] for row in rows} | _once_rated(pool_id, since))
    index = {player_id: i for i, player_id in enumerate(player_ids)}
    places = np.array([row[3] for row in rows], dtype=np.int64)
    start, last_at = _start_state(pool_id, since, player_ids, index)
    history = History(
        day=np.array([_days(moment) for moment in starts], dtype=np.float64),
        offset=offset,
        player=np.array([index[row[2]] for row in rows], dtype=np.int64),
        place=_places_among_players(places, offset),
    )
    return PoolInput(pool_id, since, event_ids, starts, player_ids, last_at, history, start)


def rate_pool(pool: PoolInput, params: TierParams, *, progress: Progress | None = None) -> Rerating:
    """Replay the history; no database."""
    from ratings.engine.replay import replay

    replayed = replay(pool.history, pool.start, params, progress=progress)
    last_at = list(pool.last_at)
    n_before = pool.start.n_entries.astype(int).tolist()
    rated = _rated_entries(pool, replayed, last_at, n_before)
    ratings, unrated = [], []
    for i, player_id in enumerate(pool.player_ids):
        played_at = last_at[i]
        if played_at is None:
            unrated.append(player_id)
            continue
        ratings.append(
            PlayerRating(
                pool_id=pool.pool_id,
                player_id=player_id,
                mu=float(replayed.state.mu[i]),
                sigma=float(replayed.state.sigma[i]),
                n_events=n_before[i],
                last_at=played_at,
            )
        )
    return Rerating(pool.pool_id, pool.since, rated, ratings, unrated)


def write_rerating(rerating: Rerating) -> None:
    """Replace the pool's rows from `since` on. Inside the caller's transaction."""
    RatedEntry.objects.filter(pool=rerating.pool_id, starts_at__gte=rerating.since).delete()
    RatedEntry.objects.bulk_create(rerating.rated, batch_size=BATCH)
    PlayerRating.objects.filter(pool=rerating.pool_id, player__in=rerating.unrated_player_ids).delete()
    PlayerRating.objects.bulk_create(
        rerating.ratings,
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["pool", "player"],
        update_fields=["mu", "sigma", "n_events", "last_at"],
    )


def _days(moment: datetime) -> float:
    return moment.timestamp() / SECONDS_PER_DAY


def _group_events(
    rows: Sequence[tuple[int, datetime, int, int]],
) -> tuple[list[int], list[datetime], NDArray[np.int64]]:
    event_ids: list[int] = []
    starts: list[datetime] = []
    offset: list[int] = []
    for i, (event_id, starts_at, _player, _place) in enumerate(rows):
        if not event_ids or event_ids[-1] != event_id:
            event_ids.append(event_id)
            starts.append(starts_at)
            offset.append(i)
    return event_ids, starts, np.array([*offset, len(rows)], dtype=np.int64)


def _places_among_players(places: NDArray[np.int64], offset: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places of last entries, counted again without the earlier entries between them: ties 1-2-2-4.

    `places` is in order within each event, so a player's place is the position of the first of his equals.
    """
    position = np.arange(places.size, dtype=np.int64)
    first_of_event = np.zeros(places.size, dtype=bool)
    first_of_event[offset[:-1]] = True
    is_new = first_of_event.copy()
    is_new[1:] |= places[1:] != places[:-1]
    leader = np.maximum.accumulate(np.where(is_new, position, 0))
    event_start = np.maximum.accumulate(np.where(first_of_event, position, 0))
    return leader - event_start + 1


def _once_rated(pool_id: int, since: datetime) -> set[int]:
    rows = RatedEntry.objects.filter(pool=pool_id, starts_at__gte=since)
    return set(rows.order_by().values_list("player_id", flat=True).distinct())


def _start_state(
    pool_id: int, since: datetime, player_ids: list[int], index: dict[int, int]
) -> tuple["PoolState", list[datetime | None]]:
    """The state just before `since`: a player's rating now, or the prior of his first rated entry to be replaced."""
    from ratings.engine.replay import PoolState

    fresh = PoolState.fresh(len(player_ids), TierParams())
    mu, sigma = fresh.mu.copy(), fresh.sigma.copy()
    n_entries = fresh.n_entries.copy()
    last_at: list[datetime | None] = [None] * len(player_ids)
    now = PlayerRating.objects.filter(pool=pool_id).values_list(
        "player_id", "mu", "sigma", "n_events", "last_at"
    )
    replaced = (
        RatedEntry.objects.filter(pool=pool_id, starts_at__gte=since)
        .order_by("-starts_at", "-event_id")  # the first entry of a player comes last and stands
        .values_list("player_id", "prior_mu", "prior_sigma", "n_before", "last_at")
    )
    if since > BEGINNING:
        for rows in (now, replaced):
            for player_id, a_mu, a_sigma, n, at in rows.iterator(BATCH):
                if (i := index.get(player_id)) is not None:
                    mu[i], sigma[i], n_entries[i], last_at[i] = a_mu, a_sigma, n, at
    last_day = np.array([np.nan if moment is None else _days(moment) for moment in last_at], dtype=np.float64)
    return PoolState(mu=mu, sigma=sigma, last_day=last_day, n_entries=n_entries), last_at


def _rated_entries(
    pool: PoolInput, replayed: "Replay", last_at: list[datetime | None], n_before: list[int]
) -> list[RatedEntry]:
    """Rows in the order of rating; leaves last_at and n_before as they are after the last event."""
    players, places = pool.history.player.tolist(), pool.history.place.tolist()
    offset = pool.history.offset.tolist()
    columns = [
        values.tolist()
        for values in (
            replayed.prior_mu,
            replayed.prior_sigma,
            replayed.posterior_mu,
            replayed.posterior_sigma,
        )
    ]
    rated = []
    for e, (event_id, starts_at) in enumerate(zip(pool.event_ids, pool.starts, strict=True)):
        for k in range(offset[e], offset[e + 1]):
            i = players[k]
            prior_mu, prior_sigma, posterior_mu, posterior_sigma = (column[k] for column in columns)
            rated.append(
                RatedEntry(
                    pool_id=pool.pool_id,
                    event_id=event_id,
                    player_id=pool.player_ids[i],
                    starts_at=starts_at,
                    place=places[k],
                    field_size=offset[e + 1] - offset[e],
                    n_before=n_before[i],
                    last_at=last_at[i],
                    prior_mu=prior_mu,
                    prior_sigma=prior_sigma,
                    posterior_mu=posterior_mu,
                    posterior_sigma=posterior_sigma,
                )
            )
            last_at[i] = starts_at
            n_before[i] += 1
    return rated
