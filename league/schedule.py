"""Read what is planned in a club: the events to come, how many of a season are left, and who says to come."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import OuterRef, Q, QuerySet, Subquery

from league.models import Club, Event, PlannedEvent, Player, Rsvp, Season


def planned_events(club: Club, now: datetime) -> list[PlannedEvent]:
    """List the planned events of a club that are to come: from today on, until a result of their day is entered."""
    today = club.start_of_day(now)
    planned = PlannedEvent.objects.filter(
        season__club=club, season__is_closed=False, starts_at__gte=today
    ).select_related("season__club")
    if not planned:
        return []
    held = _days_held(Event.objects.filter(season__club=club, starts_at__gte=today), club)
    return [event for event in planned if (event.season_id, event.day) not in held]


class Left(NamedTuple):
    """The nights of a season that are to come: planned to the last one, or else estimated ("about"), as of a day."""

    days: tuple[date, ...]
    is_planned: bool
    as_of: date

    @property
    def n(self) -> int:
        return len(self.days)


def left_of(season: Season, now: datetime) -> Left | None:
    """Find what is left of a season; None if nothing says how much.

    It is the plan once that has the season's last event. Else it is what is planned, and from then, or from today, as
    many more as fit at the usual pace until the season's last day.
    """
    tz, today = season.club.tz, now.astimezone(season.club.tz).date()
    if season.is_closed or (season.ends_on and season.ends_on < today):
        return Left((), is_planned=True, as_of=today)
    is_to_come = Q(starts_at__gte=season.club.start_of_day(now))
    planned = list(season.planned_events.filter(is_to_come | Q(is_last=True)))
    if not planned and season.ends_on is None:
        return None
    rows = Event.objects.filter(season=season).values_list("starts_at", "pool_id")
    held = [(starts_at.astimezone(tz).date(), pool_id == season.pool_id) for starts_at, pool_id in rows]
    days = sorted({day for event in planned if (day := event.starts_at.astimezone(tz).date()) >= today})
    to_come = [day for day in days if day not in dict(held)]
    if any(event.is_last for event in planned):
        return Left(tuple(to_come), is_planned=True, as_of=today)
    pace = _usual_pace(sorted({day for day, is_of_season in held if is_of_season}))
    if season.ends_on is None or pace is None:
        return None
    since = max([today, *to_come])
    n = max(0, (season.ends_on - since).days // pace)
    more = [since + timedelta(days=pace * i) for i in range(1, n + 1)]
    return Left((*to_come, *more), is_planned=False, as_of=today)


def _usual_pace(days: Sequence[date]) -> int | None:
    """Find the usual number of days between two nights; None before the third."""
    if len(days) < 3:  # noqa: PLR2004  two gaps are the fewest with a middle
        return None
    return max(1, round(median((later - day).days for day, later in pairwise(days))))


class Coming(NamedTuple):
    """Tell who comes to a planned event: how many, names for those who may see them, and the reader's own answer."""

    n_yes: int
    n_maybe: int
    n_no: int
    names: list[str]  # of those who come
    perhaps: list[str]
    own: str
    choices: list[Any]  # value and words of each answer


def coming_to(event: PlannedEvent, user: User | AnonymousUser) -> Coming:
    """Read the answers of the present members, in the order in which they came.

    Members who are players have the player's name, which may be a pseudonym.
    """
    club = event.season.club_id
    player = Player.objects.filter(club=club, user=OuterRef("user")).values("name")[:1]
    rows = event.rsvps.filter(user__memberships__club=club).annotate(player=Subquery(player))
    said: dict[str, list[str]] = {answer: [] for answer in Rsvp.Answer.values}
    own = ""
    for rsvp in rows.select_related("user"):
        said[rsvp.answer].append(rsvp.player or rsvp.user.get_username())
        own = rsvp.answer if rsvp.user == user else own
    yes, maybe, no = (said[answer] for answer in (Rsvp.Answer.YES, Rsvp.Answer.MAYBE, Rsvp.Answer.NO))
    return Coming(len(yes), len(maybe), len(no), yes, maybe, own, list(Rsvp.Answer.choices))


def planned_event_without_result(season: Season, now: datetime) -> PlannedEvent | None:
    """Find the last planned event that has begun or is today, if no result of its day or a later one is entered."""
    tomorrow = season.club.start_of_day(now) + timedelta(days=1)
    planned = season.planned_events.filter(starts_at__lt=tomorrow).select_related("season__club").last()
    if planned is None:
        return None
    since = season.club.start_of_day(planned.starts_at)
    return None if season.events.filter(starts_at__gte=since).exists() else planned


def _days_held(events: QuerySet[Event], club: Club) -> set[tuple[int, date]]:
    rows = events.values_list("season_id", "starts_at")
    return {(season_id, starts_at.astimezone(club.tz).date()) for season_id, starts_at in rows}
