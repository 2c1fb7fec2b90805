"""Which of the players' results count, and why the others do not."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from payouts.engine.results import Ints, Wholes, begins, positions
from payouts.engine.season import SeasonEvent, SeasonRules


class Verdict(StrEnum):
    """What became of a result."""

    COUNTED = "counted"
    FINAL = "final"  # counts whatever the caps
    BELOW_MONTH_BEST = "below_month_best"
    WORST = "worst"
    BELOW_BEST = "below_best"
    MISSED = "missed"

    @property
    def counts(self) -> bool:
        return self in {Verdict.COUNTED, Verdict.FINAL}


# Verdicts as numbers, in columns.
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
    """Verdict on each result.

    Three steps, each on what the one before has left: the best N of each month; without the worst N, of which missed
    events are the first if they count as zero; the best N of the season. A final is outside all three. Of equal
    results of a player the earlier event's counts first.

    Parameters
    ----------
    player : int64 array, length n
        Number of the player of each result, from 0.
    event_index : int64 array, length n
        Its event.
    scored : array of whole numbers, length n
        Its points times the event's multiplier, in any unit.
    rules : SeasonRules
        `best_n_per_month`, `drop_worst`, `missed_count_as_zero` and `best_n` are used.
    events : sequence of SeasonEvent, optional
        All events of the season.
    n_held : int
        How many there were.

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
    # Distinct points in order stand for them: they may be too large for anything but Python.
    rank = np.unique(scored, return_inverse=True)[1]
    best_first = np.lexsort((event_index, -rank, player))
    if rules.best_n_per_month is not None and events is not None:
        months = np.unique([event.month for event in events], return_inverse=True)[1]
        _cap_months(verdicts, best_first, player, months[event_index], rules.best_n_per_month)
    left = best_first[verdicts[best_first] == COUNTED]
    place = positions(begins(player[left]))
    n_players = int(player.max()) + 1
    n_left = np.bincount(player[left], minlength=n_players)
    n_drop = np.full(n_players, rules.drop_worst)
    if rules.missed_count_as_zero:
        n_played = np.bincount(player, weights=verdicts != FINAL, minlength=n_players).astype(np.int64)
        n_drop -= n_held - n_finals - n_played
    n_kept = (n_left - n_drop.clip(0)).clip(0)[player[left]]
    verdicts[left[place >= n_kept]] = WORST
    if rules.best_n is not None:
        verdicts[left[(place >= rules.best_n) & (place < n_kept)]] = BELOW_BEST
    return verdicts


def _cap_months(
    verdicts: NDArray[np.int8], best_first: Ints, player: Ints, month: NDArray[np.intp], best_n: int
) -> None:
    left = best_first[verdicts[best_first] == COUNTED]
    by_month = left[np.lexsort((month[left], player[left]))]  # stable: the best of each month stay first
    place = positions(begins(player[by_month]) | begins(month[by_month]))
    verdicts[by_month[place >= best_n]] = BELOW_MONTH_BEST
