"""What a simulated player does: fold, call or raise, whichever has the largest expected utility.

All amounts are shares of the player's own stack W at the start of the hand. With n players who have not folded (own
included), chance p to win, b paid so far, c to call in all and beta left by those who folded, a commitment f is taken
to be matched by all of them: it plays for alpha = n f + beta, and

    U(fold)   = u(1 - b)
    U(call)   = p u(1 + alpha - c) + (1 - p) u(1 - c)
    U(raise)  = the same with the commitment f of the raise instead of c

where u(w) = (w^(1-gamma) - 1) / (1 - gamma), constant relative risk aversion, and ln w at gamma = 1, the Kelly player:

    f* = max((psi - beta) / (psi + n), 0),    psi = (p (n - 1) / (1 - p))^(1/gamma) - 1

bounded by the least raise and by the stack.

References
----------
.. [1] A Japanese author's note on simulated hold'em players, "expected utility".
"""

import math
from dataclasses import dataclass, fields

import numpy as np

from lab.engine.errors import EngineError

STREETS = ("preflop", "flop", "turn", "river")
CHOICES = ("fold", "call", "raise")
LEAST_PLAYERS, MOST_PLAYERS = 2, 10
# Beyond it, utilities of nearly empty stacks are no longer numbers.
MOST_GAMMA = 100.0
MOST_CHIPS = 1e12
# A stack counts as this much more than it is, so that losing all of it has a utility; the note says 1 to 5 percent.
PADDING = 0.02
LEAST_PADDING, MOST_PADDING = 0.01, 0.05
# Nearer to the limit at gamma = 1 than rounding, the quotient of two tiny numbers says nothing.
NO_POWER = 1e-12


@dataclass(frozen=True)
class Spot:
    """One decision, all amounts in chips.

    Parameters
    ----------
    p : float
        Chance to win the hand, 0 to 1.
    n : int
        Players who have not folded, with the one who decides: 2 to 10.
    own : float
        Own stack at the start of the hand, W.
    paid : float
        What the player has put into the pot so far, b.
    call : float
        What the player will have put in after a call, c; more than the stack means all of it.
    min_raise : float
        What a raise adds to the call at least, m.
    folded : float
        Chips in the pot of players who have folded, beta.

    Raises
    ------
    EngineError
        If a chance or an amount cannot be.
    """

    p: float
    n: int
    own: float
    paid: float = 0.0
    call: float = 0.0
    min_raise: float = 0.0
    folded: float = 0.0

    def __post_init__(self) -> None:
        _require(self)
        _require_between("p", self.p, 0.0, 1.0)
        if self.n != int(self.n):
            raise EngineError("n", "not_a_whole_number", got=self.n)
        _require_between("n", self.n, LEAST_PLAYERS, MOST_PLAYERS)
        if not 0.0 < self.own <= MOST_CHIPS:
            raise EngineError("own", "out_of_half_open_range", least=0.0, most=MOST_CHIPS, got=self.own)
        _require_between("paid", self.paid, 0.0, self.own)
        _require_between("call", self.call, self.paid, MOST_CHIPS)
        _require_between("min_raise", self.min_raise, 0.0, MOST_CHIPS)
        _require_between("folded", self.folded, 0.0, MOST_CHIPS)


@dataclass(frozen=True)
class Style:
    """How a player differs from one who knows the chances and maximizes the logarithm of the stack.

    Parameters
    ----------
    gamma : float
        Risk aversion: 0 is neutral, 1 the Kelly player, high is passive; 0 to 100.
    loose_preflop, loose_river : float
        Tendency s to overrate the own hand, p^(1 - s), before the flop and on the river, in a straight line between:
        positive is loose, negative tight; -5 to 0.99.
    inconsistency : float
        lambda: risk aversion grows with the own chance, gamma + lambda (p - c / alpha); -100 to 100.
    bias : float
        delta: long odds are overrated and short ones underrated; 0 (not at all) to 1.
    noise : float
        Standard deviation of the player's error in the chance; 0 to 1.
    limp : float
        Share of hands that the player plays in the small blind when all before have folded; 0 to 1.

    Raises
    ------
    EngineError
        If a figure is out of its range.
    """

    gamma: float = 1.0
    loose_preflop: float = 0.0
    loose_river: float = 0.0
    inconsistency: float = 0.0
    bias: float = 0.0
    noise: float = 0.0
    limp: float = 0.0

    def __post_init__(self) -> None:
        _require(self)
        _require_between("gamma", self.gamma, 0.0, MOST_GAMMA)
        for name in ("loose_preflop", "loose_river"):
            _require_between(name, getattr(self, name), -5.0, 0.99)
        _require_between("inconsistency", self.inconsistency, -MOST_GAMMA, MOST_GAMMA)
        for name in ("bias", "noise", "limp"):
            _require_between(name, getattr(self, name), 0.0, 1.0)


