"""Breakdown of a player's total: whether each event counts and why, and the sum of each month."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from payouts.engine.results import EventResult, SeasonResults
from payouts.engine.seasons.season import (
    DEFAULT_RULES,
    BroughtForward,
    SeasonEvent,
    SeasonRules,
    check_season,
)
from payouts.engine.seasons.selection import VERDICTS, Verdict
from payouts.engine.seasons.tallies import Scale, Tally, tallies_of

ZERO = Fraction(0)


@dataclass(frozen=True)
class EventVerdict:
    """How one event counts for a player.

    `points` are what the event paid; `counted` is what it adds to the total: points x multiplier, or 0 if dropped or
    missed. `limit` is the N of the rule that dropped it, else None.
    """

    event_index: int
    verdict: Verdict
    points: Fraction
    multiplier: Fraction
    counted: Fraction
    month: str
    limit: int | None


@dataclass(frozen=True)
class PlayerBreakdown:
    """Parts of a player's total: counted points + points brought forward = points; points + attendance = total.

    `events` are in order of index, missed ones included; `months` has the counted points by month, in order of the
    first event of each.
    """

    player_id: int
    events: tuple[EventVerdict, ...]
    months: tuple[tuple[str, Fraction], ...]
    brought_forward: BroughtForward | None
    points: Fraction
    attendance: Fraction
    total: Fraction


def season_breakdown(
    results: Iterable[EventResult] | SeasonResults,
    rules: SeasonRules = DEFAULT_RULES,
    *,
    events: Sequence[SeasonEvent] | None = None,
    brought_forward: Iterable[BroughtForward] = (),
) -> list[PlayerBreakdown]:
    """Break down every player's total; the sums are those of `season_rows`, computed by the same steps.

    Parameters
    ----------
    results, rules, events, brought_forward
        As for `season_rows`. If `events` is given, one player's results are enough for the player's breakdown.

    Returns
    -------
    list of PlayerBreakdown
        In order of player_id.

    Raises
    ------
    ValueError
        As `season_rows`.

    Examples
    --------
    >>> results = [EventResult(7, event, Fraction(points), 1, 2) for event, points in enumerate((5, 0, 3))]
    >>> player, = season_breakdown(results, SeasonRules(best_n=2))
    >>> [str(event.verdict) for event in player.events], int(player.total)
    (['counted', 'below_best', 'counted'], 11)
    """
    results, brought_forward = SeasonResults.of(results), list(brought_forward)
    check_season(results, rules, events, brought_forward)
    scale = Scale(results, rules, events, brought_forward)
    event_indices = sorted(set(results.event_index.tolist())) if events is None else range(len(events))
    brought_by_player = {totals.player_id: totals for totals in brought_forward}
    tallies = tallies_of(results, rules, events, brought_forward, scale)
    tallies.sort(key=lambda tally: tally.player_id)
    return [
        _breakdown(
            tally,
            _verdicts(tally, rules, events, event_indices, scale),
            brought_by_player.get(tally.player_id),
            scale,
        )
        for tally in tallies
    ]


def _breakdown(
    tally: Tally, verdicts: tuple[EventVerdict, ...], brought_forward: BroughtForward | None, scale: Scale
) -> PlayerBreakdown:
    months = dict.fromkeys((verdict.month for verdict in verdicts), ZERO)
    for verdict in verdicts:
        months[verdict.month] += verdict.counted
    return PlayerBreakdown(
        player_id=tally.player_id,
        events=verdicts,
        months=tuple(months.items()),
        brought_forward=brought_forward,
        points=Fraction(tally.points, scale.unit),
        attendance=Fraction(tally.total - tally.points, scale.unit),
        total=Fraction(tally.total, scale.unit),
    )


def _verdicts(
    tally: Tally,
    rules: SeasonRules,
    events: Sequence[SeasonEvent] | None,
    event_indices: Sequence[int],
    scale: Scale,
) -> tuple[EventVerdict, ...]:
    limits = {
        Verdict.BELOW_MONTH_BEST: rules.best_n_per_month,
        Verdict.WORST: rules.drop_worst,
        Verdict.BELOW_BEST: rules.best_n,
    }
    columns = (column.tolist() for column in (tally.events, tally.paid, tally.verdicts))
    played = {
        event: (Fraction(paid, scale.unit), VERDICTS[code])
        for event, paid, code in zip(*columns, strict=True)
    }
    event_verdicts = []
    for index in event_indices:
        points, verdict = played.get(index, (ZERO, Verdict.MISSED))
        multiplier = scale.multiplier(index)
        event_verdicts.append(
            EventVerdict(
                event_index=index,
                verdict=verdict,
                points=points,
                multiplier=multiplier,
                counted=points * multiplier if verdict.counts else ZERO,
                month="" if events is None else events[index].month,
                limit=limits.get(verdict),
            )
        )
    return tuple(event_verdicts)
