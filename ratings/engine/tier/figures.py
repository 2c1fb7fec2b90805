"""Take the figures of every entry from a replay, in columns that can be stored as they are."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ratings.engine.prediction_kernels import add_expected_places
from ratings.engine.tier import pipeline_arrays as rows
from ratings.engine.tier.explanation import FIGURES, Explanation, Figures, explain
from ratings.engine.tier.pipeline import TierReplay

Floats = npt.NDArray[np.float64]


def _expected_places(replayed: TierReplay) -> Floats:
    """Expected place of every entry in the field of its round, by the ratings that its players stand with there."""
    history, numbers = replayed.history, replayed.numbers
    expected = np.empty(history.n_entries)
    for first, end in zip(history.offset[:-1].tolist(), history.offset[1:].tolist(), strict=True):
        number, player = history.number[first:end], history.player[first:end]
        n_rounds = int(number.max())
        last = number
        if n_rounds > 1:
            _who, index = np.unique(player, return_inverse=True)
            last = np.zeros(index.max() + 1, dtype=np.int64)
            np.maximum.at(last, index, number)
            last = last[index]
        for round_number in range(1, n_rounds + 1):
            now = number == round_number
            inside = now | ((number == last) & (number < round_number))
            mu, sigma = numbers[[[rows.PRIOR_MU], [rows.PRIOR_SIGMA]], np.flatnonzero(inside) + first]
            places = np.empty(mu.size)
            add_expected_places(mu, sigma**2 + replayed.params.beta**2, places)
            expected[first:end][now] = places[now[inside]]
    return expected


def figures_of(replayed: TierReplay) -> dict[str, list[Any]]:
    """Figures of every entry of a replay, in columns.

    Parameters
    ----------
    replayed : TierReplay

    Returns
    -------
    dict of list
        By name of the field of `Figures`; each has length n_entries, in the order of the history.

    Examples
    --------
    >>> from ratings.engine.history import EventHistory
    >>> from ratings.engine.tier.pipeline import rate_event
    >>> from ratings.engine.tier.pool_state import PoolState
    >>> from ratings.engine.tier.params import TierParams
    >>> one = EventHistory.of_orders([[0, 1]], duration=60.0)
    >>> figures_of(rate_event(one, PoolState.fresh(2, TierParams()), TierParams()))["expected_place"]
    [1.5, 1.5]
    """
    history, numbers, counts = replayed.history, replayed.numbers, replayed.counts
    sizes = np.diff(history.offset)
    columns: dict[str, npt.NDArray[Any]] = {
        "number": history.number,
        "place": history.place,
        "n_entries": np.repeat(sizes, sizes),
        "field_place": counts[rows.FIELD_PLACE],
        "field_size": counts[rows.FIELD_SIZE],
        "expected_place": _expected_places(replayed),
        "n_before": replayed.n_before,
        "prior_mu": numbers[rows.PRIOR_MU],
        "prior_sigma": numbers[rows.PRIOR_SIGMA],
        "whole_mu": numbers[rows.WHOLE_MU],
        "whole_sigma": numbers[rows.WHOLE_SIGMA],
        "partial_mu": _or_none(numbers[rows.PARTIAL_MU]),
        "partial_sigma": _or_none(numbers[rows.PARTIAL_SIGMA]),
        "partial_place": counts[rows.PARTIAL_PLACE],
        "partial_size": counts[rows.PARTIAL_FIELD_SIZE],
        "is_partial_taken": counts[rows.PARTIAL_TAKEN] > 0,
        "minutes": replayed.times.played,
        "is_mean_time": replayed.times.is_mean_time,
        "hours": replayed.hours,
        "evidence": replayed.evidence,
        "table_size": np.repeat(history.table_size, sizes),
        "weight": numbers[rows.WEIGHT],
        "weight_row": counts[rows.ROW],
        "balance": numbers[rows.BALANCE],
        "n_entered": replayed.n_entered,
        "n_bust": replayed.n_bust,
        "late_part1": numbers[rows.PART1],
        "late_part2": numbers[rows.PART2],
        "penalty": numbers[rows.PENALTY],
        "posterior_mu": numbers[rows.POSTERIOR_MU],
        "posterior_sigma": numbers[rows.POSTERIOR_SIGMA],
    }
    return {name: values.tolist() for name, values in columns.items()}


def _or_none(values: Floats) -> npt.NDArray[Any]:
    column = values.astype(object)
    column[np.isnan(values)] = None
    return column


def explain_entries(replayed: TierReplay) -> list[Explanation]:
    """Explain all entries of a replay.

    Parameters
    ----------
    replayed : TierReplay

    Returns
    -------
    list of Explanation
        In the order of the history.

    References
    ----------
    See `explain`.

    Examples
    --------
    >>> from ratings.engine.history import EventHistory
    >>> from ratings.engine.tier.pipeline import rate_event
    >>> from ratings.engine.tier.pool_state import PoolState
    >>> from ratings.engine.tier.params import TierParams
    >>> one = EventHistory.of_orders([[0, 1]], duration=60.0)
    >>> why = explain_entries(rate_event(one, PoolState.fresh(2, TierParams()), TierParams()))
    >>> why[1].expected_place, why[1].place, abs(sum(by for _, by in why[1].steps) - why[1].change) < 1e-9
    (1.5, 2, True)
    """
    columns = figures_of(replayed)
    entries = zip(*(columns[name] for name in FIGURES), strict=True)
    return [explain(Figures(*values), replayed.params) for values in entries]
