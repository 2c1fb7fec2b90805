"""Rate a pool again: read the events and replay them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np
from django.db.models import Q

from league.models import BEGINNING, Entry, Event
from ratings.engine.errors import BadEventError
from ratings.engine.tier.badges import badges
from ratings.engine.tier.params import TierParams, is_provisional, rate
from ratings.histories import EntryRow, EventRow, days, event_history
from ratings.models import PlayerRating, RatedEntry, RatingSettings
from ratings.queries import BroughtRow, Era, brought_ratings, eras_of
from ratings.services.eras import divided, present_era, revisions_to_rate
from ratings.services.rows import BATCH, END, Columns, Progress, RatedRows, joined, players_to_write

if TYPE_CHECKING:
    from ratings.engine.history import EventHistory
    from ratings.engine.tier.pipeline import TierReplay
    from ratings.engine.tier.pool_state import PoolState


@dataclass(frozen=True)
class Part:
    """Consecutive events that are rated by the same parameters."""

    params: TierParams
    event_ids: list[int]
    event_starts: list[datetime]
    history: "EventHistory"


@dataclass(frozen=True)
class PoolInput:
    """Input of a rerating, read at one moment: the parts are replayed one after the other from `start_state`."""

    pool_id: int
    since: datetime
    revisions: list[RatingSettings]
    present: Era  # that of the pool's last event
    parts: list[Part]  # at least one
    player_ids: list[int]  # by the engine's index
    last_at: list[datetime | None]  # of each player, before `since`
    start_state: "PoolState"


class Rerating(RatedRows):
    """Rows of TIER."""

    rated_model = RatedEntry
    rating_model = PlayerRating


def read_pool(pool_id: int, *, since: datetime, until: datetime = END) -> PoolInput:
    """Read the settings, the entries to rate and the state they start from."""
    revisions = revisions_to_rate(pool_id)
    eras = eras_of(revisions)
    present = present_era(pool_id, eras)
    entries = list(
        Entry.objects.filter(event__pool=pool_id, event__starts_at__gte=since, event__starts_at__lt=until)
        .order_by("event__starts_at", "event_id", "number", "place", "pk")
        .values_list("event_id", "player_id", "number", "place", "registered_at", "busted_at")
    )
    events = _read_events(pool_id, since, {row[0] for row in entries})
    without_entry = players_to_write(Rerating, pool_id, since, revisions, present)
    player_ids = sorted({row[1] for row in entries} | without_entry)
    index = {player_id: i for i, player_id in enumerate(player_ids)}
    start, last_at = _start_state(pool_id, since, player_ids, index, eras[0].params)
    start = _with_brought(start, last_at, brought_ratings(pool_id), index)
    return PoolInput(
        pool_id=pool_id,
        since=since,
        revisions=revisions,
        present=present,
        parts=_parts(eras, events, player_ids, [(row[0], index[row[1]], *row[2:]) for row in entries]),
        player_ids=player_ids,
        last_at=last_at,
        start_state=start,
    )


def rate_pool(pool: PoolInput, *, progress: Progress | None = None) -> Rerating:
    """Replay the history, without the database."""
    from ratings.engine.tier.figures import figures_of
    from ratings.engine.tier.pipeline import replay_events

    state, last_at, n_done = pool.start_state, pool.last_at, 0
    n_events = sum(len(part.event_ids) for part in pool.parts)
    columns: list[Columns] = []
    for part in pool.parts:
        start = state.with_newcomers(part.params)
        report = counting_on(progress, n_done, n_events)
        replayed = replay_events(part.history, start, part.params, progress=report)
        rated = figures_of(replayed) | _carried_state(part, start, last_at, replayed)
        columns.append(rated | _rates_and_badges(replayed) | _names(pool, part))
        played_at = dict(zip(part.history.player.tolist(), columns[-1]["starts_at"], strict=True))
        last_at = [played_at.get(i, before) for i, before in enumerate(last_at)]
        state, n_done = replayed.state, n_done + len(part.event_ids)
    ratings, unrated = _ratings(pool, state, last_at)
    return Rerating(pool.pool_id, pool.since, pool.revisions, pool.present, joined(columns), ratings, unrated)


def _parts(
    eras: list[Era], events: dict[int, EventRow], player_ids: list[int], entries: list[tuple[Any, ...]]
) -> list[Part]:
    """Divide events and their entries, both in rating order, by the eras; an era without events has no part.

    Without any event there are only empty parts.
    """
    rows = {event_id: list(group) for event_id, group in groupby(entries, key=itemgetter(0))}
    starts = [event.starts_at for event in events.values()]
    parts = []
    for era, first, end in divided(starts, eras):
        own = dict(islice(events.items(), first, end))
        entered = [EntryRow(e, *row[1:]) for e, event_id in enumerate(own) for row in rows[event_id]]
        parts.append(Part(era.params, list(own), starts[first:end], _history(own, player_ids, entered)))
    return parts


def counting_on(progress: Progress | None, n_before: int, n_events: int) -> Progress | None:
    return progress and (lambda n_done, _n: progress(n_before + n_done, n_events))


def _names(pool: PoolInput, part: Part) -> Columns:
    """Build the columns that identify pool, event, start and player of each row."""
    event = np.repeat(np.arange(len(part.event_ids)), np.diff(part.history.offset)).tolist()
    return {
        "pool_id": [pool.pool_id] * len(event),
        "event_id": [part.event_ids[e] for e in event],
        "starts_at": [part.event_starts[e] for e in event],
        "player_id": [pool.player_ids[i] for i in part.history.player.tolist()],
    }


def _read_events(pool_id: int, since: datetime, with_entries: Iterable[int]) -> dict[int, EventRow]:
    """Read the events that have entries, by id, in rating order."""
    own = ("starts_at", "ends_at", "closes_at", "table_size", "final_table_size")
    of_season = ("season__starts_on", "season__club__time_zone")
    events = Event.objects.filter(pool=pool_id, starts_at__gte=since).in_rating_order()
    rows = events.values_list("pk", *own, *of_season)
    return {
        pk: EventRow(start, end, closes, seats, last_seats, datetime.combine(day, time(), ZoneInfo(zone)))
        for pk, start, end, closes, seats, last_seats, day, zone in rows
        if pk in with_entries
    }


def _history(events: dict[int, EventRow], player_ids: list[int], entries: list[EntryRow]) -> "EventHistory":
    try:
        return event_history(list(events.values()), entries)
    except BadEventError as error:
        who = "" if error.player is None else f", player {player_ids[error.player]}"
        raise ValueError(f"event {list(events)[error.event]}{who}: {error.problem}") from error


def _start_state(
    pool_id: int, since: datetime, player_ids: list[int], index: dict[int, int], params: TierParams
) -> tuple["PoolState", list[datetime | None]]:
    """Read each player's state before `since`.

    It is stored with the player's first rated entry from `since` on; without one it is the present rating.
    """
    from ratings.engine.tier.pool_state import PoolState

    fresh = PoolState.fresh(len(player_ids), params)
    mu, sigma = fresh.mu.copy(), fresh.sigma.copy()
    n_entries = fresh.n_entries.copy()
    last_at: list[datetime | None] = [None] * len(player_ids)
    now = PlayerRating.objects.filter(pool=pool_id).values_list(
        "player_id", "mu", "sigma", "n_entries", "last_at"
    )
    replaced = (
        # A player's first entry from `since` on is the one that the player came to from before.
        RatedEntry.objects.filter(Q(last_at__lt=since) | Q(last_at=None), pool=pool_id, starts_at__gte=since)
        .order_by()
        .values_list("player_id", "carried_mu", "carried_sigma", "n_carried", "last_at")
    )
    if since > BEGINNING:
        for rows in (now, replaced):
            for player_id, a_mu, a_sigma, n, at in rows.iterator(BATCH):
                if (i := index.get(player_id)) is not None:
                    # Who has no event before is a newcomer, whatever the first one was rated from until now.
                    skill = (a_mu, a_sigma, n) if at else (params.mu0, params.sigma0, 0)
                    mu[i], sigma[i], n_entries[i] = skill
                    last_at[i] = at
    last_day = np.array([days(moment) for moment in last_at], dtype=np.float64)
    return PoolState(mu=mu, sigma=sigma, last_day=last_day, n_entries=n_entries), last_at


def _with_brought(
    state: "PoolState",
    last_at: Sequence[datetime | None],
    brought: Iterable[BroughtRow],
    index: Mapping[int, int],
) -> "PoolState":
    """Let players without an event begin with their rating brought forward."""
    mu, sigma, last_day = state.mu.copy(), state.sigma.copy(), state.last_day.copy()
    n_entries = state.n_entries.copy()
    for row in brought:
        i = index.get(row.player_id)
        if i is not None and last_at[i] is None:
            mu[i], sigma[i], last_day[i], n_entries[i] = row.mu, row.sigma, days(row.at), row.n_entries
    return replace(state, mu=mu, sigma=sigma, last_day=last_day, n_entries=n_entries)


def _carried_state(
    part: Part, start: "PoolState", last_at: list[datetime | None], replayed: "TierReplay"
) -> Columns:
    """Build the columns of each player's state before an entry: after the previous one, or at the start."""
    history = part.history
    event = np.repeat(np.arange(history.n_events), np.diff(history.offset))
    order = np.lexsort((history.number, event, history.player))
    before = np.full(order.size, -1)
    same = history.player[order][1:] == history.player[order][:-1]
    before[order[1:][same]] = order[:-1][same]
    is_first, player = before < 0, history.player
    starts, before_part = np.array(part.event_starts, dtype=object), np.array(last_at, dtype=object)
    n_after = replayed.n_before + 1
    columns = {
        "carried_mu": np.where(is_first, start.mu[player], replayed.posterior_mu[before]),
        "carried_sigma": np.where(is_first, start.sigma[player], replayed.posterior_sigma[before]),
        "n_carried": np.where(is_first, start.n_entries[player], n_after[before]),
        "last_at": np.where(is_first, before_part[player], starts[event[before]]),
    }
    return {name: values.tolist() for name, values in columns.items()}


