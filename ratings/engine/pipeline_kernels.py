"""Numba loops of the TIER pipeline: the rounds of re-entries of one event and the replay of many.

Entries are gone through by place. Round j holds every player once: with the j-th entry if there is one, else
with the last; only those with a j-th entry are updated. Who has a j-th entry starts it from the posterior of the
entry before; everybody else stands with the prior of the last entry, so that no result counts twice. In each
round, in this order,

1. the whole field is rated;
2. early busts are rated on their partial field, and the better change of rate is taken (a posterior replaces a
   posterior, so it comes before anything that is done to a change);
3. the weight of the place scales the change, and what the weights take from the field as a whole is shared equally
   by it (both compare changes of rate: those of step 2, of the round's whole field);
4. the late penalty comes off mu, in full (it must always cost something: were it weighted or balanced, the field
   would give a part of it back);
5. sigma stops at its floor.

ratings/engine/pipeline_reference.py is the slow twin.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from ratings.engine.kernels import NOT_CONVERGED, rate_event
from ratings.engine.partial_field import count_field, make_field
from ratings.engine.pipeline_arrays import (
    BETA_SQ,
    BUSTED,
    ENTRY,
    FIELD_BETA_SQ,
    FIELD_MU,
    FIELD_NEW_MU,
    FIELD_NEW_SIGMA,
    FIELD_PLACE,
    FIELD_SIGMA,
    FIELD_SIZE,
    IS_UPDATED,
    MEMBER,
    MEMBER_PLACE,
    MU,
    NEW_MU,
    NEW_SIGMA,
    PARTIAL_FIELD_SIZE,
    PARTIAL_MU,
    PARTIAL_PLACE,
    PARTIAL_SIGMA,
    PARTIAL_TAKEN,
    PLACE,
    POSITION,
    PRIOR_MU,
    PRIOR_SIGMA,
    REGISTERED,
    SIGMA,
    WHOLE_MU,
    WHOLE_SIGMA,
    Constants,
    Event,
    Events,
    Scratch,
    event_at,
    gather_round,
)
from ratings.engine.pipeline_changes import charge, leave, weigh
from ratings.engine.pool_state import drifted
from ratings.engine.tier import SEASON_STARTS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SOFT, FULL = SEASON_STARTS.index("soft"), SEASON_STARTS.index("full")


@njit(cache=True, error_model="numpy")
def _read_priors(
    n: int, event: Event, constants: Constants, scratch: Scratch, out: Floats, state: Floats, n_entries: Ints
) -> None:
    """Fill in the prior that each member stands with.

    Drift and the season's start act only before a player's first round: after it the last day is today.
    """
    for m in range(n):
        entry = scratch.ints[ENTRY, m]
        if scratch.ints[IS_UPDATED, m] == 0:
            scratch.floats[MU, m] = out[PRIOR_MU, entry]
            scratch.floats[SIGMA, m] = out[PRIOR_SIGMA, entry]
            continue
        who = event.player[entry]
        days = event.day - state[2, who]
        mu, sigma = state[0, who], drifted(state[1, who], days, constants.tau_sq, constants.sigma0)
        if state[2, who] < event.season_day:  # never true of NaN: who has never played is new anyway
            if constants.season_start == SOFT:
                sigma = max(sigma, constants.season_sigma)
            elif constants.season_start == FULL:
                mu, sigma, n_entries[who] = constants.mu0, constants.sigma0, 0
        scratch.floats[MU, m] = mu
        scratch.floats[SIGMA, m] = sigma


@njit(cache=True, error_model="numpy")
def _rate_whole(n: int, constants: Constants, scratch: Scratch) -> int:
    floats = scratch.floats
    return rate_event(
        floats[MU, :n],
        floats[SIGMA, :n],
        floats[BETA_SQ, :n],
        scratch.ints[PLACE, :n],
        constants.tolerance,
        constants.max_rounds,
        scratch.chain_floats,
        scratch.chain_ints,
        floats[NEW_MU, :n],
        floats[NEW_SIGMA, :n],
    )


@njit(cache=True, error_model="numpy")
def _rate_partial(n: int, moment: float, constants: Constants, scratch: Scratch) -> int:
    floats, ints = scratch.floats, scratch.ints
    places = ints[PLACE, :n]
    size = make_field(
        moment, floats[REGISTERED, :n], floats[BUSTED, :n], places, ints[MEMBER], ints[MEMBER_PLACE]
    )
    for k in range(size):
        m = ints[MEMBER, k]
        ints[POSITION, m] = k
        floats[FIELD_MU, k] = floats[MU, m]
        floats[FIELD_SIGMA, k] = floats[SIGMA, m]
        floats[FIELD_BETA_SQ, k] = floats[BETA_SQ, m]
    return rate_event(
        floats[FIELD_MU, :size],
        floats[FIELD_SIGMA, :size],
        floats[FIELD_BETA_SQ, :size],
        ints[MEMBER_PLACE, :size],
        constants.tolerance,
        constants.max_rounds,
        scratch.chain_floats,
        scratch.chain_ints,
        floats[FIELD_NEW_MU, :size],
        floats[FIELD_NEW_SIGMA, :size],
    )


@njit(cache=True, error_model="numpy")
def _is_better(m: int, k: int, conservatism: float, floats: Floats) -> bool:
    """Whether member m's rate is higher from position k of the partial field."""
    partial = floats[FIELD_NEW_MU, k] - conservatism * floats[FIELD_NEW_SIGMA, k]
    whole = floats[NEW_MU, m] - conservatism * floats[NEW_SIGMA, m]
    return bool(partial > whole)


