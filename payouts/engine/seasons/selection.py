"""Selection of the results that count, with the reason for each."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from payouts.engine.results import Ints, Wholes, begins, positions
from payouts.engine.seasons.season import SeasonEvent, SeasonRules


class Verdict(StrEnum):
    """Why a result counts or not."""

    COUNTED = "counted"
    FINAL = "final"  # always counts
    BELOW_MONTH_BEST = "below_month_best"
    WORST = "worst"
    BELOW_BEST = "below_best"
    MISSED = "missed"

    @property
    def counts(self) -> bool:
        return self in {Verdict.COUNTED, Verdict.FINAL}


# Columns hold verdicts as indices of this tuple.
VERDICTS = tuple(Verdict)
COUNTED, FINAL, BELOW_MONTH_BEST, WORST, BELOW_BEST = range(5)


def select(
    player: Ints,
    event_index: Ints,
    scored: Wholes,
    rules: SeasonRules,
    events: Sequence[SeasonEvent] | None,
    n_held: int,
) -> NDArray[np.int8]:
    """Decide for each result whether it counts.

    Three steps, each on the results left by the one before: keep the best N of each month; drop the worst N; keep the
    best N of the season. If missed events count as zero, they are dropped after negative results and before others. A
    final is exempt from all three. Of a player's equal results, that of the earlier event counts first.

    Parameters
    ----------
    player : int64 array, length n
        Number of the player of each result, from 0.
    event_index : int64 array, length n
        Event of each result.
    scored : array of whole numbers, length n
        Points of each result times the event's multiplier, in any unit.
    rules : SeasonRules
        `best_n_per_month`, `drop_worst`, `missed_count_as_zero` and `best_n` are used.
    events : sequence of SeasonEvent, optional
        All events of the season.
    n_held : int
        Number of events held.

    Returns
    -------
    int8 array, length n
        Indices of `VERDICTS`.

    Examples
    --------
    >>> from payouts.engine.results import ints
    >>> rules = SeasonRules(best_n=1, drop_worst=1)
    >>> codes = select(ints([0, 0, 0]), ints([0, 1, 2]), ints([5, 0, 3]), rules, None, 3)
    >>> [str(VERDICTS[code]) for code in codes]
    ['counted', 'worst', 'below_best']
    """
    verdicts = np.full(len(player), COUNTED, dtype=np.int8)
    n_finals = 0
    if events is not None:
        is_final = np.array([event.is_final for event in events], dtype=bool)
        verdicts[is_final[event_index]] = FINAL
        n_finals = int(is_final.sum())
    if rules.keeps_all or not len(player):
        return verdicts
    # Points may be too large for int64, so results are sorted by the index of their points among all distinct points.
    points_index = np.unique(scored, return_inverse=True)[1]
    best_first = np.lexsort((event_index, -points_index, player))
    if rules.best_n_per_month is not None and events is not None:
        months = np.unique([event.month for event in events], return_inverse=True)[1]
        _drop_below_month_best(verdicts, best_first, player, months[event_index], rules.best_n_per_month)
    remaining = best_first[verdicts[best_first] == COUNTED]
    position = positions(begins(player[remaining]))
    n_players = int(player.max()) + 1
    n_left = np.bincount(player[remaining], minlength=n_players)
    n_drop = np.full(n_players, rules.drop_worst)
    if rules.missed_count_as_zero:
        n_played = np.bincount(player, weights=verdicts != FINAL, minlength=n_players).astype(np.int64)
        n_negative = np.bincount(player[remaining][scored[remaining] < 0], minlength=n_players)
        n_missed = n_held - n_finals - n_played
        n_drop = np.minimum(n_drop, n_negative) + (n_drop - n_negative - n_missed).clip(0)
    n_kept = (n_left - n_drop).clip(0)[player[remaining]]
    verdicts[remaining[position >= n_kept]] = WORST
    if rules.best_n is not None:
        verdicts[remaining[(position >= rules.best_n) & (position < n_kept)]] = BELOW_BEST
    return verdicts


def _drop_below_month_best(
    verdicts: NDArray[np.int8], best_first: Ints, player: Ints, month: NDArray[np.intp], best_n: int
) -> None:
    remaining = best_first[verdicts[best_first] == COUNTED]
    by_month = remaining[
        np.lexsort((month[remaining], player[remaining]))
    ]  # stable: the best of each month stay first
    position = positions(begins(player[by_month]) | begins(month[by_month]))
    verdicts[by_month[position >= best_n]] = BELOW_MONTH_BEST
