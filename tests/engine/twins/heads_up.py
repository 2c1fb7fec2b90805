"""Compute what push or call is worth between two players, from its definition."""

import numpy as np

from lab.engine.push_fold.hands import N_KINDS, PAIRINGS
from lab.engine.push_fold.heads_up import Floats, called


def value_of_push(stack: float, call: Floats) -> Floats:
    """Chips that the small blind wins by pushing each kind, against one who calls so; a fold loses the small blind."""
    chances = PAIRINGS / PAIRINGS.sum(axis=1, keepdims=True)
    return np.asarray((chances * (called(stack) * call + (1.0 - call))).sum(axis=1))


def value_of_call(stack: float, push: Floats) -> Floats:
    """Chips that the big blind wins by calling each kind, against one who pushes so; a fold loses the big blind."""
    pushes = PAIRINGS * push[:, None]
    total = pushes.sum(axis=0)
    won = -(pushes * called(stack)).sum(axis=0)
    return np.asarray(np.divide(won, total, out=np.zeros(N_KINDS), where=total > 0.0))