@njit(cache=True, error_model="numpy")
def _take_partial(m: int, entry: int, constants: Constants, scratch: Scratch, out: Floats) -> int:
    """Note the partial posterior of member m; 1 if it is the better one."""
    k = scratch.ints[POSITION, m]
    out[PARTIAL_MU, entry] = scratch.floats[FIELD_NEW_MU, k]
    out[PARTIAL_SIGMA, entry] = scratch.floats[FIELD_NEW_SIGMA, k]
    return 1 if _is_better(m, k, constants.conservatism, scratch.floats) else 0


@njit(cache=True, error_model="numpy")
def _rate_early_busts(
    n: int, event: Event, constants: Constants, scratch: Scratch, out: Floats, counts: Ints
) -> int:
    """First out first, so that fields of the same entries follow each other. NOT_CONVERGED or the runs."""
    floats, ints = scratch.floats, scratch.ints
    rated_size, rated_in_order, runs = 0, False, 0
    everybody_in = floats[REGISTERED, :n].max()
    for m in range(n - 1, -1, -1):
        moment = floats[BUSTED, m]
        if (
            ints[IS_UPDATED, m] == 0 or moment >= event.closes_at or moment >= everybody_in
        ):  # NaN never closes
            continue
        size, in_order = count_field(moment, floats[REGISTERED, :n], floats[BUSTED, :n])
        if size != rated_size or not (in_order and rated_in_order):
            if _rate_partial(n, moment, constants, scratch) == NOT_CONVERGED:
                return NOT_CONVERGED
            rated_size, rated_in_order = size, in_order
            runs += 1
        entry = ints[ENTRY, m]
        counts[PARTIAL_FIELD_SIZE, entry] = size
        counts[PARTIAL_PLACE, entry] = ints[MEMBER_PLACE, ints[POSITION, m]]
        counts[PARTIAL_TAKEN, entry] = _take_partial(m, entry, constants, scratch, out)
    return runs


