"""Arrays that the loops of the TIER pipeline share: events, parameters, results and scratch memory by row."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import inner, kernel
from ratings.engine.kernels import workspace
from ratings.engine.tier.late_registration import Curves
from ratings.engine.tier.partial_field import count_field
from ratings.engine.tier.place_weights import Weights

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
ENTRY, PLAYER, PLACE, IS_UPDATED, N_ENTERED, N_BUST, ROW_OF_MEMBER = 0, 1, 2, 3, 4, 5, 6
MEMBER, MEMBER_PLACE = 7, 8
SCRATCH_INTS = 9


class Events(NamedTuple):
    """Many events; entries of event e are offset[e]..offset[e + 1] - 1, and `order` sorts them by place."""

    day: Floats
    season_day: Floats
    offset: Ints
    n_rounds: Ints
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


class Constants(NamedTuple):
    """Parameters of TierParams that the loops read, and the curves of the late penalty."""

    tau_sq: float
    season_start: int  # index into SEASON_STARTS
    season_sigma: float
    mu0: float
    sigma0: float
    sigma_floor: float
    least_mu: float  # of a player whose sigma is 0: at the floor of the rate, mu is this + K sigma
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


@inner
def gather_round(e: int, round_number: int, events: Events, floats: Floats, ints: Ints) -> int:
    """Write the members of a round in order of place, with their places among themselves.

    Parameters
    ----------
    e : int
        The event.
    round_number : int
        1 for the first.
    events : Events
    floats, ints
        Of `Scratch`. Rows ENTRY, PLAYER, PLACE, IS_UPDATED, N_ENTERED, N_BUST, REGISTERED, BUSTED and BETA_SQ are
        overwritten, and MEMBER and MEMBER_PLACE with the whole field.

    Returns
    -------
    int
        Number of members.

    References
    ----------
    .. [1] TIER publication of November 2022, re-entries.
    """
    n = 0
    before = 0
    for at in range(events.offset[e], events.offset[e + 1]):
        i = events.order[at]
        number = events.number[i]
        if number == round_number or (events.is_last[i] and number < round_number):
            tied = n > 0 and events.place[i] == before
            before = events.place[i]
            place = ints[PLACE, n - 1] if tied else n + 1
            ints[ENTRY, n] = i
            ints[PLAYER, n] = events.player[i]
            ints[PLACE, n] = place
            ints[IS_UPDATED, n] = number == round_number
            ints[N_ENTERED, n] = events.n_entered[i]
            ints[N_BUST, n] = events.n_bust[i]
            ints[MEMBER, n] = n
            ints[MEMBER_PLACE, n] = place
            floats[REGISTERED, n] = events.registered_at[i]
            floats[BUSTED, n] = events.busted_at[i]
            floats[BETA_SQ, n] = events.beta_sq[i]
            n += 1
    return n


@kernel
def mark_sizes(events: Events, floats: Floats, ints: Ints, is_needed: npt.NDArray[np.bool_]) -> None:
    """Mark the sizes for which the late penalty reads a curve.

    Parameters
    ----------
    events : Events
    floats, ints
        Of `Scratch`.
    is_needed : bool, shape (largest event + 1,)
        Set to True where a curve is needed.
    """
    for e in range(events.day.size):
        late = False
        for i in range(events.offset[e], events.offset[e + 1]):
            if events.n_bust[i] > 0:
                late = True
                is_needed[events.n_entered[i]] = True
        if not late:
            continue
        for round_number in range(1, events.n_rounds[e] + 1):
            n = gather_round(e, round_number, events, floats, ints)
            is_needed[n] = True
            for m in range(n):
                moment = floats[BUSTED, m]
                if ints[IS_UPDATED, m] and not moment >= events.closes_at[e]:
                    is_needed[count_field(n, moment, floats[REGISTERED], floats[BUSTED])[0]] = True
