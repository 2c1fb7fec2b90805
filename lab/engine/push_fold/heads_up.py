"""The equilibrium of push or fold between two players: solved as a linear program, stored for whole stacks.

The small blind pushes or folds, the big blind calls or folds, and neither knows more than the own two cards. The value
of a game of two players with one winner is found by a linear program: the small blind chooses how often to push each
kind of hand, and for each kind the big blind takes the better of its two answers. The dual prices say how often it
calls.

References
----------
.. [1] D. Koller, N. Megiddo and B. von Stengel, "Efficient Computation of Equilibria for Extensive Two-Person Games",
   Games and Economic Behavior 14 (1996), 247-259: the linear program.
"""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lab.engine.errors import EngineError
from lab.engine.push_fold.equities import equities
from lab.engine.push_fold.hands import N_KINDS, PAIRINGS

Floats = npt.NDArray[np.float64]

FILE: Final = Path(__file__).with_name("equilibria.npz")
# Big blinds of the stored equilibria.
STACKS: Final = range(1, 26)
SMALL_BLIND: Final = 0.5


class Equilibrium(NamedTuple):
    """How often the small blind pushes, and the big blind calls, each kind of hand, shape (169,) each."""

    push: Floats
    call: Floats


def weights() -> Floats:
    """Chance of each two kinds to be dealt, shape (169, 169)."""
    return np.asarray(PAIRINGS / PAIRINGS.sum())


def called(stack: float) -> Floats:
    """Chips that the small blind wins on average if it pushes and is called, in big blinds, shape (169, 169)."""
    return np.asarray(stack * (2.0 * equities() - 1.0))


def solve(stack: float) -> Equilibrium:
    """Solve the game for one effective stack in big blinds, before the blinds are paid."""
    from scipy.optimize import linprog

    chances = weights()
    # Columns: how often each kind is pushed, then what the game is worth by the big blind's kind if it was pushed.
    worth = np.concatenate([SMALL_BLIND * chances.sum(axis=1), np.ones(N_KINDS)])
    if_folded = np.hstack([-chances.T, np.eye(N_KINDS)])
    if_called = np.hstack([-(chances * called(stack)).T, np.eye(N_KINDS)])
    bounds = [(0.0, 1.0)] * N_KINDS + [(None, None)] * N_KINDS
    found = linprog(
        -worth, np.vstack([if_folded, if_called]), np.zeros(2 * N_KINDS), bounds=bounds, method="highs"
    )
    prices = -found.ineqlin.marginals
    return Equilibrium(np.clip(found.x[:N_KINDS], 0.0, 1.0), np.clip(prices[N_KINDS:], 0.0, 1.0))


def write_equilibria(file: Path = FILE) -> None:
    """Solve and store the equilibria of `STACKS`."""
    solved = [solve(stack) for stack in STACKS]
    np.savez_compressed(file, both=np.array(solved, dtype=np.float32))


@cache
def _stored() -> npt.NDArray[np.float32]:
    with np.load(FILE) as stored:
        return np.asarray(stored["both"])


def equilibrium(stack: int) -> Equilibrium:
    """Read the equilibrium of one of `STACKS`, in big blinds."""
    if stack not in STACKS:
        raise EngineError(
            "stack", "no_whole_number_in_range", least=STACKS.start, most=STACKS.stop - 1, got=stack
        )
    push, call = _stored()[stack - STACKS.start].astype(np.float64)
    return Equilibrium(push, call)
