"""Numba loops of the TIER pipeline that turn a posterior into a change: weights, late penalty, floors."""

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import inner
from ratings.engine.tier.late_registration import late_gain, place_gain
from ratings.engine.tier.pipeline_arrays import (
    BALANCE,
    BETA_SQ,
    CHANGE,
    ENTRY,
    IS_UPDATED,
    MU,
    N_BEFORE,
    N_BUST,
    N_ENTERED,
    NEW_MU,
    NEW_SIGMA,
    PART1,
    PART2,
    PARTIAL_FIELD_SIZE,
    PARTIAL_PLACE,
    PENALTY,
    PLACE,
    PLAYER,
    POSTERIOR_MU,
    POSTERIOR_SIGMA,
    ROW,
    ROW_OF_MEMBER,
    SIGMA,
    WEIGHT,
    Constants,
)
from ratings.engine.tier.place_weights import REST, SHARE, rest_and_balance, weight_row

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@inner
def weigh(
    n: int, final_table_size: int, constants: Constants, floats: Floats, ints: Ints, out: Floats, counts: Ints
) -> None:
    """Find the weight of the place of each entry of the round, and its share of what the weights take away."""
    weights, place, rows = constants.weights, ints[PLACE], ints[ROW_OF_MEMBER]
    scale = constants.conservatism if constants.weight_scales_sigma else 0.0
    last = n
    for m in range(n - 1, -1, -1):
        if m + 1 < n and place[m] != place[m + 1]:
            last = m + 1
        rows[m] = weight_row(place[m], last, n, final_table_size, weights[SHARE])
        change_of_sigma = floats[NEW_SIGMA, m] - floats[SIGMA, m]
        floats[CHANGE, m] = (floats[NEW_MU, m] - floats[MU, m]) - scale * change_of_sigma
    rest, balance = rest_and_balance(n, floats[CHANGE], rows, weights)
    for m in range(n):
        if ints[IS_UPDATED, m]:
            entry, row = ints[ENTRY, m], rows[m]
            counts[ROW, entry] = row
            out[WEIGHT, entry] = rest if row == REST else weights[row]
            out[BALANCE, entry] = balance


@inner
def _partial_gains(
    n: int,
    sigma_sq: float,
    performance_sq: float,
    constants: Constants,
    ints: Ints,
    counts: Ints,
) -> float:
    """Sum the gains of early busts by their partial fields, for equal players with these variances."""
    K, curves = constants.conservatism, constants.curves
    total = 0.0
    for m in range(n):
        size = counts[PARTIAL_FIELD_SIZE, ints[ENTRY, m]]
        if ints[IS_UPDATED, m] and size > 0:
            place = counts[PARTIAL_PLACE, ints[ENTRY, m]]
            more = place_gain(size, place, sigma_sq, performance_sq, K, curves)
            more -= place_gain(n, ints[PLACE, m], sigma_sq, performance_sq, K, curves)
            total += max(more, 0.0)
    return total


@inner
def charge(
    n: int,
    round_number: int,
    constants: Constants,
    floats: Floats,
    ints: Ints,
    out: Floats,
    counts: Ints,
) -> None:
    """Compute the late penalty of the round's late entries."""
    factor = constants.late_first if round_number == 1 else constants.late_reentry
    for m in range(n):
        entered, bust, entry = ints[N_ENTERED, m], ints[N_BUST, m], ints[ENTRY, m]
        if ints[IS_UPDATED, m] == 0 or bust == 0 or n < 2:
            continue
        sigma_sq, performance_sq = 0.0, 0.0
        for other in range(n):
            if other != m:
                variance = floats[SIGMA, other] * floats[SIGMA, other]
                sigma_sq += variance / (n - 1)
                performance_sq += (variance + floats[BETA_SQ, other]) / (n - 1)
        part1 = bust / entered * _partial_gains(n, sigma_sq, performance_sq, constants, ints, counts)
        part2 = late_gain(entered, bust, sigma_sq, performance_sq, constants.conservatism, constants.curves)
        out[PART1, entry] = part1
        out[PART2, entry] = part2
        out[PENALTY, entry] = factor * (constants.late_a * part1 + constants.late_b * part2)


@inner
def leave(
    n: int,
    day: float,
    constants: Constants,
    floats: Floats,
    ints: Ints,
    out: Floats,
    counts: Ints,
    state: Floats,
    n_entries: Ints,
) -> None:
    """Write the posteriors of the round and update the state of its players."""
    for m in range(n):
        if ints[IS_UPDATED, m] == 0:
            continue
        entry, who = ints[ENTRY, m], ints[PLAYER, m]
        weight = out[WEIGHT, entry]
        mu, sigma = floats[MU, m], floats[SIGMA, m]
        new_mu = mu + weight * (floats[NEW_MU, m] - mu) + out[BALANCE, entry] - out[PENALTY, entry]
        sigma_weight = weight if constants.weight_scales_sigma else 1.0
        new_sigma = sigma + sigma_weight * (floats[NEW_SIGMA, m] - sigma)
        new_sigma = min(max(new_sigma, constants.sigma_floor), sigma)
        # A rate below its floor would be a debt that nobody sees.
        new_mu = max(new_mu, constants.least_mu + constants.conservatism * new_sigma)
        out[POSTERIOR_MU, entry] = new_mu
        out[POSTERIOR_SIGMA, entry] = new_sigma
        state[0, who] = new_mu
        state[1, who] = new_sigma
        state[2, who] = day
        counts[N_BEFORE, entry] = n_entries[who]
        n_entries[who] += 1
