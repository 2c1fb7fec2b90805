"""Make, change and dissolve meets, which changes neither points nor ratings."""

from collections.abc import Collection
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Change, Event, Meet, MeetOrder, Season
from league.services.changes import lock_pool, record_change, require_not_sealed
from league.services.errors import Refused
from league.vocabulary import gettext as _

LEAST_GAMES = 2


@transaction.atomic
def form_meet(
    season: Season,
    *,
    name: str,
    event_ids: Collection[int],
    actor: User,
    ordered_by: str = MeetOrder.TOTAL,
) -> Meet:
    """Make a meet of events of one day. Raise Refused if the day has a meet of the same name."""
    lock_pool(season.pool_id)
    require_not_sealed(season)
    events, day = _meet_events(season, event_ids, current=None)
    _require_free_name(season, day, name)
    meet = Meet.objects.create(season=season, day=day, name=name, ordered_by=ordered_by)
    _set_events(meet, events)
    _record(meet, {}, actor)
    return meet


def create_meet(season: Season, *, name: str, events: Collection[Event]) -> Meet:
    """Make the meet of games that were just entered, inside the caller's transaction; their entry is the record."""
    day = min(event.starts_at for event in events).astimezone(season.club.tz).date()
    _require_free_name(season, day, name)
    meet = Meet.objects.create(season=season, day=day, name=name)
    Event.objects.filter(pk__in=[event.pk for event in events]).update(meet=meet)
    return meet


def change_games(meet: Meet, *, name: str, day: date, added: Collection[Event], actor: User) -> Meet:
    """Rename and move a meet whose games were moved, and add games just entered, inside the caller's transaction."""
    before = _summary(meet)
    if (name, day) != (meet.name, meet.day):
        _require_free_name(meet.season, day, name, current=meet)
        Meet.objects.filter(pk=meet.pk).update(name=name, day=day)
    Event.objects.filter(pk__in=[event.pk for event in added]).update(meet=meet)
    meet.refresh_from_db()
    if _summary(meet) != before:
        _record(meet, before, actor)
    return meet


@transaction.atomic
def change_meet(
    meet: Meet,
    *,
    name: str,
    event_ids: Collection[int],
    actor: User,
    ordered_by: str = MeetOrder.TOTAL,
) -> Meet:
    lock_pool(meet.season.pool_id)
    require_not_sealed(meet.season)
    events, day = _meet_events(meet.season, event_ids, current=meet)
    _require_free_name(meet.season, day, name, current=meet)
    before = _summary(meet)
    Meet.objects.filter(pk=meet.pk).update(name=name, day=day, ordered_by=ordered_by)
    meet.refresh_from_db()
    _set_events(meet, events)
    if _summary(meet) != before:
        _record(meet, before, actor)
    return meet


@transaction.atomic
def dissolve_meet(season: Season, meet_id: int, *, actor: User) -> None:
    """Delete a meet but not its events; nothing happens if it was dissolved before."""
    pool = lock_pool(season.pool_id)
    require_not_sealed(season)
    meet = Meet.objects.filter(season=season, pk=meet_id).first()
    if meet is None:
        return
    before = _summary(meet)
    meet.delete()
    record_change(pool, kind=Change.Kind.MEET_CHANGED, actor=actor, season=season, before=before)


def _meet_events(
    season: Season, event_ids: Collection[int], *, current: Meet | None
) -> tuple[list[Event], date]:
    events = list(Event.objects.filter(season=season, pk__in=event_ids).select_related("meet"))
    if len(events) < LEAST_GAMES:
        raise Refused(_("A meet has at least two %(events_word)s."))
    taken = [event for event in events if event.meet is not None and event.meet != current]
    if taken:
        raise Refused(
            _("%(event)s is part of the meet %(meet)s already.") % {"event": taken[0], "meet": taken[0].meet}
        )
    days = {event.starts_at.astimezone(season.club.tz).date() for event in events}
    if len(days) > 1:
        raise Refused(_("The %(events_word)s of a meet are all on one day."))
    return events, days.pop()


def _require_free_name(season: Season, day: date, name: str, *, current: Meet | None = None) -> None:
    others = Meet.objects.filter(season=season, day=day, name=name)
    if (others.exclude(pk=current.pk) if current else others).exists():
        raise Refused(_("This day has a meet of this name already."))


def _set_events(meet: Meet, events: Collection[Event]) -> None:
    chosen = {event.pk for event in events}
    meet.events.exclude(pk__in=chosen).update(meet=None)
    Event.objects.filter(pk__in=chosen).update(meet=meet)


def _summary(meet: Meet) -> dict[str, Any]:
    games = meet.events.order_by("starts_at", "pk").select_related("season__club")
    return {
        "name": meet.name, "events": [str(event) for event in games], "ordered_by": str(meet.ordered_by)
    }  # fmt: skip


def _record(meet: Meet, before: dict[str, Any], actor: User) -> None:
    record_change(
        lock_pool(meet.season.pool_id),
        kind=Change.Kind.MEET_CHANGED,
        actor=actor,
        season=meet.season,
        before=before,
        after=_summary(meet),
    )