@dataclass(frozen=True)
class Decision:
    """Utilities of the three actions, no unit, and the best one.

    `raise_` is minus infinity where the stack allows no raise. `f_star` is the best commitment as a share of the stack
    before the bounds of the rules, `commitment` that of the raise in chips, `p` and `gamma` are what the style made of
    them.
    """

    fold: float
    call: float
    raise_: float
    f_star: float
    commitment: float
    choice: str
    p: float
    gamma: float


def utility(wealth: float, gamma: float) -> float:
    """Utility of a stack relative to the one at the start.

    Parameters
    ----------
    wealth : float
        Positive, 1 is the stack at the start.
    gamma : float
        Relative risk aversion, 0 or more.

    Returns
    -------
    float
        (wealth^(1 - gamma) - 1) / (1 - gamma), and its limit ln(wealth) at gamma = 1 [1]_.

    Examples
    --------
    >>> utility(0.95, 0.0), round(utility(0.95, 1.0), 5)
    (-0.050000000000000044, -0.05129)
    """
    power = (1.0 - gamma) * math.log(wealth)
    return math.log(wealth) if abs(power) < NO_POWER else math.expm1(power) / (1.0 - gamma)


def expected_utility(share: float, *, p: float, n: int, folded: float, gamma: float) -> float:
    """Utility expected of a commitment.

    Parameters
    ----------
    share : float
        Commitment as a share of the stack, 0 or more; all others who have not folded match it.
    p : float
        Chance to win, 0 to 1.
    n : int
        Players who have not folded.
    folded : float
        What those who folded left in the pot, as a share of the stack.
    gamma : float
        Relative risk aversion.

    Returns
    -------
    float
        p u(1 + (n - 1) share + folded) + (1 - p) u(1 - share) [1]_; minus infinity if the whole stack may be lost.

    Examples
    --------
    >>> round(expected_utility(0.15, p=0.2, n=4, folded=0.0, gamma=1.0), 4)
    -0.0557
    """
    lost = utility(1.0 - share, gamma) if share < 1.0 else -math.inf
    if p <= 0.0:  # no weight, even on what is infinite
        return lost
    won = utility(1.0 + (n - 1) * share + folded, gamma)
    return won if p >= 1.0 else p * won + (1.0 - p) * lost


def best_share(p: float, n: int, folded: float, gamma: float) -> float:
    """Commitment of the largest expected utility, f*.

    Parameters
    ----------
    p : float
        Chance to win, 0 to 1.
    n : int
        Players who have not folded.
    folded : float
        What those who folded left in the pot, as a share of the own stack.
    gamma : float
        Relative risk aversion; without any, all or nothing.

    Returns
    -------
    float
        Share of the own stack, 0 to 1, before the bounds of the rules [1]_.

    Examples
    --------
    >>> round(best_share(0.8, 4, 0.0, 1.0), 4), round(best_share(0.8, 4, 0.05, 2.0), 4)
    (0.7333, 0.3735)
    """
    if p >= 1.0:
        return 1.0
    odds = p * (n - 1) / (1.0 - p)
    if odds <= 1.0:
        return 0.0  # psi is 0 at odds of exactly 1, whatever gamma is, and negative below: no amount gains
    if gamma * 700.0 < math.log(odds):
        return 1.0  # psi is beyond all numbers
    psi = math.pow(odds, 1.0 / gamma) - 1.0
    return max((psi - folded) / (psi + n), 0.0)


def perceived_chance(p: float, style: Style, street: str = "preflop", *, error: float = 0.0) -> float:
    """Chance as the player sees it.

    Parameters
    ----------
    p : float
        Chance to win, 0 to 1.
    style : Style
        Of the player.
    street : {"preflop", "flop", "turn", "river"}
        On which of them the decision is.
    error : float
        Draw from a standard normal distribution for the player's noise.

    Returns
    -------
    float
        p^(1 - s) of the chance with its noise, 0 to 1 [1]_.

    Raises
    ------
    EngineError
        If there is no such street.

    Examples
    --------
    >>> round(perceived_chance(0.2, Style(loose_preflop=0.2)), 4)
    0.2759
    """
    if street not in STREETS:
        raise EngineError("street", "unknown_choice", known=", ".join(STREETS), got=street)
    way = STREETS.index(street) / (len(STREETS) - 1)
    loose = style.loose_preflop + way * (style.loose_river - style.loose_preflop)
    seen = min(max(p + style.noise * error, 0.0), 1.0)
    return math.pow(seen, 1.0 - loose)


