"""Decisions that maximize expected utility: fold, call or raise with a chance to win (Kelly and CRRA players)."""

import math
from dataclasses import dataclass
from typing import Final, Literal

Choice = Literal["fold", "call", "raise"]
PADDING: Final = 1.02


@dataclass(frozen=True)
class Spot:
    """A decision, in chips; `min_raise` None if nobody may raise."""

    p: float
    n: int
    own: float
    paid: float
    call: float
    min_raise: float | None
    folded: float = 0.0


@dataclass(frozen=True)
class Style:
    gamma: float = 1.0
    tightness: tuple[float, float] = (0.0, 0.0)
    inconsistency: float = 0.0
    bias: float | None = None
    noise: float = 0.0


@dataclass(frozen=True)
class Decision:
    fold: float
    call: float
    raise_: float | None
    f_star: float
    choice: Choice


def utility(wealth: float, gamma: float) -> float:
    power = (1 - gamma) * math.log(wealth)
    return math.log(wealth) if abs(power) < 1e-12 else math.expm1(power) / (1 - gamma)


def best_share(p: float, n: int, folded: float, gamma: float) -> float:
    if p >= 1:
        return 1.0
    odds = p * (n - 1) / (1 - p)
    if gamma < 1e-9:
        return 1.0 if odds > 1 else 0.0
    psi = math.inf if odds > 1 and math.log(odds) / gamma > 700 else odds ** (1 / gamma) - 1
    return 1.0 if math.isinf(psi) else max((psi - folded) / (psi + n), 0.0)


def biased(p: float, even: float, delta: float) -> float:
    square = delta * (1 - 2 * even) / (1 - even)
    return square * p * p + (1 - delta - square * even) * p + delta * even


def decide(spot: Spot, style: Style, street: int) -> Decision:
    first, last = style.tightness
    p = spot.p ** (1 - (first + (last - first) * street / 3))
    wealth = spot.own * PADDING
    dead = spot.folded / wealth
    even = spot.call / (spot.n * spot.call + spot.folded)
    gamma = max(style.gamma + style.inconsistency * (p - even), 0.0)
    p = biased(p, even, style.bias or 0.0)

    def expected(share: float) -> float:
        won = utility(1 + (spot.n - 1) * share + dead, gamma)
        return p * won + (1 - p) * utility(1 - share, gamma)

    fold, call = utility(1 - spot.paid / wealth, gamma), expected(spot.call / wealth)
    f_star = best_share(p, spot.n, dead, gamma)
    values: dict[Choice, float] = {"call": call, "fold": fold}
    raise_ = None
    if spot.min_raise is not None:
        least = min((spot.call + spot.min_raise) / wealth, spot.own / wealth)
        raise_ = values["raise"] = expected(min(max(f_star, least), spot.own / wealth))
    return Decision(fold, call, raise_, f_star, max(values, key=lambda name: values[name]))