@njit(cache=True, error_model="numpy")
def _note_whole(n: int, scratch: Scratch, out: Floats, counts: Ints) -> None:
    for m in range(n):
        if scratch.ints[IS_UPDATED, m]:
            entry = scratch.ints[ENTRY, m]
            out[PRIOR_MU, entry] = scratch.floats[MU, m]
            out[PRIOR_SIGMA, entry] = scratch.floats[SIGMA, m]
            out[WHOLE_MU, entry] = scratch.floats[NEW_MU, m]
            out[WHOLE_SIGMA, entry] = scratch.floats[NEW_SIGMA, m]
            counts[FIELD_SIZE, entry] = n
            counts[FIELD_PLACE, entry] = scratch.ints[PLACE, m]


@njit(cache=True, error_model="numpy")
def _choose(n: int, scratch: Scratch, out: Floats, counts: Ints) -> None:
    """From here on NEW_MU and NEW_SIGMA are the posterior that counts."""
    for m in range(n):
        entry = scratch.ints[ENTRY, m]
        if scratch.ints[IS_UPDATED, m] and counts[PARTIAL_TAKEN, entry]:
            scratch.floats[NEW_MU, m] = out[PARTIAL_MU, entry]
            scratch.floats[NEW_SIGMA, m] = out[PARTIAL_SIGMA, entry]


@njit(cache=True, error_model="numpy")
def rate_rounds(
    event: Event,
    constants: Constants,
    scratch: Scratch,
    out: Floats,
    counts: Ints,
    state: Floats,
    n_entries: Ints,
) -> int:
    """Rate one event; arguments must have been validated.

    Parameters
    ----------
    event : Event
    constants : Constants
    scratch : Scratch
    out : float64, shape (FLOAT_RESULTS, n)
        Zeros, filled in; NaN in the partial rows where nothing applies.
    counts : int64, shape (INT_RESULTS, n)
        Zeros, filled in.
    state : float64, shape (3, n_players)
        mu, sigma, last day of each player; updated.
    n_entries : int64, shape (n_players,)
        Updated.

    Returns
    -------
    int
        Runs of expectation propagation, or NOT_CONVERGED.

    References
    ----------
    Module docstring.
    """
    out[PARTIAL_MU : PARTIAL_SIGMA + 1] = np.nan
    runs = 0
    for round_number in range(1, event.number.max() + 1):
        n = gather_round(round_number, event, scratch)
        _read_priors(n, event, constants, scratch, out, state, n_entries)
        if _rate_whole(n, constants, scratch) == NOT_CONVERGED:
            return NOT_CONVERGED
        _note_whole(n, scratch, out, counts)
        partial_runs = _rate_early_busts(n, event, constants, scratch, out, counts)
        if partial_runs == NOT_CONVERGED:
            return NOT_CONVERGED
        _choose(n, scratch, out, counts)
        weigh(n, event, constants, scratch, out, counts)
        charge(n, event, constants, scratch, out, counts)
        leave(n, event, constants, scratch, out, counts, state, n_entries)
        runs += 1 + partial_runs
    return runs


@njit(cache=True, error_model="numpy")
def rate_range(
    first: int,
    end: int,
    events: Events,
    constants: Constants,
    scratch: Scratch,
    out: Floats,
    counts: Ints,
    state: Floats,
    n_entries: Ints,
) -> int:
    """Rate events first..end-1 one after the other; arguments must have been validated.

    Parameters
    ----------
    first, end : int
    events : Events
    constants, scratch, state, n_entries
        As for `rate_rounds`.
    out : float64, shape (FLOAT_RESULTS, n_entries of all events)
    counts : int64, shape (INT_RESULTS, n_entries of all events)

    Returns
    -------
    int
        Index of the event that did not converge, or `end`.

    References
    ----------
    Module docstring.
    """
    for e in range(first, end):
        a, b = events.offset[e], events.offset[e + 1]
        event = event_at(e, events)
        runs = rate_rounds(event, constants, scratch, out[:, a:b], counts[:, a:b], state, n_entries)
        if runs == NOT_CONVERGED:
            return e
    return end
