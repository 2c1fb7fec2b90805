"""Planned events as iCalendar (RFC 5545).

icalendar takes 5 MB, which a site without readers of calendars does not need, so it is imported when one is written.
"""

from collections.abc import Iterable
from datetime import UTC
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Club, PlannedEvent

if TYPE_CHECKING:
    from icalendar import Event


def calendar_of(club: Club, events: Iterable[PlannedEvent], *, address: str) -> bytes:
    """Write a calendar; `address` is that of the club's page. Programs know an event again by its identifier."""
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", "-//Tierboard//Schedule//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", club.name)
    for event in events:
        calendar.add_component(_entry(club, event, address))
    return bytes(calendar.to_ical())


def _entry(club: Club, event: PlannedEvent, address: str) -> "Event":
    from icalendar import Event

    entry = Event()
    entry.add("uid", f"planned-{event.pk}@{club.slug}.tierboard")
    entry.add("sequence", event.version)
    entry.add("dtstamp", event.starts_at.astimezone(UTC))  # the same whenever it is read
    entry.add("dtstart", event.starts_at.astimezone(UTC))
    title = event.name or event.season.name
    entry.add("summary", _("%(club)s: %(event)s") % {"club": club.name, "event": title})
    if event.place:
        entry.add("location", event.place)
    if event.note:
        entry.add("description", event.note)
    entry.add("url", address)
    return entry
