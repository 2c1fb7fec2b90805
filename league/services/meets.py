"""Meets: events of one day with overall standings. Making one changes neither points nor ratings."""

from collections.abc import Collection
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Change, Event, Meet, Season
from league.services.changes import lock_pool, record_change, require_not_sealed
from league.services.errors import Refused

LEAST_GAMES = 2


@transaction.atomic
def form_meet(season: Season, *, name: str, event_ids: Collection[int], actor: User) -> Meet:
    """Make a meet of events of one day. The same name a second time on that day is refused."""
    lock_pool(season.pool_id)
    require_not_sealed(season)
    events, day = _games(season, event_ids, of=None)
    _require_free_name(season, day, name)
    meet = Meet.objects.create(season=season, day=day, name=name)
    _put(meet, events)
    _record(meet, {}, actor)
    return meet


@transaction.atomic
def change_meet(meet: Meet, *, name: str, event_ids: Collection[int], actor: User) -> Meet:
    lock_pool(meet.season.pool_id)
    require_not_sealed(meet.season)
    events, day = _games(meet.season, event_ids, of=meet)
    _require_free_name(meet.season, day, name, but=meet)
    before = _summary(meet)
    Meet.objects.filter(pk=meet.pk).update(name=name, day=day)
    meet.refresh_from_db()
    _put(meet, events)
    if _summary(meet) != before:
        _record(meet, before, actor)
    return meet


@transaction.atomic
def dissolve_meet(season: Season, meet_id: int, *, actor: User) -> None:
    """Its events stay. Gone already is as good as dissolved."""
    pool = lock_pool(season.pool_id)
    require_not_sealed(season)
    meet = Meet.objects.filter(season=season, pk=meet_id).first()
    if meet is None:
        return
    before = _summary(meet)
    meet.delete()
    record_change(pool, kind=Change.Kind.MEET_CHANGED, actor=actor, season=season, before=before)


def _games(season: Season, event_ids: Collection[int], *, of: Meet | None) -> tuple[list[Event], date]:
    events = list(Event.objects.filter(season=season, pk__in=event_ids).select_related("meet"))
    if len(events) < LEAST_GAMES:
        raise Refused(_("A meet has at least two events."))
    taken = [event for event in events if event.meet is not None and event.meet != of]
    if taken:
        raise Refused(
            _("%(event)s is part of the meet %(meet)s already.") % {"event": taken[0], "meet": taken[0].meet}
        )
    days = {event.starts_at.astimezone(season.club.tz).date() for event in events}
    if len(days) > 1:
        raise Refused(_("The events of a meet are all on one day."))
    return events, days.pop()


def _require_free_name(season: Season, day: date, name: str, *, but: Meet | None = None) -> None:
    others = Meet.objects.filter(season=season, day=day, name=name)
    if (others.exclude(pk=but.pk) if but else others).exists():
        raise Refused(_("This day has a meet of this name already."))


def _put(meet: Meet, events: Collection[Event]) -> None:
    chosen = {event.pk for event in events}
    meet.events.exclude(pk__in=chosen).update(meet=None)
    Event.objects.filter(pk__in=chosen).update(meet=meet)


def _summary(meet: Meet) -> dict[str, Any]:
    games = meet.events.order_by("starts_at", "pk").select_related("season__club")
    return {"name": meet.name, "events": [str(event) for event in games]}


def _record(meet: Meet, before: dict[str, Any], actor: User) -> None:
    record_change(
        lock_pool(meet.season.pool_id),
        kind=Change.Kind.MEET_CHANGED,
        actor=actor,
        season=meet.season,
        before=before,
        after=_summary(meet),
    )
