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

tests/engine/twins/tier_pipeline.py is the slow twin.
"""

import math

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import inner, kernel
from ratings.engine.kernels import NOT_CONVERGED, rate_event
from ratings.engine.tier.params import SEASON_STARTS
from ratings.engine.tier.partial_field import count_field, make_field
from ratings.engine.tier.pipeline_arrays import (
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
    PLAYER,
    PRIOR_MU,
    PRIOR_SIGMA,
    REGISTERED,
    SIGMA,
    WHOLE_MU,
    WHOLE_SIGMA,
    Constants,
    Events,
    Scratch,
    gather_round,
)
from ratings.engine.tier.pipeline_changes import charge, leave, weigh
from ratings.engine.tier.pool_state import drifted

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SOFT, FULL = SEASON_STARTS.index("soft"), SEASON_STARTS.index("full")


@inner
def _read_priors(
    n: int,
    day: float,
    season_day: float,
    constants: Constants,
    floats: Floats,
    ints: Ints,
    out: Floats,
    state: Floats,
    n_entries: Ints,
) -> None:
    """Fill in the prior that each member stands with, and note it for those who are updated.

    Drift and the season's start act only before a player's first round: after it the last day is today.
    """
    for m in range(n):
        entry, who = ints[ENTRY, m], ints[PLAYER, m]
        if ints[IS_UPDATED, m]:
            mu, last_day = state[0, who], state[2, who]
            sigma = drifted(state[1, who], day - last_day, constants.tau_sq, constants.sigma0)
            if last_day < season_day:  # never true of NaN: who has never played is new anyway
                if constants.season_start == SOFT and sigma < constants.season_sigma:
                    sigma = constants.season_sigma
                elif constants.season_start == FULL:
                    mu, sigma, n_entries[who] = constants.mu0, constants.sigma0, 0
            out[PRIOR_MU, entry] = mu
            out[PRIOR_SIGMA, entry] = sigma
        floats[MU, m] = out[PRIOR_MU, entry]
        floats[SIGMA, m] = out[PRIOR_SIGMA, entry]


@inner
def _rate_members(n: int, constants: Constants, scratch: Scratch) -> int:
    """Rate the field of the first n of rows MEMBER and MEMBER_PLACE."""
    floats, ints = scratch.floats, scratch.ints
    for k in range(n):
        m = ints[MEMBER, k]
        floats[FIELD_MU, k] = floats[MU, m]
        floats[FIELD_SIGMA, k] = floats[SIGMA, m]
        floats[FIELD_BETA_SQ, k] = floats[BETA_SQ, m]
    return rate_event(
        n,
        floats[FIELD_MU],
        floats[FIELD_SIGMA],
        floats[FIELD_BETA_SQ],
        ints[MEMBER_PLACE],
        constants.tolerance,
        constants.max_rounds,
        scratch.chain_floats,
        scratch.chain_ints,
        floats[FIELD_NEW_MU],
        floats[FIELD_NEW_SIGMA],
    )


@inner
def _note_whole(n: int, floats: Floats, ints: Ints, out: Floats, counts: Ints) -> None:
    for m in range(n):
        mu, sigma, entry = floats[FIELD_NEW_MU, m], floats[FIELD_NEW_SIGMA, m], ints[ENTRY, m]
        floats[NEW_MU, m] = mu
        floats[NEW_SIGMA, m] = sigma
        if ints[IS_UPDATED, m]:
            out[WHOLE_MU, entry] = mu
            out[WHOLE_SIGMA, entry] = sigma
            out[PARTIAL_MU, entry] = math.nan
            out[PARTIAL_SIGMA, entry] = math.nan
            counts[FIELD_SIZE, entry] = n
            counts[FIELD_PLACE, entry] = ints[PLACE, m]


@inner
def _take_better(
    m: int, size: int, conservatism: float, floats: Floats, ints: Ints, out: Floats, counts: Ints
) -> None:
    """Note member m's posterior of the partial field, and make it the one that counts if its rate is higher."""
    k = size - 1
    while k > 0 and ints[MEMBER, k] != m:
        k -= 1
    mu, sigma, entry = floats[FIELD_NEW_MU, k], floats[FIELD_NEW_SIGMA, k], ints[ENTRY, m]
    out[PARTIAL_MU, entry] = mu
    out[PARTIAL_SIGMA, entry] = sigma
    counts[PARTIAL_FIELD_SIZE, entry] = size
    counts[PARTIAL_PLACE, entry] = ints[MEMBER_PLACE, k]
    if mu - conservatism * sigma > floats[NEW_MU, m] - conservatism * floats[NEW_SIGMA, m]:
        counts[PARTIAL_TAKEN, entry] = 1
        floats[NEW_MU, m] = mu
        floats[NEW_SIGMA, m] = sigma


@inner
def _rate_early_busts(
    n: int, closes_at: float, constants: Constants, scratch: Scratch, out: Floats, counts: Ints
) -> int:
    """Rate early busts, first out first, so that fields of the same entries follow each other."""
    floats, ints = scratch.floats, scratch.ints
    registered, busted = floats[REGISTERED], floats[BUSTED]
    everybody_in = registered[0]
    for m in range(n):
        everybody_in = max(everybody_in, registered[m])
    rated_size, rated_in_order = 0, False
    for m in range(n - 1, -1, -1):
        moment = busted[m]
        # A closing time that is NaN never comes.
        if ints[IS_UPDATED, m] == 0 or moment >= closes_at or moment >= everybody_in:
            continue
        size, in_order = count_field(n, moment, registered, busted)
        if size != rated_size or not (in_order and rated_in_order):
            make_field(n, moment, registered, busted, ints[PLACE], ints[MEMBER], ints[MEMBER_PLACE])
            if _rate_members(size, constants, scratch) == NOT_CONVERGED:
                return NOT_CONVERGED
            rated_size, rated_in_order = size, in_order
        _take_better(m, size, constants.conservatism, floats, ints, out, counts)
    return 0


@kernel
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
    constants : Constants
    scratch : Scratch
    out : float64, shape (FLOAT_RESULTS, n_entries of all events)
        Zeros, filled in; NaN in the partial rows where nothing applies.
    counts : int64, shape (INT_RESULTS, n_entries of all events)
        Zeros, filled in.
    state : float64, shape (3, n_players)
        mu, sigma, last day of each player; updated.
    n_entries : int64, shape (n_players,)
        Updated.

    Returns
    -------
    int
        Index of the event that did not converge, or `end`.

    References
    ----------
    Module docstring.
    """
    floats, ints = scratch.floats, scratch.ints
    for e in range(first, end):
        day = events.day[e]
        for round_number in range(1, events.n_rounds[e] + 1):
            n = gather_round(e, round_number, events, floats, ints)
            _read_priors(n, day, events.season_day[e], constants, floats, ints, out, state, n_entries)
            if _rate_members(n, constants, scratch) == NOT_CONVERGED:
                return e
            _note_whole(n, floats, ints, out, counts)
            if _rate_early_busts(n, events.closes_at[e], constants, scratch, out, counts) == NOT_CONVERGED:
                return e
            weigh(n, events.final_table_size[e], constants, floats, ints, out, counts)
            charge(n, round_number, constants, floats, ints, out, counts)
            leave(n, day, constants, floats, ints, out, counts, state, n_entries)
    return end
