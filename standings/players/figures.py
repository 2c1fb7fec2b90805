"""What a player's history adds up to: means, runs, the best results, the way of the rate."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import fmean, stdev
from typing import NamedTuple

from django.utils.timezone import localtime

from standings.players.history import RatedEvent

N_LAST, N_BEST = 5, 5
LEAST_OF_A_RUN = 2
LEAST_OF_AN_INTERVAL = 3
SHARE_OF_INTERVAL = 0.8


class Run(NamedTuple):
    """Events in a row."""

    first: RatedEvent
    last: RatedEvent
    n: int


class Figures(NamedTuple):
    """The figures at the top of the page of a player."""

    now: RatedEvent
    n_events: int
    n_wins: int
    last_places: list[int]
    mean_place: float
    mean_expected: float
    highest: RatedEvent
    badge_since: RatedEvent | None  # None in placement

    @property
    def low(self) -> float:
        return self.now.rate - self.now.sigma / 2

    @property
    def high(self) -> float:
        return self.now.rate + self.now.sigma / 2

    @property
    def days_at_badge(self) -> int:
        """Count the days of the club's calendar since the badge was reached, up to the last event."""
        reached = self.badge_since.starts_at if self.badge_since else self.now.starts_at
        return (localtime(self.now.starts_at).date() - localtime(reached).date()).days

    @property
    def is_at_its_highest(self) -> bool:
        return self.n_events > N_LAST and self.highest is self.now


def figures_of(history: Sequence[RatedEvent]) -> Figures:
    """Add up a history of at least one event."""
    now = history[-1]
    return Figures(
        now=now,
        n_events=len(history),
        n_wins=sum(row.place == 1 for row in history),
        last_places=[row.field_place for row in history[-N_LAST:]],
        mean_place=fmean(row.field_place for row in history),
        mean_expected=fmean(row.expected for row in history),
        highest=max(reversed(history), key=lambda row: row.rate),
        badge_since=None if now.is_provisional else _badge_since(history),
    )


def _badge_since(history: Sequence[RatedEvent]) -> RatedEvent:
    """Find the event after which the player has had the present badge without a break."""
    since = history[-1]
    for row in reversed(history):
        if row.badge != since.badge or row.is_provisional:
            break
        since = row
    return since


def best_results(history: Sequence[RatedEvent]) -> list[RatedEvent]:
    """The results with the most places won against expectation, the best first; none that was below it."""
    better = [row for row in history if row.better > 0]
    return sorted(better, key=lambda row: -row.better)[:N_BEST]


def longest_run(history: Sequence[RatedEvent], counts: Callable[[RatedEvent], bool]) -> Run | None:
    """Find the longest row of events that count, the earliest of equal ones; None for a single event."""
    best, begin = None, None
    for i, row in enumerate(history):
        if not counts(row):
            begin = None
            continue
        begin = i if begin is None else begin
        n = i - begin + 1
        if n >= LEAST_OF_A_RUN and (best is None or n > best.n):
            best = Run(history[begin], row, n)
    return best


def is_in_best_half(row: RatedEvent) -> bool:
    return 2 * row.field_place <= row.n_players


def biggest_gain(history: Sequence[RatedEvent]) -> RatedEvent | None:
    """Find the event that gained the most rate; None if none gained any."""
    best = max(history, key=lambda row: row.change)
    return best if best.change > 0 else None


def profit_interval(profits: Sequence[Fraction]) -> tuple[float, float] | None:
    """Compute the 80 % interval of the mean profit per tourney (Student's t); None for few events and equal ones."""
    from scipy.special import stdtrit

    n = len(profits)
    if n < LEAST_OF_AN_INTERVAL:
        return None
    values = [float(profit) for profit in profits]
    half = float(stdtrit(n - 1, (1 + SHARE_OF_INTERVAL) / 2)) * stdev(values) / n**0.5
    if not half:
        return None
    return fmean(values) - half, fmean(values) + half
