"""Milestones of a player: round numbers of events, the first win, a whole year at a badge."""

from dataclasses import dataclass
from datetime import datetime

from league.models import Entry, Event, Player, PoolKind
from ratings.models import RatedEntry, RatedGame

ROUND = (10, 25, 50, 100)  # and each further hundred
HUNDRED = 100
YEAR = 365  # days


@dataclass(frozen=True)
class Milestones:
    """Tell what a player reached with a night: its number if that is round, the first win, whole years at a badge."""

    n_events: int | None
    is_first_win: bool
    years_at_badge: int
    first_at: datetime | None

    def __bool__(self) -> bool:
        return bool(self.n_events or self.is_first_win or self.years_at_badge)


def milestones_of(player: Player, event: Event) -> Milestones:
    """Find what the player reached with the night of an event, or with the event if it stands alone.

    Of a night at tables the night counts once. Years at a badge are counted between rated events of the pool.
    """
    rows = Entry.objects.filter(player=player, is_last=True, event__pool=event.pool_id)
    played = list(
        rows.filter(event__starts_at__lte=event.starts_at)
        .order_by("event__starts_at", "event_id")
        .values_list("event_id", "event__meet_id", "event__starts_at", "place")
    )
    nights = list(dict.fromkeys(meet or -pk for pk, meet, _at, _place in played))
    n = len(nights)
    of_night = [place for pk, meet, _at, place in played if (meet or -pk) == (event.meet_id or -event.pk)]
    won_before = sum(place == 1 for *_row, place in played) - sum(place == 1 for place in of_night)
    return Milestones(
        n_events=n if n in ROUND or (n and n % HUNDRED == 0) else None,
        is_first_win=1 in of_night and not won_before and n > 1,
        years_at_badge=_new_years_at_badge(player, event),
        first_at=played[0][2] if played else None,
    )


def _new_years_at_badge(player: Player, event: Event) -> int:
    """Count whole years at the present badge that this night completed; 0 if it completed none."""
    model = RatedGame if event.pool.kind == PoolKind.PROFIT else RatedEntry
    rows = model._default_manager.filter(player=player, pool=event.pool_id, starts_at__lte=event.starts_at)
    held = list(rows.order_by("-starts_at", "-pk").values_list("starts_at", "badge", "is_provisional"))
    if not held or not held[0][1] or held[0][2]:
        return 0
    now, badge, _is_provisional = held[0]
    since = now
    for at, letters, is_provisional in held:
        if letters != badge or is_provisional:
            break
        since = at
    before = max((at for at, _badge, _provisional in held if at.date() < now.date()), default=now)
    years = (now - since).days // YEAR
    return years if years > max(0, (before - since).days // YEAR) else 0