def biased_chance(p: float, even: float, bias: float) -> float:
    """Distort a chance as players do who overrate long odds: a parabola that leaves the break-even chance alone.

    Parameters
    ----------
    p : float
        Chance to win, 0 to 1.
    even : float
        Break-even chance p_e = c / alpha, 0 to 1, not 1.
    bias : float
        delta, 0 to 1; 0 distorts nothing.

    Returns
    -------
    float
        The parabola xi through (0, delta p_e), (p_e, p_e) and (1, 1 - delta p_e) [1]_, 0 to 1.

    Examples
    --------
    >>> [round(biased_chance(p, 0.25, 0.8), 5) for p in (0.0, 0.25, 0.5, 0.75, 1.0)]
    [0.2, 0.25, 0.36667, 0.55, 0.8]
    """
    square = bias * (1.0 - 2.0 * even) / (1.0 - even)
    curve = square * p * p + (1.0 - bias - square * even) * p + bias * even
    return min(max(curve, 0.0), 1.0)


def risk_aversion(p: float, even: float, style: Style) -> float:
    """Risk aversion of a decision: gamma + lambda (p - p_e), at least 0 [1]_.

    Examples
    --------
    >>> inconsistent = Style(inconsistency=2.0)
    >>> round(risk_aversion(0.2, 0.25, inconsistent), 6), round(risk_aversion(0.8, 0.25, inconsistent), 6)
    (0.9, 2.1)
    """
    return min(max(style.gamma + style.inconsistency * (p - even), 0.0), MOST_GAMMA)


def decide(
    spot: Spot,
    style: Style | None = None,
    street: str = "preflop",
    *,
    rng: np.random.Generator | None = None,
    error: float = 0.0,
    padding: float = PADDING,
) -> Decision:
    """Decide to fold, call or raise.

    Parameters
    ----------
    spot : Spot
        What is to be decided.
    style : Style, optional
        Of the player; the Kelly player without one.
    street : {"preflop", "flop", "turn", "river"}
        On which of them, for a style that changes with it.
    rng : numpy.random.Generator, optional
        Draws the error of a player with noise; without one it is `error`.
    error : float
        Of a player with noise, in its standard deviations.
    padding : float
        By how much the stack counts as larger than it is, so that losing all of it has a utility; above 0.

    Returns
    -------
    Decision
        Of equal utilities the cheaper action; where a check is free, not a fold.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> spot = Spot(p=0.2, n=4, own=100.0, paid=5.0, call=15.0, min_raise=10.0)
    >>> found = decide(spot, padding=0.0)
    >>> found.choice, round(found.fold, 5), round(found.call, 4)
    ('fold', -0.05129, -0.0557)
    """
    style = style or Style()
    wealth = spot.own * (1.0 + padding)
    folded, call = spot.folded / wealth, min(spot.call, spot.own)
    alpha = spot.n * call + spot.folded
    even = call / alpha if alpha > 0.0 else 0.0
    if rng is not None and style.noise > 0.0:
        error = float(rng.standard_normal())
    p = perceived_chance(spot.p, style, street, error=error)
    gamma = risk_aversion(p, even, style)
    p = biased_chance(p, even, style.bias)
    f_star = best_share(p, spot.n, folded, gamma)
    least = min(spot.call + spot.min_raise, spot.own)
    commitment = min(max(f_star * wealth, least), spot.own)

    def expected(chips: float) -> float:
        return expected_utility(chips / wealth, p=p, n=spot.n, folded=folded, gamma=gamma)

    utilities = (
        utility(1.0 - spot.paid / wealth, gamma) if spot.paid < wealth else -math.inf,
        expected(call),
        expected(commitment) if spot.own > spot.call else -math.inf,
    )
    # Nobody folds who may check.
    possible = utilities[1:] if call <= spot.paid else utilities
    choice = CHOICES[len(utilities) - len(possible) + possible.index(max(possible))]
    return Decision(*utilities, f_star, commitment, choice, p, gamma)


def _require(given: Spot | Style) -> None:
    for field in fields(given):
        if not math.isfinite(getattr(given, field.name)):
            raise EngineError(field.name, "not_finite", got=getattr(given, field.name))


def _require_between(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise EngineError(name, "out_of_range", least=least, most=most, got=value)
