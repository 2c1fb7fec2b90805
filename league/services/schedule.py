"""Plan events, change and cancel them, and say who comes. Nothing of it touches results, points or ratings."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format

from league.hooks.signals import answer_given
from league.models import Change, PlannedEvent, Pool, Rsvp, Season
from league.services.changes import lock_pool, record_change, require_not_sealed
from league.services.errors import BadDay, Refused, Stale
from league.vocabulary import gettext as _

MOST_PLANNED = 400  # of a season


class EventPlan(NamedTuple):
    starts_at: datetime
    name: str = ""
    place: str = ""
    note: str = ""
    is_last: bool = False


@transaction.atomic
def plan_events(season: Season, *, plans: Sequence[EventPlan], actor: User) -> list[PlannedEvent]:
    """Add planned events to a season. Idempotent: identical plans are not added again.

    Raise Refused if something else is planned at one of the times.
    """
    pool = _lock(season)
    stored = {event.starts_at: event for event in season.planned_events.all()}
    at = {starts_at: _plan_of(event) for starts_at, event in stored.items()}
    for plan in plans:
        _require_day(season, plan)
        if at.setdefault(plan.starts_at, plan) != plan:
            raise _taken(plan)
    new = [plan for starts_at, plan in at.items() if starts_at not in stored]
    if len(stored) + len(new) > MOST_PLANNED:
        raise Refused(_("A season has at most %(most)d planned %(nights_word)s.") % {"most": MOST_PLANNED})
    if not new:
        return [stored[plan.starts_at] for plan in plans]
    _make_last(season, next((plan for plan in new if plan.is_last), None))
    PlannedEvent.objects.bulk_create(PlannedEvent(season=season, **plan._asdict()) for plan in new)
    _record(pool, season, actor, after=_summary(*new))
    starts = [plan.starts_at for plan in plans]
    return list(season.planned_events.filter(starts_at__in=starts).select_related("season__club"))


@transaction.atomic
def change_planned_event(event: PlannedEvent, *, plan: EventPlan, version: int, actor: User) -> None:
    """Change a planned event. Raise Stale if `version` is outdated or the event is gone."""
    season = event.season
    pool = _lock(season)
    current = PlannedEvent.objects.select_related("season__club").filter(pk=event.pk).first()
    if current is None:
        raise Stale(_("This planned %(night_word)s was taken away while you had it open."))
    before = _plan_of(current)
    if before == plan:
        return  # the same form was sent twice
    if current.version != version:
        raise Stale
    _require_day(season, plan)
    if season.planned_events.filter(starts_at=plan.starts_at).exclude(pk=event.pk).exists():
        raise _taken(plan)
    _make_last(season, plan if plan.is_last and not before.is_last else None)
    season.planned_events.filter(pk=event.pk).update(version=version + 1, **plan._asdict())
    _record(pool, season, actor, before=_summary(before), after=_summary(plan))


@transaction.atomic
def cancel_planned_event(season: Season, planned_id: int, *, actor: User, version: int | None = None) -> None:
    """Cancel a planned event. Idempotent. Raise Stale if it is no longer the version that was read, if one is given."""
    pool = _lock(season)
    event = PlannedEvent.objects.select_related("season__club").filter(season=season, pk=planned_id).first()
    if event is not None and version not in (None, event.version):
        raise Stale
    if event is not None:
        event.delete()
        _record(pool, season, actor, before=_summary(_plan_of(event)))


@transaction.atomic
def say_coming(event: PlannedEvent, *, user: User, answer: Rsvp.Answer) -> None:
    """Store whether a member comes; the last answer counts. Raise Refused once the day is over."""
    if not PlannedEvent.objects.select_for_update().filter(pk=event.pk).exists():
        raise Refused(_("This %(night_word)s is not planned any more."))
    if event.day < timezone.now().astimezone(event.season.club.tz).date():
        raise Refused(_("This %(event_word)s is over."))
    rsvp, _is_new = Rsvp.objects.update_or_create(planned_event=event, user=user, defaults={"answer": answer})
    answer_given.send(sender=Rsvp, rsvp=rsvp)


def _lock(season: Season) -> Pool:
    pool = lock_pool(season.pool_id)
    require_not_sealed(season)
    if Season.objects.filter(pk=season.pk, is_closed=True).exists():
        raise Refused(_("The season %(season)s is closed: nothing is planned in it.") % {"season": season})
    return pool


def _require_day(season: Season, plan: EventPlan) -> None:
    day = plan.starts_at.astimezone(season.club.tz).date()
    if not season.holds(day):
        raise BadDay(
            _("%(day)s is not in the season %(season)s.")
            % {"day": date_format(day, "DATE_FORMAT"), "season": season}
        )


def _taken(plan: EventPlan) -> Refused:
    return Refused(
        _("%(A_night_word)s is planned for %(time)s already.")
        % {"time": date_format(timezone.localtime(plan.starts_at), "DATETIME_FORMAT")}
    )


def _make_last(season: Season, plan: EventPlan | None) -> None:
    """Clear the mark of the last event from other planned events if this plan takes it."""
    if plan is not None:
        season.planned_events.filter(is_last=True).update(is_last=False)


def _plan_of(event: PlannedEvent) -> EventPlan:
    return EventPlan(event.starts_at, event.name, event.place, event.note, event.is_last)


def _summary(*plans: EventPlan) -> dict[str, Any]:
    """Describe plans that differ in their starts alone, as a line of the history keeps them."""
    described = {name: value for name, value in plans[-1]._asdict().items() if name != "starts_at"}
    return {"starts": [plan.starts_at.isoformat() for plan in plans], **described}


def _record(
    pool: Pool,
    season: Season,
    actor: User,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    kind = Change.Kind.SCHEDULE_CHANGED
    record_change(pool, kind=kind, actor=actor, season=season, before=before, after=after)
