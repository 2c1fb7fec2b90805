"""What each place that is left would bring a player: points, and rate and badge if the night ended there."""

from collections.abc import Sequence
from typing import Any

from django.core.cache import caches

from league.models import PoolKind
from live.engine.state import Entry
from live.engine.state import Night as State
from live.models import Night
from live.showing.numbers import plain
from live.stored_log import state_of
from payouts.queries import rules_of
from ratings.histories import days
from ratings.models import PlayerRating
from ratings.queries import params_of, settings_in_force

MOST_LEFT = 40  # players for whom places are worked out


def brings_of(night: Night, entry_id: str, token: str, *, with_ratings: bool) -> list[dict[str, Any]]:
    """List the places that an entry can still reach; worked out once for each state of the night."""
    cache, key = caches["goals"], f"live-brings:{night.pk}:{entry_id}:{with_ratings}:{token}"
    rows: list[dict[str, Any]] | None = cache.get(key)
    if rows is None:
        rows = _brings(night, entry_id, with_ratings=with_ratings)
        cache.set(key, rows)
    return rows


def _brings(night: Night, entry_id: str, *, with_ratings: bool) -> list[dict[str, Any]]:
    state = state_of(night)
    own = next((entry for entry in state.still_in if entry.id == entry_id), None)
    left = {entry.key for entry in state.still_in}
    if own is None or night.season is None or state.is_cash or not 1 < len(left) <= MOST_LEFT:
        return []
    structure = rules_of(night.season).points_structure
    points = structure.points(len(state.entries)) if structure.follows_places else []
    rates = _rates(night, state, own, len(left)) if with_ratings else []
    if not points and not rates:
        return []
    return [
        {
            "place": place,
            "points": plain(points[place - 1]) if points else "",
            **(rates[place - 1] if rates else {}),
        }
        for place in range(1, len(left) + 1)
    ]


def _rates(night: Night, state: State, own: Entry, n_left: int) -> list[dict[str, Any]]:
    """Rate the night once for each place: the others who are left finish in the order of their rates."""
    assert night.season is not None
    pool = night.season.pool
    if pool.kind != PoolKind.TIER:
        return []
    people = _in_finishing_order(state, own)
    known = {
        row.player_id: row
        for row in PlayerRating.objects.filter(pool=pool, player__in=[p for p in people if p])
    }
    mine = known.get(own.player or 0)
    if mine is None:
        return []
    return _rated(
        pool.pk, [known.get(each or 0) for each in people], n_left, days(night.starts_at), mine.rate
    )


def _in_finishing_order(state: State, own: Entry) -> list[int | None]:
    """List the players of the night by id: the own one, others who are in, then those out, the last one out first."""
    latest = set(state.latest.values())
    gone = [entry for each in reversed(state.exits) for entry in each.entries if entry in latest]
    others = [entry.player for entry in state.still_in if entry.key != own.key]
    return [own.player, *others, *(state.entries[entry].player for entry in gone)]


def _rated(
    pool_id: int, field: Sequence[PlayerRating | None], n_left: int, day: float, now: float
) -> list[dict[str, Any]]:
    import numpy as np

    from ratings.engine.tier.badges import badge
    from ratings.engine.tier.next_event import rates_by_place
    from ratings.engine.tier.pool_state import PoolState

    params = params_of(settings_in_force(pool_id))
    newcomer = PoolState.fresh(1, params)
    left = sorted(field[1:n_left], key=lambda row: -(row.mu if row else newcomer.mu[0]))
    ordered = [field[0], *left, *field[n_left:]]
    state = PoolState(
        mu=np.array([row.mu if row else newcomer.mu[0] for row in ordered]),
        sigma=np.array([row.sigma if row else newcomer.sigma[0] for row in ordered]),
        last_day=np.array([days(row.last_at) if row else np.nan for row in ordered]),
        n_entries=np.array([row.n_entries if row else 0 for row in ordered], dtype=np.int64),
    )
    later = max(day, float(np.nanmax(state.last_day)))
    _before, after = rates_by_place(state, range(1, n_left + 1), params, day=later)
    return [
        {
            "rate": round(float(rate)),
            "change": round(float(rate)) - round(now),
            "badge": badge(float(rate), params),
        }
        for rate in after
    ]
