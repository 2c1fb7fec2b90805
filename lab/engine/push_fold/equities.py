"""Equities of all kinds of hands against each other before the flop, read from `equities.npz`.

`manage.py enumerate_equities` makes the file (`enumeration`): a part in 65,535 is its rounding, 0.0008 % of the pot.
"""

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.push_fold.hands import N_KINDS

Floats = npt.NDArray[np.float64]

FILE: Final = Path(__file__).with_name("equities.npz")
# Steps of the equities in the file, so that they fit into 16 bits.
STEPS: Final = 65_534


def write_equities(equities: Floats, file: Path = FILE) -> None:
    """Store the half above the diagonal; the other half is one less it."""
    above = equities[np.triu_indices(N_KINDS, 1)]
    np.savez_compressed(file, above=np.rint(above * STEPS).astype(np.uint16))


@cache
def equities() -> Floats:
    """Read the share of the pot that each kind wins against each other, shape (169, 169).

    Examples
    --------
    >>> from lab.engine.push_fold.hands import KINDS
    >>> round(equities()[KINDS["AA"], KINDS["KK"]].item(), 4)
    0.8195
    """
    with np.load(FILE) as stored:
        above = stored["above"] / STEPS
    table = np.full((N_KINDS, N_KINDS), 0.5)
    rows, columns = np.triu_indices(N_KINDS, 1)
    table[rows, columns], table[columns, rows] = above, 1.0 - above
    table.setflags(write=False)
    return table
