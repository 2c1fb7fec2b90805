"""Results of a season in columns: half a million of them are summed, dropped and ranked in a fraction of a second."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
# Whole numbers of any size: int64 where all sums fit, else Python's own.
Wholes: TypeAlias = NDArray[Any]
LARGEST = 2**62


class EventResult(NamedTuple):
    """A player's result in one event: the points of all entries together, and the finishing place."""

    player_id: int
    event_index: int
    points: Fraction
    n_entries: int
    place: int


@dataclass(frozen=True)
class SeasonResults:
    """One result for each player and event, in any order.

    Parameters
    ----------
    player_id, event_index, n_entries, place : int64 array, length n
        As in `EventResult`.
    points : array of whole numbers, length n
        Points, in units of 1/unit.
    unit : int
        How many of these units make one point.
    """

    player_id: Ints
    event_index: Ints
    points: Wholes
    n_entries: Ints
    place: Ints
    unit: int

    def __len__(self) -> int:
        return len(self.player_id)

    def where(self, chosen: NDArray[Any]) -> "SeasonResults":
        """Select results by a mask or by indices."""
        return SeasonResults(
            self.player_id[chosen],
            self.event_index[chosen],
            self.points[chosen],
            self.n_entries[chosen],
            self.place[chosen],
            self.unit,
        )

    @classmethod
    def of(cls, results: "Iterable[EventResult] | SeasonResults") -> "SeasonResults":
        """Convert single results to columns; return columns unchanged.

        Examples
        --------
        >>> results = SeasonResults.of([EventResult(7, 0, Fraction(5, 2), 1, 1), EventResult(8, 0, Fraction(1), 1, 2)])
        >>> results.points.tolist(), results.unit
        ([5, 2], 2)
        """
        if isinstance(results, SeasonResults):
            return results
        columns = list(zip(*results, strict=True)) or [()] * len(EventResult._fields)
        player_id, event_index, points, n_entries, place = columns
        wholes, unit = whole_points(
            [value.numerator for value in points], [value.denominator for value in points]
        )
        return cls(ints(player_id), ints(event_index), wholes, ints(n_entries), ints(place), unit)

    @classmethod
    def of_entries(
        cls,
        player_id: Ints,
        event_index: Ints,
        place: Ints,
        is_last: NDArray[np.bool_],
        points: Wholes,
        unit: int,
    ) -> "SeasonResults":
        """Merge the entries of each player and event into one result: the sum of points, the place of the last entry.

        Parameters
        ----------
        player_id, event_index, place : int64 array, length n
            Of each entry.
        is_last : bool array, length n
            Whether it is the player's last entry of the event; exactly one is.
        points : array of whole numbers, length n
            Points, in units of 1/unit.

        Examples
        --------
        >>> last = np.array([True, True, False])
        >>> results = SeasonResults.of_entries(
        ...     ints([7, 8, 7]), ints([0, 0, 0]), ints([1, 2, 3]), last, ints([3, 1, 0]), 1)
        >>> results.player_id.tolist(), results.points.tolist(), results.n_entries.tolist(), results.place.tolist()
        ([7, 8], [3, 1], [2, 1], [1, 2])
        """
        order = np.lexsort((~is_last, player_id, event_index))
        player_id, event_index = player_id[order], event_index[order]
        starts = np.flatnonzero(begins(event_index) | begins(player_id))
        n_entries = np.diff(starts, append=len(order))
        sums = np.add.reduceat(points[order], starts) if len(starts) else points
        return cls(player_id[starts], event_index[starts], sums, n_entries, place[order][starts], unit)


def ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), dtype=np.int64)


def whole_points(numerators: Sequence[int] | Ints, denominators: Sequence[int] | Ints) -> tuple[Wholes, int]:
    """Convert fractions to whole numbers of 1/unit, returned with the unit.

    Examples
    --------
    >>> wholes, unit = whole_points([5, 1], [3, 2])
    >>> wholes.tolist(), unit
    ([10, 3], 6)
    """
    above, below = np.asarray(numerators), np.asarray(denominators)
    unit = lcm(*np.unique(below).tolist())
    largest = max(1, *(abs(int(value)) for value in (above.max(), above.min()))) * unit if len(above) else 1
    dtype = whole_dtype(largest, len(above))
    wholes: Wholes = above.astype(dtype) * (unit // below.astype(dtype))
    return wholes, unit


def whole_dtype(largest: int, n: int) -> type:
    """Choose the type in which `n` numbers up to `largest` can be summed."""
    return np.int64 if largest * max(n, 1) < LARGEST else object


def begins(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark where each run of equal labels begins.

    Examples
    --------
    >>> begins(ints([4, 4, 7, 4])).tolist()
    [True, False, True, True]
    """
    first = np.ones(len(labels), dtype=bool)
    first[1:] = labels[1:] != labels[:-1]
    return first


def positions(first: NDArray[np.bool_]) -> Ints:
    """Number the members of each run from 0, given where runs begin.

    Examples
    --------
    >>> positions(begins(ints([4, 4, 7, 4]))).tolist()
    [0, 1, 0, 0]
    """
    index = np.arange(len(first))
    return index - np.maximum.accumulate(np.where(first, index, 0))
