"""The words of a mail about results, in the active language."""

from collections.abc import Iterator, Sequence

from django.contrib.auth.models import User
from django.utils.formats import date_format
from django.utils.timezone import localtime

from league import formats
from league.models import Club, Entry, Event
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from people.services.mails import absolute
from standings.home.queries import LastNight, night_of
from standings.home.sentences import sentence_of
from standings.receipts.facts import receipt_of
from standings.receipts.text import receipt_lines


def result_subject(club: Club, events: Sequence[Event]) -> str:
    if len(events) == 1:
        return _("%(club)s: %(event)s") % {"club": club.name, "event": _title(events[0])}
    return ngettext("%(club)s: %(n)d result", "%(club)s: %(n)d results", len(events)) % {
        "club": club.name,
        "n": len(events),
    }


def result_text(events: Sequence[Event], user: User) -> str:
    """Write what happened, who was in front, what it means for the reader, and where the whole result is."""
    return "\n\n".join("\n".join(_lines(night_of(event), user)) for event in events)


def _title(event: Event) -> str:
    name = event.meet.name if event.meet else event.name
    day = date_format(localtime(event.starts_at), "DATE_FORMAT")
    return _("%(event)s, %(day)s") % {"event": name or event.season.name, "day": day}


def _lines(night: LastNight, user: User) -> Iterator[str]:
    yield _title(night.event)
    yield sentence_of(night)
    yield formats.listed(f"{each.place}. {each.name}" for each in night.podium)
    yield from _own(night.event, user)
    yield absolute(night.address)


def _own(event: Event, user: User) -> Iterator[str]:
    """Say what the reader's players did, and where they are in the season now."""
    of_night = {"event__meet": event.meet} if event.meet else {"event": event}
    entries = Entry.objects.filter(**of_night, player__user=user, is_last=True).select_related("player")
    for entry in {entry.player_id: entry for entry in entries.order_by("event__starts_at")}.values():
        receipt = receipt_of(entry.player, event)
        if receipt:
            yield from receipt_lines(receipt)
