"""Which of a player's results count, and why the others do not."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

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


def select(
    scored: Sequence[tuple[int, int]],
    rules: SeasonRules,
    events: Sequence[SeasonEvent] | None,
    n_missed: int,
) -> list[Verdict]:
    """Verdict on each result of one player.

    Three steps, each on what the one before has left: the best N of each month; without the worst N; the best N of
    the season. A final is outside all three. Of equal results the earlier event's counts first.

    Parameters
    ----------
    scored : sequence of (int, int), length n
        Event index and points (times the event's multiplier, in any unit) of each result.
    rules : SeasonRules
        `best_n_per_month`, `drop_worst`, `missed_count_as_zero` and `best_n` are used.
    events : sequence of SeasonEvent, optional
        All events of the season.
    n_missed : int
        Events but finals that the player did not play: if they count as zero, they are dropped first.

    Returns
    -------
    list of Verdict, length n

    Examples
    --------
    >>> [str(verdict) for verdict in select([(0, 5), (1, 0), (2, 3)], SeasonRules(best_n=1, drop_worst=1), None, 0)]
    ['counted', 'worst', 'below_best']
    """
    verdicts = [Verdict.COUNTED] * len(scored)
    best_first = sorted(range(len(scored)), key=lambda i: (-scored[i][1], scored[i][0]))
    if events is not None:
        for i in best_first:
            if events[scored[i][0]].is_final:
                verdicts[i] = Verdict.FINAL
        _cap_months(verdicts, best_first, scored, rules, events)
    left = [i for i in best_first if verdicts[i] is Verdict.COUNTED]
    n_drop = rules.drop_worst - (n_missed if rules.missed_count_as_zero else 0)
    n_kept = max(len(left) - max(n_drop, 0), 0)
    for i in left[n_kept:]:
        verdicts[i] = Verdict.WORST
    if rules.best_n is not None:
        for i in left[rules.best_n : n_kept]:
            verdicts[i] = Verdict.BELOW_BEST
    return verdicts


def _cap_months(
    verdicts: list[Verdict],
    best_first: Sequence[int],
    scored: Sequence[tuple[int, int]],
    rules: SeasonRules,
    events: Sequence[SeasonEvent],
) -> None:
    if rules.best_n_per_month is None:
        return
    kept: Counter[str] = Counter()
    for i in best_first:
        if verdicts[i] is Verdict.COUNTED:
            month = events[scored[i][0]].month
            kept[month] += 1
            if kept[month] > rules.best_n_per_month:
                verdicts[i] = Verdict.BELOW_MONTH_BEST


def n_events_missed(
    scored: Sequence[tuple[int, int]], events: Sequence[SeasonEvent] | None, n_held: int
) -> int:
    """Events but finals, of the `n_held` there were, that are not among the player's results."""
    if events is None:
        return n_held - len(scored)
    n_played = sum(not events[index].is_final for index, _ in scored)
    return sum(not event.is_final for event in events) - n_played
