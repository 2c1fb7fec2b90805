"""Predict, for recently active players, the rating change of each place at the next event."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from league.models import Pool, PoolKind
from ratings.engine.tier.params import TierParams
from ratings.histories import days
from ratings.models import PlayerRating
from ratings.queries import Era
from standings.models import NextEvent
from standings.recomputation.fields import UsualField, usual_field

MOST_PLAYERS = 1_000  # of a field that is rated once for each place
MOST_ENTRIES = 1_000_000  # rated for all players together, in some two seconds


def write_next_event(pool: Pool, present: Era) -> None:
    """Replace the row of a pool, inside the caller's transaction, from the ratings that are stored.

    `present` is the era of the last event.
    """
    NextEvent.objects.filter(pool=pool).delete()
    field = usual_field(pool.pk) if pool.kind == PoolKind.TIER else None
    if field is None or field.n_players > MOST_PLAYERS:
        return
    met = PlayerRating.objects.filter(pool=pool, player__in=field.people)
    ratings = {rating.player_id: rating for rating in met}
    if len(ratings) > 1:
        NextEvent.objects.create(pool=pool, **_columns(field, ratings, present.params))


def _columns(field: UsualField, ratings: dict[int, PlayerRating], params: TierParams) -> dict[str, Any]:
    from ratings.engine.tier.next_event import places_to_try

    n_players = min(field.n_players, len(ratings))
    places = places_to_try(n_players)
    most = MOST_ENTRIES // (n_players * len(places))
    people = [ratings[player] for player in field.people if player in ratings]
    rates = {
        own.player_id: _rates(
            own, [each for each in people if each is not own][: n_players - 1], field, places, params
        )
        for own in people[:most]
    }
    return {"n_players": n_players, "places": places, "rates": rates}


def _rates(
    own: PlayerRating,
    others: Sequence[PlayerRating],
    field: UsualField,
    places: Sequence[int],
    params: TierParams,
) -> list[float]:
    from ratings.engine.tier.next_event import rates_by_place
    from ratings.engine.tier.pool_state import PoolState

    people = [own, *sorted(others, key=lambda each: -each.mu)]
    state = PoolState(
        mu=np.array([each.mu for each in people]),
        sigma=np.array([each.sigma for each in people]),
        last_day=np.array([days(each.last_at) for each in people]),
        n_entries=np.array([each.n_entries for each in people], dtype=np.int64),
    )
    day = max(field.day, float(state.last_day.max()))
    _before, after = rates_by_place(
        state,
        places,
        params,
        minutes=field.minutes,
        seats=field.seats,
        final_seats=field.final_seats,
        day=day,
    )
    return [float(rate) for rate in after]
