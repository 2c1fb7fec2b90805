"""Compiled: what a player who maximizes expected utility does, as `lab.engine.utility` decides it.

A style is a row of the columns below, float64: risk aversion gamma, looseness before the flop and on the river,
inconsistency lambda, bias of the odds delta, standard deviation of the noise in the estimated chance, least chance with
which the player limps in (`preflop.least_chance`).
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.holdem.cards import Bits
from lab.engine.holdem.hand_kernels import CALL, FOLD, RAISE
from lab.engine.holdem.kernels import Whole, next_uniform
from lab.engine.utility import MOST_GAMMA, NO_POWER, PADDING
from ratings.engine.compiled import inner

Floats = npt.NDArray[np.float64]

GAMMA, S_PREFLOP, S_RIVER, INCONSISTENCY, DELTA, NOISE, LIMP = range(7)
STYLE_SIZE: Final = 7
WEIGHT: Final = 1.0 + PADDING


@inner
def next_normal(state: Bits) -> float:
    """Draw a standard normal number (Box and Muller 1958)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - next_uniform(state)))
    return radius * math.cos(2.0 * math.pi * next_uniform(state))


@inner
def _utility(wealth: float, gamma: float) -> float:
    """Utility of a stack relative to the one at the start, with constant relative risk aversion."""
    power = (1.0 - gamma) * math.log(wealth)
    if abs(power) < NO_POWER:
        return math.log(wealth)
    return math.expm1(power) / (1.0 - gamma)


@inner
def _best_share(p: float, n: Whole, folded: float, gamma: float) -> float:
    """Share f* of the stack that a raise would put in, before the bounds of the rules."""
    if p >= 1.0:
        return 1.0
    odds = p * (n - 1) / (1.0 - p)
    if odds <= 1.0:
        return 0.0
    if gamma * 700.0 < math.log(odds):
        return 1.0
    psi = math.pow(odds, 1.0 / gamma) - 1.0
    return max((psi - folded) / (psi + n), 0.0)


@inner
def perceived(chance: float, street: Whole, style: Floats, state: Bits) -> float:
    """Chance as a player sees it: with noise, then loose or tight."""
    if style[NOISE] > 0.0:
        chance = min(max(chance + style[NOISE] * next_normal(state), 0.0), 1.0)
    looseness = style[S_PREFLOP] + (style[S_RIVER] - style[S_PREFLOP]) * street / 3.0
    return math.pow(chance, 1.0 - looseness)


@inner
def _biased(p: float, even: float, delta: float) -> float:
    """Parabola through (0, delta * even), (even, even) and (1, 1 - delta * even); `even` is the break-even chance."""
    square = delta * (1.0 - 2.0 * even) / (1.0 - even)
    curve = square * p * p + (1.0 - delta - square * even) * p + delta * even
    return min(max(curve, 0.0), 1.0)


@inner
def _expected(p: float, n: Whole, share: float, folded: float, gamma: float) -> float:
    """Expected utility of putting in a share of the stack that all `n` players match."""
    won = _utility(1.0 + (n - 1) * share + folded, gamma)
    return p * won + (1.0 - p) * _utility(1.0 - share, gamma)


@inner
def choose(
    p: float,
    n: Whole,
    own: Whole,
    paid: Whole,
    call: Whole,
    low: Whole,
    high: Whole,
    folded: Whole,
    style: Floats,
) -> tuple[Whole, Whole]:
    """Choose fold, call or raise, and what a raise puts in; all amounts in chips, no raise if `high` is 0."""
    wealth = own * WEIGHT
    dead = folded / wealth
    even = call / (n * call + folded)
    gamma = min(max(style[GAMMA] + style[INCONSISTENCY] * (p - even), 0.0), MOST_GAMMA)
    p = _biased(p, even, style[DELTA])
    fold = _utility(1.0 - paid / wealth, gamma)
    calling = _expected(p, n, call / wealth, dead, gamma)
    if high > 0:
        chips = min(max(_best_share(p, n, dead, gamma) * wealth, low), own)
        if _expected(p, n, chips / wealth, dead, gamma) > max(fold, calling):
            return RAISE, min(np.int64(math.floor(chips + 0.5)), high)
    return (CALL if calling > fold else FOLD), 0
