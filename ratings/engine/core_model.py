"""The core model alone: drift, the whole field and the floor of sigma, without the rules for poker."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ratings.engine.history import EventHistory
from ratings.engine.tier import TierParams

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Seats where they are not known; neutral parameters do not use them.
SEATS = 9


def core_only(params: TierParams) -> TierParams:
    """Make hands, weights of places and late penalty neutral.

    Parameters
    ----------
    params : TierParams

    Returns
    -------
    TierParams
        Floors, drift and seasons are those of `params`.

    Examples
    --------
    >>> core_only(TierParams(beta=250.0)).beta
    250.0
    """
    return replace(
        params,
        hands_scale=1.0,
        hands_low=1.0,
        hands_high=1.0,
        weight_first=1.0,
        weight_top=1.0,
        weight_final_table=1.0,
        weight_bottom=1.0,
        weight_rest_low=1.0,
        weight_rest_high=1.0,
        late_a=0.0,
        late_b=0.0,
    )


def order_history(day: Floats, offset: Ints, player: Ints, place: Ints) -> EventHistory:
    """Build a history of events of which only the finishing order is known; it may have ties.

    Parameters
    ----------
    day : float64, shape (n_events,)
    offset : int64, shape (n_events + 1,)
    player, place : int64, shape (n_entries,)
        As for `EventHistory`; nobody enters twice.

    Returns
    -------
    EventHistory

    Raises
    ------
    BadEventError, ValueError
        As for `EventHistory`.

    Examples
    --------
    >>> tied = order_history(np.zeros(1), np.array([0, 3]), np.array([5, 6, 7]), np.array([2, 1, 2]))
    >>> tied.n_events, tied.number.tolist()
    (1, [1, 1, 1])
    """
    seats = np.full(day.size, SEATS, dtype=np.int64)
    unknown, no_times = np.full(day.size, np.nan), np.full(player.size, np.nan)
    return EventHistory(
        day=day,
        offset=offset,
        duration=unknown,
        closes_at=unknown,
        table_size=seats,
        final_table_size=seats,
        player=player,
        number=np.ones(player.size, dtype=np.int64),
        place=place,
        registered_at=no_times,
        busted_at=no_times,
    )
