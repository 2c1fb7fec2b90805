"""The share of hands a player pays into by choice (VPIP), by table size and position.

From the percentage phi at a table of six, a player plays at a table of n

    VPIP(n)          = 6 phi / (n - max(n - 6, 0) / 2)
    VPIP(n, tau)     = VPIP(6) + tau (VPIP(n) - VPIP(6))
    VPIP(n, tau, pi) = VPIP(n, tau) + pi (multiplier - 1) VPIP(n, tau)

percent of the hands, kept within 0 and 100. The table factor tau says how far a player follows the size of the table,
the position factor pi how far the position; the multipliers of a table size average 1.

This is a model, not a count of hands.

References
----------
.. [1] A Japanese author's note on simulated hold'em players, "VPIP by table size and position": formulas,
   multipliers, strategy factor and the small blind.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ratings.engine.errors import EngineError

Floats = npt.NDArray[np.float64]

# Of the size at which VPIP is phi, and from which one more seat counts half [1]_.
BASELINE_SEATS = 6
LEAST_SEATS, MOST_SEATS = 2, 10
# In the order in which they act before the flop; a smaller table lacks the first ones, and one of two the button.
POSITIONS = ("UTG", "EP1", "EP2", "MP", "LJ", "HJ", "CO", "BTN", "SB", "BB")
# Multipliers of the positions by table size, each row's last for the big blind [1]_.
MULTIPLIERS: Mapping[int, tuple[float, ...]] = MappingProxyType(
    {
        2: (1.25, 0.75),
        3: (1.2, 0.95, 0.85),
        4: (0.85, 1.3, 1.0, 0.85),
        5: (0.75, 0.9, 1.4, 1.05, 0.9),
        6: (0.7, 0.8, 0.9, 1.55, 1.1, 0.95),
        7: (0.65, 0.75, 0.85, 0.95, 1.65, 1.2, 0.95),
        8: (0.6, 0.7, 0.8, 0.9, 1.0, 1.75, 1.25, 1.0),
        9: (0.55, 0.65, 0.75, 0.85, 0.95, 1.05, 1.85, 1.3, 1.05),
        10: (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.9, 1.4, 1.1),
    }
)
# Least and most of a parameter; beyond them nothing but the bounds of 0 and 100 percent is left of the model.
BOUNDS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"phi": (0.0, 100.0), "tau": (0.0, 10.0), "pi": (-10.0, 10.0)}
)
MOST_STRATEGY = 10.0


@dataclass(frozen=True)
class VpipParams:
    """A player's tendency to play hands.

    Parameters
    ----------
    phi : float
        Percent of the hands played at a table of six, 0 to 100.
    tau : float
        Table factor, 0 to 10: 0 plays as many hands at every table, 1 follows the model.
    pi : float
        Position factor, -10 to 10: 0 plays as many hands at every position, 1 follows the model, below 0 the wrong way.

    Raises
    ------
    EngineError
        If one is not finite or out of its range.
    """

    phi: float = 20.0
    tau: float = 1.0
    pi: float = 1.0

    def __post_init__(self) -> None:
        for field in fields(self):
            _require_between(field.name, getattr(self, field.name), *BOUNDS[field.name])


@dataclass(frozen=True)
class TableVpip:
    """What a player plays at a table of one size, percent.

    `unbounded` has the model's values before they are kept within 0 and 100, by position as `positions`; `average` is
    that of the table, kept within the same bounds.
    """

    seats: int
    positions: tuple[str, ...]
    unbounded: Floats
    average: float

    @property
    def vpip(self) -> Floats:
        return np.clip(self.unbounded, 0.0, 100.0)

    @property
    def folded_to_small_blind(self) -> float:
        """Percent of the hands in which all before the small blind fold, if all are players of this kind."""
        return 100.0 * float(np.prod(1.0 - self.vpip[:-2] / 100.0))


def vpip_by_table_size(seats: npt.ArrayLike, phi: float) -> Floats:
    """Share of hands at a table of any size, VPIP(n).

    Parameters
    ----------
    seats : array_like of float, any shape
        Seats at the table, at least 2; not checked.
    phi : float
        Percent at a table of six.

    Returns
    -------
    float64 array, the same shape
        Percent, not kept below 100 [1]_.

    Examples
    --------
    >>> vpip_by_table_size([2, 6, 9, 10], 25.0).tolist()
    [75.0, 25.0, 20.0, 18.75]
    """
    n = np.asarray(seats, dtype=np.float64)
    return BASELINE_SEATS * phi / (n - 0.5 * np.maximum(n - BASELINE_SEATS, 0.0))


def table_vpip(params: VpipParams, seats: int) -> TableVpip:
    """Share of hands at a table, by position.

    Parameters
    ----------
    params : VpipParams
        The player's tendency.
    seats : int
        2 to 10.

    Returns
    -------
    TableVpip
        In the order in which positions act before the flop [1]_.

    Raises
    ------
    EngineError
        If there is no such table.

    Examples
    --------
    >>> table = table_vpip(VpipParams(phi=20.0), 6)
    >>> dict(zip(table.positions, table.vpip.round(1).tolist()))
    {'LJ': 14.0, 'HJ': 16.0, 'CO': 18.0, 'BTN': 31.0, 'SB': 22.0, 'BB': 19.0}
    """
    if seats not in MULTIPLIERS:
        raise EngineError("seats", "no_whole_number_in_range", least=LEAST_SEATS, most=MOST_SEATS, got=seats)
    model = float(vpip_by_table_size(seats, params.phi))
    average = params.phi + params.tau * (model - params.phi)
    unbounded = average + params.pi * (average * np.array(MULTIPLIERS[seats]) - average)
    return TableVpip(seats, positions_of(seats), unbounded, min(max(average, 0.0), 100.0))


def positions_of(seats: int) -> tuple[str, ...]:
    """List the positions of a table of 2 to 10 seats; heads up, the small blind has the button."""
    blinds = POSITIONS[-2:]
    return (*POSITIONS[len(POSITIONS) - seats : -2], *blinds)


def limped_in(params: VpipParams, seats: int) -> float:
    """Hands that a small blind adds by playing heads up, as at a table of two, whenever all before it fold.

    Parameters
    ----------
    params : VpipParams
        The tendency of every player at the table.
    seats : int
        2 to 10.

    Returns
    -------
    float
        Percentage points: how often all fold to the small blind, times its VPIP at a table of two [1]_.

    Examples
    --------
    >>> round(limped_in(VpipParams(phi=20.0), 10), 2)
    21.83
    """
    heads_up = float(table_vpip(params, LEAST_SEATS).vpip[0])
    return table_vpip(params, seats).folded_to_small_blind * heads_up / 100.0


def with_limp_in(params: VpipParams, seats: int) -> TableVpip:
    """Compute the share of hands at a table whose small blind also limps in when all before it fold.

    Parameters
    ----------
    params : VpipParams
        The tendency of every player at the table.
    seats : int
        2 to 10.

    Returns
    -------
    TableVpip
        That of `table_vpip` with `limped_in` added to the small blind, and to the average by its share for each seat.
        Heads up nobody sits before the small blind, and nothing is added [1]_.

    Examples
    --------
    >>> table = with_limp_in(VpipParams(phi=20.0), 10)
    >>> round(float(table.vpip[-2]), 2), round(table.average, 2)
    (42.83, 17.18)
    """
    table = table_vpip(params, seats)
    if seats == LEAST_SEATS:
        return table
    added = limped_in(params, seats)
    unbounded = table.unbounded.copy()
    unbounded[-2] += added
    return TableVpip(seats, table.positions, unbounded, min(table.average + added / seats, 100.0))


def moved_ranges(ranges: Sequence[float], total: float, strategy: float) -> Floats:
    """Ranges of a player whose total changes with table and position.

    Parameters
    ----------
    ranges : sequence of float, shape (m,)
        Percent of the hands played at least so strongly: 3-bet, 2-bet, call, for example; 0 to 100, none below the
        one before it, the last above 0.
    total : float
        New last range, percent.
    strategy : float
        Strategy factor s, -10 to 10: 0 keeps the strong ranges as they are, 1 keeps all in proportion.

    Returns
    -------
    float64 array, shape (m,)
        phi_i + s phi_i (total / phi_m - 1), at most the total and at least 0; the last is the total [1]_.

    Raises
    ------
    EngineError
        If a percentage or the factor is out of its range, or the ranges are not in order.

    Examples
    --------
    >>> moved_ranges([5.0, 10.0, 20.0], 10.0, 0.5).tolist()
    [3.75, 7.5, 10.0]
    """
    _require_between("to", total, 0.0, 100.0)
    _require_between("strategy", strategy, -MOST_STRATEGY, MOST_STRATEGY)
    for i, value in enumerate(ranges):
        _require_between("ranges", value, 0.0, 100.0)
        if i and value < ranges[i - 1]:
            raise EngineError("ranges", "below_other", name=f"range {i}", value=ranges[i - 1], got=value)
    if not ranges or ranges[-1] == 0.0:
        raise EngineError("ranges", "not_positive", got=ranges[-1] if ranges else "none")
    given = np.array(ranges, dtype=np.float64)
    moved: Floats = np.clip(given + strategy * given * (total / given[-1] - 1.0), 0.0, total)
    moved[-1] = total
    return moved


def _require_between(name: str, value: float, least: float, most: float) -> None:
    if not math.isfinite(value):
        raise EngineError(name, "not_finite", got=value)
    if not least <= value <= most:
        raise EngineError(name, "out_of_range", least=least, most=most, got=value)
