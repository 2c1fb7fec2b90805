"""Rate a pool again: read the events, replay them, write the rows. The caller holds the pool's lock."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time
from typing import TYPE_CHECKING, Any

import numpy as np

from league.bulk import insert_columns
from league.models import Entry, Event, Pool
from league.services.changes import BEGINNING
from ratings.engine.errors import BadEventError
from ratings.engine.tier import TierParams, badges, is_provisional, rate
from ratings.histories import EntryRow, EventRow, days, event_history
from ratings.models import PlayerRating, RatedEntry, RatingSettings
from ratings.queries import params_of, wanted_settings

if TYPE_CHECKING:
    from ratings.engine.history import EventHistory
    from ratings.engine.pipeline import TierReplay
    from ratings.engine.pool_state import PoolState

BATCH = 2_000
Columns = dict[str, list[Any]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class PoolInput:
    """Input of a rerating, read at one moment: `history` is replayed from `start_state`."""

    pool_id: int
    since: datetime
    settings: RatingSettings | None
    params: TierParams
    event_ids: list[int]
    event_starts: list[datetime]
    player_ids: list[int]  # by the engine's index
    last_at: list[datetime | None]  # of each player, before `since`
    history: "EventHistory"
    start_state: "PoolState"


@dataclass(frozen=True)
class Rerating:
    """Rows that replace those of the pool from `since` on, by column."""

    pool_id: int
    since: datetime
    settings: RatingSettings | None
    rated: Columns  # of RatedEntry, in the order of rating
    ratings: Columns  # of PlayerRating
    unrated_player_ids: list[int]


def read_pool(pool_id: int, *, since: datetime) -> PoolInput:
    """Read the settings, the entries to rate and the state they start from."""
    settings = wanted_settings(pool_id)
    entries = list(
        Entry.objects.filter(event__season__pool=pool_id, event__starts_at__gte=since)
        .order_by("event__starts_at", "event_id", "number", "place", "pk")
        .values_list("event_id", "player_id", "number", "place", "registered_at", "busted_at")
    )
    events = _read_events(pool_id, since, {row[0] for row in entries})
    event_index = {event_id: e for e, event_id in enumerate(events)}
    player_ids = sorted({row[1] for row in entries} | _rated_player_ids(pool_id, since))
    index = {player_id: i for i, player_id in enumerate(player_ids)}
    start, last_at = _start_state(pool_id, since, player_ids, index, params_of(settings))
    return PoolInput(
        pool_id=pool_id,
        since=since,
        settings=settings,
        params=params_of(settings),
        event_ids=list(events),
        event_starts=[event.starts_at for event in events.values()],
        player_ids=player_ids,
        last_at=last_at,
        history=_history(
            events, player_ids, [EntryRow(event_index[row[0]], index[row[1]], *row[2:]) for row in entries]
        ),
        start_state=start,
    )


def rate_pool(pool: PoolInput, *, progress: Progress | None = None) -> Rerating:
    """Replay the history, without the database."""
    from ratings.engine.figures import figures_of
    from ratings.engine.pipeline import replay_events

    replayed = replay_events(pool.history, pool.start_state, pool.params, progress=progress)
    rated = figures_of(replayed) | _carried_state(pool, replayed) | _rates_and_badges(replayed)
    event = np.repeat(np.arange(len(pool.event_ids)), np.diff(pool.history.offset)).tolist()
    player = pool.history.player.tolist()
    rated["pool_id"] = [pool.pool_id] * len(player)
    rated["event_id"] = [pool.event_ids[e] for e in event]
    rated["starts_at"] = [pool.event_starts[e] for e in event]
    rated["player_id"] = [pool.player_ids[i] for i in player]
    ratings, unrated = _ratings(pool, replayed, dict(zip(player, rated["starts_at"], strict=True)))
    return Rerating(pool.pool_id, pool.since, pool.settings, rated, ratings, unrated)


def write_rerating(rerating: Rerating) -> None:
    """Replace the pool's rows from `since` on, inside the caller's transaction."""
    RatedEntry.objects.filter(pool=rerating.pool_id, starts_at__gte=rerating.since).delete()
    insert_columns(RatedEntry, rerating.rated)
    ratings = PlayerRating.objects.filter(pool=rerating.pool_id)
    if rerating.since > BEGINNING:
        ratings = ratings.filter(player__in=[*rerating.ratings["player_id"], *rerating.unrated_player_ids])
    ratings.delete()
    insert_columns(PlayerRating, rerating.ratings)
    _put_in_force(rerating)


def _put_in_force(rerating: Rerating) -> None:
    revisions = RatingSettings.objects.filter(pool=rerating.pool_id)
    if rerating.settings and not rerating.settings.is_in_force:
        revisions.filter(is_in_force=True).update(is_in_force=False)
        revisions.filter(pk=rerating.settings.pk).update(is_in_force=True)


def _read_events(pool_id: int, since: datetime, with_entries: Iterable[int]) -> dict[int, EventRow]:
    """Read the events that have entries, by id, in rating order."""
    tz = Pool.objects.select_related("club").get(pk=pool_id).club.tz
    rows = (
        Event.objects.filter(season__pool=pool_id, starts_at__gte=since)
        .in_rating_order()
        .values_list(
            "pk", "starts_at", "ends_at", "closes_at", "table_size", "final_table_size", "season__starts_on"
        )
    )
    return {
        pk: EventRow(start, end, closes, seats, last_seats, datetime.combine(season_on, time(), tzinfo=tz))
        for pk, start, end, closes, seats, last_seats, season_on in rows
        if pk in with_entries
    }


def _history(events: dict[int, EventRow], player_ids: list[int], entries: list[EntryRow]) -> "EventHistory":
    try:
        return event_history(list(events.values()), entries)
    except BadEventError as error:
        who = "" if error.player is None else f", player {player_ids[error.player]}"
        raise ValueError(f"event {list(events)[error.event]}{who}: {error.problem}") from error


def _rated_player_ids(pool_id: int, since: datetime) -> set[int]:
    rows = RatedEntry.objects.filter(pool=pool_id, starts_at__gte=since)
    return set(rows.order_by().values_list("player_id", flat=True).distinct())


def _start_state(
    pool_id: int, since: datetime, player_ids: list[int], index: dict[int, int], params: TierParams
) -> tuple["PoolState", list[datetime | None]]:
    """Read each player's state before `since`.

    It is stored with the player's first rated entry from `since` on; without one it is the present rating.
    """
    from ratings.engine.pool_state import PoolState

    fresh = PoolState.fresh(len(player_ids), params)
    mu, sigma = fresh.mu.copy(), fresh.sigma.copy()
    n_entries = fresh.n_entries.copy()
    last_at: list[datetime | None] = [None] * len(player_ids)
    now = PlayerRating.objects.filter(pool=pool_id).values_list(
        "player_id", "mu", "sigma", "n_entries", "last_at"
    )
    replaced = (
        RatedEntry.objects.filter(pool=pool_id, starts_at__gte=since)
        .order_by("-starts_at", "-event_id", "-number")  # A player's first entry comes last and wins.
        .values_list("player_id", "carried_mu", "carried_sigma", "n_carried", "last_at")
    )
    if since > BEGINNING:
        for rows in (now, replaced):
            for player_id, a_mu, a_sigma, n, at in rows.iterator(BATCH):
                if (i := index.get(player_id)) is not None:
                    mu[i], sigma[i], n_entries[i], last_at[i] = a_mu, a_sigma, n, at
    last_day = np.array([days(moment) for moment in last_at], dtype=np.float64)
    return PoolState(mu=mu, sigma=sigma, last_day=last_day, n_entries=n_entries), last_at


def _carried_state(pool: PoolInput, replayed: "TierReplay") -> Columns:
    """State of the player before each entry: after the entry before it, or at the start of the replay."""
    history = pool.history
    event = np.repeat(np.arange(history.n_events), np.diff(history.offset))
    order = np.lexsort((history.number, event, history.player))
    before = np.full(order.size, -1)
    same = history.player[order][1:] == history.player[order][:-1]
    before[order[1:][same]] = order[:-1][same]
    is_first, player = before < 0, history.player
    starts, last_at = np.array(pool.event_starts, dtype=object), np.array(pool.last_at, dtype=object)
    n_after = replayed.n_before + 1
    columns = {
        "carried_mu": np.where(is_first, pool.start_state.mu[player], replayed.posterior_mu[before]),
        "carried_sigma": np.where(is_first, pool.start_state.sigma[player], replayed.posterior_sigma[before]),
        "n_carried": np.where(is_first, pool.start_state.n_entries[player], n_after[before]),
        "last_at": np.where(is_first, last_at[player], starts[event[before]]),
    }
    return {name: values.tolist() for name, values in columns.items()}


def _rates_and_badges(replayed: "TierReplay") -> Columns:
    """Rates, badges and whether the players are in placement."""
    params = replayed.params
    posterior = rate(replayed.posterior_mu, replayed.posterior_sigma, params)
    return {
        "prior_rate": rate(replayed.prior_mu, replayed.prior_sigma, params).tolist(),
        "posterior_rate": posterior.tolist(),
        "badge": badges(posterior, params),
        "is_provisional": (replayed.n_before + 1 < params.provisional_entries).tolist(),
    }


def _ratings(
    pool: PoolInput, replayed: "TierReplay", played_at: dict[int, datetime]
) -> tuple[Columns, list[int]]:
    """Columns of PlayerRating for players with a rated entry, and the ids of the players without one."""
    last_at = [played_at.get(i, before) for i, before in enumerate(pool.last_at)]
    rated = np.array([i for i, at in enumerate(last_at) if at is not None], dtype=np.int64)
    state = replayed.state
    rates = rate(state.mu[rated], state.sigma[rated], pool.params)
    n_entries = state.n_entries[rated].tolist()
    columns = {
        "pool_id": [pool.pool_id] * rated.size,
        "player_id": [pool.player_ids[i] for i in rated.tolist()],
        "mu": state.mu[rated].tolist(),
        "sigma": state.sigma[rated].tolist(),
        "rate": rates.tolist(),
        "badge": badges(rates, pool.params),
        "n_entries": n_entries,
        "is_provisional": [is_provisional(n, pool.params) for n in n_entries],
        "last_at": [last_at[i] for i in rated.tolist()],
    }
    return columns, [pool.player_ids[i] for i, at in enumerate(last_at) if at is None]
