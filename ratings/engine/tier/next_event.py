"""What each place of one more event brings a player: the engine rates that event once for each place."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ratings.engine.history import EventHistory
from ratings.engine.tier.params import TierParams, rate
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Entries rated in one call: a field of 100 with all its places takes some 5 ms.
MOST_ENTRIES = 30_000


def places_to_try(n_players: int) -> list[int]:
    """Choose the places of a field that are worth an event: all, or of a large field the first and then wider steps.

    Parameters
    ----------
    n_players : int

    Returns
    -------
    list of int
        Rising, with the first and the last place.

    Examples
    --------
    >>> places_to_try(4), len(places_to_try(1000))
    ([1, 2, 3, 4], 27)
    """
    most = max(MOST_ENTRIES // n_players, 3)
    if n_players <= most:
        return list(range(1, n_players + 1))
    return sorted({round(place) for place in np.geomspace(1, n_players, most)})


def rates_by_place(
    field: PoolState,
    places: Sequence[int],
    params: TierParams,
    *,
    minutes: float = np.nan,
    seats: int = 9,
    final_seats: int = 9,
    day: float = 0.0,
) -> tuple[float, Floats]:
    """Rate one event of a field once for each place that its first player may finish in.

    Everybody is there from the start with one entry. The others finish in their order in `field`.

    Parameters
    ----------
    field : PoolState
        The player, then the others.
    places : sequence of int
        From 1 to the size of the field.
    params : TierParams
    minutes : float
        Length of the event; NaN if unknown.
    seats, final_seats : int
        Seats of a table and of the final table.
    day : float
        Day of the event, in the unit of `field.last_day`.

    Returns
    -------
    before : float
        The player's rate when the event begins: drift has widened sigma by then.
    after : float64, shape (len(places),)
        The player's rate after each of these places.

    Raises
    ------
    NotConvergedError
        As for `replay_events`.

    References
    ----------
    .. [1] TIER publication of November 2022: the field, the weights of places and the playing time of `replay_events`.

    Examples
    --------
    >>> before, after = rates_by_place(PoolState.fresh(4, TierParams()), [1, 4], TierParams())
    >>> bool(after[0] > before > after[1])
    True
    """
    n, n_events = field.mu.size, len(places)
    # The same field once for each place, as players of their own, so that no event follows on another.
    order = np.array([_finishing(n, place) for place in places], dtype=np.int64)
    history = EventHistory(
        day=np.full(n_events, float(day)),
        offset=np.arange(n_events + 1, dtype=np.int64) * n,
        duration=np.full(n_events, float(minutes)),
        closes_at=np.full(n_events, np.nan),
        table_size=np.full(n_events, seats, dtype=np.int64),
        final_table_size=np.full(n_events, final_seats, dtype=np.int64),
        player=(order + n * np.arange(n_events, dtype=np.int64)[:, np.newaxis]).ravel(),
        number=np.ones(n_events * n, dtype=np.int64),
        place=np.tile(np.arange(1, n + 1, dtype=np.int64), n_events),
        registered_at=np.full(n_events * n, np.nan),
        busted_at=np.full(n_events * n, np.nan),
    )
    copies = PoolState(
        mu=np.tile(field.mu, n_events),
        sigma=np.tile(field.sigma, n_events),
        last_day=np.tile(field.last_day, n_events),
        n_entries=np.tile(field.n_entries, n_events),
    )
    replay = replay_events(history, copies, params)
    own = np.flatnonzero(order.ravel() == 0)
    after = rate(replay.posterior_mu[own], replay.posterior_sigma[own], params)
    return rate(float(replay.prior_mu[own[0]]), float(replay.prior_sigma[own[0]]), params), after


def _finishing(n: int, place: int) -> list[int]:
    """List the players of a field by place, with player 0 at `place`."""
    others = list(range(1, n))
    return [*others[: place - 1], 0, *others[place - 1 :]]
