"""Numba loops of the TIER pipeline that turn a posterior into a change: weights, late penalty, floor of sigma."""

import numpy as np
import numpy.typing as npt
from numba import njit

from ratings.engine.late_registration import late_gain, place_gain
from ratings.engine.pipeline_arrays import (
    BALANCE,
    BETA_SQ,
    CHANGE,
    ENTRY,
    IS_UPDATED,
    MU,
    N_BEFORE,
    NEW_MU,
    NEW_SIGMA,
    PART1,
    PART2,
    PARTIAL_FIELD_SIZE,
    PARTIAL_PLACE,
    PENALTY,
    PLACE,
    POSTERIOR_MU,
    POSTERIOR_SIGMA,
    ROW,
    ROW_OF_MEMBER,
    SIGMA,
    WEIGHT,
    Constants,
    Event,
    Scratch,
)
from ratings.engine.place_weights import REST, SHARE, missing_share, rest_weight, weight_row

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@njit(cache=True, error_model="numpy")
def _find_rows(n: int, final_table_size: int, share: float, place: Ints, row: Ints) -> None:
    """Find the row of weights of each entry of a field in order of place."""
    last = n
    for m in range(n - 1, -1, -1):
        if m + 1 < n and place[m] != place[m + 1]:
            last = m + 1
        row[m] = weight_row(place[m], last, n, final_table_size, share)


@njit(cache=True, error_model="numpy")
def weigh(n: int, event: Event, constants: Constants, scratch: Scratch, out: Floats, counts: Ints) -> None:
    """Find the weight of the place of each entry of the round, and its share of what the weights take away."""
    floats, ints, weights = scratch.floats, scratch.ints, constants.weights
    scale = constants.conservatism if constants.weight_scales_sigma else 0.0
    for m in range(n):
        change = (floats[NEW_MU, m] - floats[MU, m]) - scale * (floats[NEW_SIGMA, m] - floats[SIGMA, m])
        floats[CHANGE, m] = change
    rows = ints[ROW_OF_MEMBER]
    _find_rows(n, event.final_table_size, weights[SHARE], ints[PLACE], rows)
    rest = rest_weight(floats[CHANGE, :n], rows[:n], weights)
    balance = missing_share(floats[CHANGE, :n], rows[:n], rest, weights)
    for m in range(n):
        if ints[IS_UPDATED, m]:
            row = rows[m]
            counts[ROW, ints[ENTRY, m]] = row
            out[WEIGHT, ints[ENTRY, m]] = rest if row == REST else weights[row]
            out[BALANCE, ints[ENTRY, m]] = balance


@njit(cache=True, error_model="numpy")
def _partial_gains(
    n: int, sigma_sq: float, performance_sq: float, constants: Constants, scratch: Scratch, counts: Ints
) -> float:
    """Sum the gains of early busts by their partial fields, for equal players with these variances."""
    K, curves = constants.conservatism, constants.curves
    total = 0.0
    for m in range(n):
        entry = scratch.ints[ENTRY, m]
        if scratch.ints[IS_UPDATED, m] and counts[PARTIAL_FIELD_SIZE, entry] > 0:
            size, place = counts[PARTIAL_FIELD_SIZE, entry], counts[PARTIAL_PLACE, entry]
            partial = place_gain(size, place, sigma_sq, performance_sq, K, curves)
            whole = place_gain(n, scratch.ints[PLACE, m], sigma_sq, performance_sq, K, curves)
            total += max(partial - whole, 0.0)
    return total


@njit(cache=True, error_model="numpy")
def charge(n: int, event: Event, constants: Constants, scratch: Scratch, out: Floats, counts: Ints) -> None:
    """Compute the late penalty of the round's late entries."""
    floats, ints = scratch.floats, scratch.ints
    for m in range(n):
        entry = ints[ENTRY, m]
        if not ints[IS_UPDATED, m] or event.n_bust[entry] == 0 or n < 2:
            continue
        sigma_sq, beta_sq = 0.0, 0.0
        for other in range(n):
            if other != m:
                sigma_sq += floats[SIGMA, other] * floats[SIGMA, other] / (n - 1)
                beta_sq += floats[BETA_SQ, other] / (n - 1)
        performance_sq = sigma_sq + beta_sq
        gains = _partial_gains(n, sigma_sq, performance_sq, constants, scratch, counts)
        entered, bust = event.n_entered[entry], event.n_bust[entry]
        part1 = bust / entered * gains
        part2 = late_gain(entered, bust, sigma_sq, performance_sq, constants.conservatism, constants.curves)
        factor = constants.late_first if event.number[entry] == 1 else constants.late_reentry
        out[PART1, entry] = part1
        out[PART2, entry] = part2
        out[PENALTY, entry] = factor * (constants.late_a * part1 + constants.late_b * part2)


@njit(cache=True, error_model="numpy")
def leave(
    n: int,
    event: Event,
    constants: Constants,
    scratch: Scratch,
    out: Floats,
    counts: Ints,
    state: Floats,
    n_entries: Ints,
) -> None:
    """Write the posteriors of the round and update the state of its players."""
    floats, ints = scratch.floats, scratch.ints
    for m in range(n):
        if ints[IS_UPDATED, m] == 0:
            continue
        entry = ints[ENTRY, m]
        weight = out[WEIGHT, entry]
        mu, sigma = floats[MU, m], floats[SIGMA, m]
        new_mu = mu + weight * (floats[NEW_MU, m] - mu) + out[BALANCE, entry] - out[PENALTY, entry]
        sigma_weight = weight if constants.weight_scales_sigma else 1.0
        new_sigma = sigma + sigma_weight * (floats[NEW_SIGMA, m] - sigma)
        new_sigma = min(max(new_sigma, constants.sigma_floor), sigma)
        out[POSTERIOR_MU, entry] = new_mu
        out[POSTERIOR_SIGMA, entry] = new_sigma
        who = event.player[entry]
        state[0, who] = new_mu
        state[1, who] = new_sigma
        state[2, who] = event.day
        counts[N_BEFORE, entry] = n_entries[who]
        n_entries[who] += 1
