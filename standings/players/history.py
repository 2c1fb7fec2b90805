"""The rated events of a player, as the pages of a player show them."""

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from league.models import Entry, Player, Pool
from ratings.models import RatedEntry

COLUMNS = (
    "event_id", "event__starts_at", "event__name", "event__season_id", "event__season__name", "place", "n_entries",
    "field_place", "field_size", "expected_place", "prior_rate", "posterior_rate", "posterior_sigma", "badge",
    "is_provisional",
)  # fmt: skip


class RatedEvent(NamedTuple):
    """An event in a player's history: all entries together, with the places and the rate of the last.

    `place` is that among all entries; `field_place` and `expected` are places among the `n_players`.
    """

    event_id: int
    starts_at: datetime
    name: str
    season_id: int
    season: str
    place: int
    n_entries: int
    field_place: int
    n_players: int
    expected: float
    rate_before: float
    rate: float
    sigma: float
    badge: str
    is_provisional: bool

    @property
    def change(self) -> float:
        return self.rate - self.rate_before

    @property
    def better(self) -> float:
        """By how many places the player was better than expected."""
        return self.expected - self.field_place


def rated_events(player: Player, pool: Pool) -> list[RatedEvent]:
    """Read a player's events in a pool, the oldest first."""
    rows = RatedEntry.objects.filter(pool=pool, player=player, event__pool=pool)
    ordered = map(RatedEvent._make, rows.order_by("starts_at", "event_id", "number").values_list(*COLUMNS))
    history = []
    for _event_id, entries in groupby(ordered, key=lambda row: row.event_id):
        first, *others = entries
        last = others[-1] if others else first
        history.append(last._replace(rate_before=first.rate_before))
    return history


class Scored(NamedTuple):
    """The points of an event, and what they were above the number of entries."""

    points: Fraction
    profit: Fraction


def points_by_event(player: Player, history: Sequence[RatedEvent]) -> dict[int, Scored]:
    """The points of a player in each of these events that has any, in one query."""
    events = {row.event_id for row in history}
    rows = Entry.objects.filter(player=player, points__isnull=False).order_by("event_id")
    scored: dict[int, Scored] = {}
    for event_id, numerator, denominator in rows.values_list(
        "event_id", "points__numerator", "points__denominator"
    ):
        if event_id in events:
            before = scored.get(event_id, Scored(Fraction(0), Fraction(0)))
            points = Fraction(numerator, denominator)
            scored[event_id] = Scored(before.points + points, before.profit + points - 1)
    return scored
