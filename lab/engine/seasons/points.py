"""Points of every place in every field that a scenario can have, in whole numbers."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from lab.engine.errors import EngineError
from lab.engine.seasons.scenario import Scenario
from payouts.engine.results import whole_points
from payouts.engine.structures.structure import PointsStructure

Ints = npt.NDArray[np.int64]
# Most points of a place, in units: sums over all simulated seasons and the squares of profits stay below 2^63.
MOST_UNITS = 10**9
MOST_POINTS = 10**5


@lru_cache(maxsize=64)
def points_table(structure: PointsStructure, least: int, most: int) -> tuple[Ints, int]:
    """Compute the points of each place by number of entries.

    Parameters
    ----------
    structure : PointsStructure
    least, most : int
        Numbers of entries.

    Returns
    -------
    table : int64, shape (most + 1, most)
        Row n: points of the places of n entries, in units; rows below `least` are zero.
    unit : int
        How many units make one point.

    Raises
    ------
    EngineError
        If the points are too large or too fine to be summed.

    Examples
    --------
    >>> table, unit = points_table(PointsStructure("linear"), 3, 3)
    >>> table[3].tolist(), unit
    ([3, 2, 1], 1)
    """
    rows = {n: structure.points(n) for n in range(least, most + 1)}
    flat = [points for row in rows.values() for points in row]
    wholes, unit = whole_points([each.numerator for each in flat], [each.denominator for each in flat])
    largest = max(map(int, wholes))
    if largest > min(MOST_UNITS, MOST_POINTS * unit):
        raise EngineError("structure", "points_too_large", structure=structure.name)
    table, start = np.zeros((most + 1, most), dtype=np.int64), 0
    for n in rows:
        table[n, :n] = wholes[start : start + n]
        start += n
    return table, unit


def tables_of(scenario: Scenario) -> tuple[Ints, Ints]:
    """Compute the points tables of all variants, and the unit of each.

    Parameters
    ----------
    scenario : Scenario

    Returns
    -------
    tables : int64, shape (n_variants, most_entries + 1, most_entries)
    units : int64, shape (n_variants,)

    Raises
    ------
    EngineError
        As `points_table`.

    Examples
    --------
    >>> tables, units = tables_of(Scenario(counts=(1, 1, 1, 0, 0), size=3))
    >>> tables[0, 3].tolist(), units.tolist()
    ([2, 1, 0], [1])
    """
    pairs = [
        points_table(variant.structure, scenario.least_entries, scenario.most_entries)
        for variant in scenario.variants
    ]
    return np.stack([table for table, _unit in pairs]), np.array([unit for _table, unit in pairs])
