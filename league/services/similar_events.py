"""Find stored events that resemble a new one: the form, nights, imports and the API ask about them."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from league.models import Change, Club, Entry, Event

MOSTLY = 0.6  # share of the names that are the same


class NewEvent(NamedTuple):
    """What is compared of an event that is about to be entered: its start, the keys of its names, its round."""

    starts_at: datetime
    keys: Collection[str]
    round: int | None = None


class SimilarEvent(NamedTuple):
    """A stored event like one that is being entered, and how many of the typed names are in it."""

    event: Event
    n_entries: int
    n_same: int
    entered: Change | None = None


def find_similar(club: Club, new: NewEvent) -> SimilarEvent | None:
    """Find a stored event that a new one could be, and who entered it."""
    (similar,) = similar_events(club, [new])
    if similar is None:
        return None
    entered = similar.event.changes.filter(kind=Change.Kind.RESULT_ENTERED).select_related("actor").first()
    return similar._replace(entered=entered)


def similar_events(club: Club, new: Sequence[NewEvent]) -> list[SimilarEvent | None]:
    """Find the stored event that each new one could be, in two queries.

    That is an event of the same local day and round with mostly the same names, or one that began at the same time;
    midnight is no time, but stands for a day.
    """
    days = {_day(one.starts_at, club.tz) for one in new}
    if not days:
        return []
    first, last = (datetime.combine(day, time(), tzinfo=club.tz) for day in (min(days), max(days)))
    within = Event.objects.filter(
        season__club=club, starts_at__gte=first, starts_at__lt=last + timedelta(days=1)
    ).select_related("season__club")
    of_day: dict[date, list[Event]] = defaultdict(list)
    for event in within.in_rating_order():
        if (day := _day(event.starts_at, club.tz)) in days:
            of_day[day].append(event)
    names = _names([event for events in of_day.values() for event in events])
    return [_similar(one, of_day[_day(one.starts_at, club.tz)], names, club.tz) for one in new]


def _day(moment: datetime, tz: tzinfo) -> date:
    return moment.astimezone(tz).date()


def _names(events: Sequence[Event]) -> dict[int, list[str]]:
    """Map events to the keys of the names of their entries."""
    keys: dict[int, list[str]] = defaultdict(list)
    rows = Entry.objects.filter(event__in=[event.pk for event in events])
    for event_id, key in rows.values_list("event_id", "player__key"):
        keys[event_id].append(key)
    return keys


def _similar(
    new: NewEvent, events: Sequence[Event], names: dict[int, list[str]], tz: tzinfo
) -> SimilarEvent | None:
    typed = set(new.keys)
    says_time = new.round is None and new.starts_at.astimezone(tz).time() != time()
    for event in events:
        if event.round != new.round:
            continue
        n_same = len(typed.intersection(names[event.pk]))
        is_same_time = says_time and event.starts_at == new.starts_at
        if is_same_time or (typed and n_same >= MOSTLY * len(typed)):
            return SimilarEvent(event, len(names[event.pk]), n_same)
    return None
