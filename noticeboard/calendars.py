"""Planned events as iCalendar (RFC 5545).

icalendar takes 5 MB, which a site without readers of calendars does not need, so it is imported when one is written.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Max

from league.models import Change, Club, PlannedEvent
from league.models import Event as LeagueEvent
from league.vocabulary import gettext as _

if TYPE_CHECKING:
    from icalendar import Event


USUAL_LENGTH = timedelta(hours=4)
LATEST = 20  # events whose length says how long the club's evenings are
LONGEST = timedelta(hours=24)


def calendar_of(club: Club, events: Iterable[PlannedEvent], *, address: str) -> bytes:
    """Write a calendar; `address` is that of the club's page. Programs know an event again by its identifier."""
    from icalendar import Calendar

    planned_at, length = _last_plans(club), _usual_length(club)

    calendar = Calendar()
    calendar.add("prodid", "-//Tierboard//Schedule//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", club.name)
    for event in events:
        calendar.add_component(_entry(club, event, address, planned_at, length))
    return bytes(calendar.to_ical())


def _last_plans(club: Club) -> dict[int, datetime]:
    """Map seasons to the moment in which their plans were last changed."""
    plans = Change.objects.filter(season__club=club, kind=Change.Kind.SCHEDULE_CHANGED)
    return dict(plans.values_list("season").annotate(Max("at")).order_by())


def _usual_length(club: Club) -> timedelta:
    """Find how long the club's evenings are: the median of the latest whose end is known."""
    ended = LeagueEvent.objects.filter(season__club=club, round=None).exclude(ends_at=None)
    times = ended.order_by("-starts_at").values_list("starts_at", "ends_at")[:LATEST]
    lengths = sorted(end - start for start, end in times if end and timedelta(0) < end - start <= LONGEST)
    return lengths[len(lengths) // 2] if lengths else USUAL_LENGTH


def _entry(
    club: Club, event: PlannedEvent, address: str, planned_at: dict[int, datetime], length: timedelta
) -> "Event":
    from icalendar import Event

    entry = Event()
    entry.add("uid", f"planned-{event.pk}@{club.slug}.tierboard")
    entry.add("sequence", event.version)
    # When the plan was last changed (RFC 5545, 3.8.7.2), so it is the same whenever it is read.
    entry.add("dtstamp", planned_at.get(event.season_id, club.created_at).astimezone(UTC))
    entry.add("dtstart", event.starts_at.astimezone(UTC))
    entry.add("dtend", (event.starts_at + length).astimezone(UTC))
    title = event.name or event.season.name
    entry.add("summary", _("%(club)s: %(event)s") % {"club": club.name, "event": title})
    if event.place:
        entry.add("location", event.place)
    if event.note:
        entry.add("description", event.note)
    entry.add("url", address)
    return entry
