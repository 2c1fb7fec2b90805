"""Arrays that the loops of the TIER pipeline share: events, parameters, results and scratch memory by row."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from ratings.engine.kernels import workspace
from ratings.engine.late_registration import Curves
from ratings.engine.partial_field import count_field
from ratings.engine.place_weights import Weights

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Rows of the float results of each entry, rating points unless marked.
PRIOR_MU, PRIOR_SIGMA, WHOLE_MU, WHOLE_SIGMA, PARTIAL_MU, PARTIAL_SIGMA = 0, 1, 2, 3, 4, 5
WEIGHT, BALANCE, PART1, PART2, PENALTY = 6, 7, 8, 9, 10  # WEIGHT: no unit
POSTERIOR_MU, POSTERIOR_SIGMA = 11, 12
FLOAT_RESULTS = 13
# Rows of the integer results of each entry.
FIELD_SIZE, FIELD_PLACE, PARTIAL_FIELD_SIZE, PARTIAL_PLACE, PARTIAL_TAKEN, ROW = 0, 1, 2, 3, 4, 5
N_BEFORE = 6  # rated entries of the player before this one
INT_RESULTS = 7

# Rows of the scratch memory: a round's members in order of place, then a partial field's.
MU, SIGMA, BETA_SQ, REGISTERED, BUSTED, NEW_MU, NEW_SIGMA = 0, 1, 2, 3, 4, 5, 6
FIELD_MU, FIELD_SIGMA, FIELD_BETA_SQ, FIELD_NEW_MU, FIELD_NEW_SIGMA, CHANGE = 7, 8, 9, 10, 11, 12
SCRATCH_FLOATS = 13
ENTRY, PLACE, IS_UPDATED, MEMBER, MEMBER_PLACE, POSITION, ROW_OF_MEMBER = 0, 1, 2, 3, 4, 5, 6
SCRATCH_INTS = 7


class Event(NamedTuple):
    """One event. Arrays hold its entries in the order of the history; `order` sorts them by place."""

    day: float
    season_day: float
    closes_at: float
    final_table_size: int
    player: Ints
    number: Ints
    is_last: npt.NDArray[np.bool_]
    place: Ints
    registered_at: Floats
    busted_at: Floats
    beta_sq: Floats
    n_entered: Ints
    n_bust: Ints
    order: Ints


class Events(NamedTuple):
    """Many events; entries of event e are offset[e]..offset[e + 1] - 1."""

    day: Floats
    season_day: Floats
    offset: Ints
    closes_at: Floats
    final_table_size: Ints
    player: Ints
    number: Ints
    is_last: npt.NDArray[np.bool_]
    place: Ints
    registered_at: Floats
    busted_at: Floats
    beta_sq: Floats
    n_entered: Ints
    n_bust: Ints
    order: Ints


@njit(cache=True, error_model="numpy")
def event_at(e: int, events: Events) -> Event:
    """Select one of many events.

    Parameters
    ----------
    e : int
    events : Events

    Returns
    -------
    Event
        Its arrays are views.
    """
    a, b = events.offset[e], events.offset[e + 1]
    return Event(
        events.day[e],
        events.season_day[e],
        events.closes_at[e],
        events.final_table_size[e],
        events.player[a:b],
        events.number[a:b],
        events.is_last[a:b],
        events.place[a:b],
        events.registered_at[a:b],
        events.busted_at[a:b],
        events.beta_sq[a:b],
        events.n_entered[a:b],
        events.n_bust[a:b],
        events.order[a:b],
    )


class Constants(NamedTuple):
    """Parameters of TierParams that the loops read, and the curves of the late penalty."""

    tau_sq: float
    season_start: int  # index into SEASON_STARTS
    season_sigma: float
    mu0: float
    sigma0: float
    sigma_floor: float
    conservatism: float
    tolerance: float
    max_rounds: int
    weights: Weights
    weight_scales_sigma: bool
    late_a: float
    late_b: float
    late_first: float
    late_reentry: float
    curves: Curves


class Scratch(NamedTuple):
    """Scratch memory for the largest event."""

    floats: Floats
    ints: Ints
    chain_floats: Floats
    chain_ints: Ints


def scratch_for(size: int) -> Scratch:
    """Allocate scratch memory for events of up to `size` entries.

    Parameters
    ----------
    size : int

    Returns
    -------
    Scratch

    Examples
    --------
    >>> scratch_for(10).floats.shape
    (13, 10)
    """
    ints = np.zeros((SCRATCH_INTS, size), dtype=np.int64)
    return Scratch(np.zeros((SCRATCH_FLOATS, size)), ints, *workspace(size))


@njit(cache=True, error_model="numpy")
def gather_round(round_number: int, event: Event, scratch: Scratch) -> int:
    """Write the members of a round in order of place, with their places among themselves.

    Parameters
    ----------
    round_number : int
        1 for the first.
    event : Event
    scratch : Scratch
        Rows ENTRY, PLACE, IS_UPDATED, REGISTERED, BUSTED and BETA_SQ are overwritten.

    Returns
    -------
    int
        Number of members.

    References
    ----------
    .. [1] TIER publication of November 2022, re-entries.
    """
    n = 0
    for i in event.order:
        updated = event.number[i] == round_number
        if updated or (event.is_last[i] and event.number[i] < round_number):
            tied = n > 0 and event.place[i] == event.place[scratch.ints[ENTRY, n - 1]]
            scratch.ints[ENTRY, n] = i
            scratch.ints[PLACE, n] = scratch.ints[PLACE, n - 1] if tied else n + 1
            scratch.ints[IS_UPDATED, n] = 1 if updated else 0
            scratch.floats[REGISTERED, n] = event.registered_at[i]
            scratch.floats[BUSTED, n] = event.busted_at[i]
            scratch.floats[BETA_SQ, n] = event.beta_sq[i]
            n += 1
    return n


@njit(cache=True, error_model="numpy")
def _mark_round(n: int, closes_at: float, scratch: Scratch, is_needed: npt.NDArray[np.bool_]) -> None:
    registered, busted = scratch.floats[REGISTERED, :n], scratch.floats[BUSTED, :n]
    is_needed[n] = True
    for m in range(n):
        if scratch.ints[IS_UPDATED, m] and not busted[m] >= closes_at:
            is_needed[count_field(busted[m], registered, busted)[0]] = True


@njit(cache=True, error_model="numpy")
def mark_sizes(
    first: int, end: int, events: Events, scratch: Scratch, is_needed: npt.NDArray[np.bool_]
) -> None:
    """Mark the sizes for which the late penalty reads a curve.

    Parameters
    ----------
    first, end, events, scratch
        As for `pipeline_kernels.rate_range`.
    is_needed : bool, shape (largest event + 1,)
        Set to True where a curve is needed.
    """
    for e in range(first, end):
        event = event_at(e, events)
        if event.n_bust.max() == 0:
            continue
        for i in range(event.player.size):
            if event.n_bust[i] > 0:
                is_needed[event.n_entered[i]] = True
        for round_number in range(1, event.number.max() + 1):
            n = gather_round(round_number, event, scratch)
            _mark_round(n, event.closes_at, scratch, is_needed)