def _rates_and_badges(replayed: "TierReplay") -> Columns:
    """Build the columns of rates, badges and placement status."""
    params = replayed.params
    posterior = rate(replayed.posterior_mu, replayed.posterior_sigma, params)
    return {
        "prior_rate": rate(replayed.prior_mu, replayed.prior_sigma, params).tolist(),
        "posterior_rate": posterior.tolist(),
        "badge": badges(posterior, params),
        "is_provisional": (replayed.n_before + 1 < params.provisional_entries).tolist(),
    }


def _ratings(
    pool: PoolInput, state: "PoolState", last_at: list[datetime | None]
) -> tuple[Columns, list[int]]:
    """Columns of PlayerRating for players with a rated entry, and the ids of the players without one."""
    params = pool.present.params
    rated = np.array([i for i, at in enumerate(last_at) if at is not None], dtype=np.int64)
    rates = rate(state.mu[rated], state.sigma[rated], params)
    n_entries = state.n_entries[rated].tolist()
    columns = {
        "pool_id": [pool.pool_id] * rated.size,
        "player_id": [pool.player_ids[i] for i in rated.tolist()],
        "mu": state.mu[rated].tolist(),
        "sigma": state.sigma[rated].tolist(),
        "rate": rates.tolist(),
        "badge": badges(rates, params),
        "n_entries": n_entries,
        "is_provisional": [is_provisional(n, params) for n in n_entries],
        "last_at": [last_at[i] for i in rated.tolist()],
    }
    return columns, [pool.player_ids[i] for i, at in enumerate(last_at) if at is None]
