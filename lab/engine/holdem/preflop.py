"""Chances to win before the flop, from a stored table: 169 classes of two cards against one to nine random hands.

`preflop.csv` is written by `manage.py make_preflop_table`, which says how many hands it draws.
"""

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.holdem.cards import N_RANKS, RANKS

MOST_OTHERS: Final = 9
N_CLASSES: Final = N_RANKS * N_RANKS
# Pairs of cards in each class: 6 of equal ranks, 4 suited, 12 others.
COMBINATIONS: Final = np.array(
    [6 if high == low else 4 if high > low else 12 for high in range(N_RANKS) for low in range(N_RANKS)]
)
TABLE: Final = Path(__file__).with_name("preflop.csv")


def class_of(first: int, second: int) -> int:
    """Index of the class of two cards: 13 * high + low if suited, else 13 * low + high.

    Examples
    --------
    >>> class_name(class_of(51, 47)), class_name(class_of(47, 50))
    ('AKs', 'AKo')
    """
    low, high = sorted((first // 4, second // 4))
    return N_RANKS * high + low if first % 4 == second % 4 else N_RANKS * low + high


def class_name(index: int) -> str:
    """Name a class as players do."""
    first, second = divmod(index, N_RANKS)
    if first == second:
        return 2 * RANKS[first]
    return RANKS[max(first, second)] + RANKS[min(first, second)] + ("s" if first > second else "o")


def cards_of_class(index: int) -> tuple[int, int]:
    """Two cards of a class.

    Examples
    --------
    >>> all(class_of(*cards_of_class(index)) == index for index in range(N_CLASSES))
    True
    """
    first, second = divmod(index, N_RANKS)
    return 4 * first, 4 * second + (first <= second)


@cache
def preflop_chances() -> npt.NDArray[np.float64]:
    """Read the table: float64, shape (169, 9), by class and number of other players less one."""
    chances = np.loadtxt(TABLE, delimiter=",", skiprows=1, usecols=range(1, MOST_OTHERS + 1))
    chances.setflags(write=False)
    return chances


@cache
def least_chance(share: float) -> float:
    """Chance against one random hand of the weakest of the best hands that make up a share; infinite for none.

    Examples
    --------
    >>> class_name(int(np.flatnonzero(preflop_chances()[:, 0] == least_chance(6 / 1326))[0]))
    'AA'
    """
    chances = preflop_chances()[:, 0]
    best = np.argsort(-chances, kind="stable")
    n_best = np.searchsorted(np.cumsum(COMBINATIONS[best]), share * COMBINATIONS.sum(), side="right")
    return float(chances[best[n_best - 1]]) if n_best else np.inf


def table_text(chances: npt.NDArray[np.float64]) -> str:
    """Write the table as it is stored, with five decimals."""
    lines = [",".join(["hand", *map(str, range(1, MOST_OTHERS + 1))])]
    lines += [
        ",".join([class_name(index), *(f"{chance:.5f}" for chance in row)])
        for index, row in enumerate(chances)
    ]
    return "\n".join(lines) + "\n"
