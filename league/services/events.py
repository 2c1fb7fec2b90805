"""Entering, correcting and deleting the result of an event."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Change, Entry, Event, Meet, Pool, Season, name_key
from league.results import (
    EntryInput,
    EventDetails,
    is_out_before_start,
    re_entries_below,
    registers_after_close,
)
from league.services.changes import lock_pool, record_change, require_not_sealed
from league.services.errors import BadResult, Refused, Stale
from league.services.players import ensure_players
from league.signals import result_saved

# What a correction can change of an entry.
UPDATED = ("place", "is_last", "registered_at", "busted_at", "knockouts", "cost")


@transaction.atomic
def enter_result(
    season: Season,
    details: EventDetails,
    entries: Sequence[EntryInput],
    *,
    actor: User | None,
    form_token: uuid.UUID | None = None,
    key: str = "",
) -> Event:
    """Save a new event with its result. The same form_token again returns the event of the first time."""
    pool = lock_pool(season.pool_id)
    if form_token and (saved := Event.objects.filter(form_token=form_token).select_related("season").first()):
        if saved.season_id != season.pk:
            raise Refused(_("This form has been saved in the season %(season)s.") % {"season": saved.season})
        return _same_as(saved, details, entries)
    _require_open(season, details.starts_at)
    event = Event.objects.create(season=season, key=key, form_token=form_token, **asdict(details))
    _write_entries(event, entries, details)
    result_saved.send(sender=Event, event=event)
    _record(
        pool, event, Change.Kind.RESULT_ENTERED, actor, rated_from=event.starts_at, after=_summary(entries)
    )
    return event


@transaction.atomic
def correct_result(
    event: Event, details: EventDetails, entries: Sequence[EntryInput], *, version: int, actor: User | None
) -> Event:
    """Replace an event's result by another. Refused as stale if `version` is no longer the event's."""
    pool = lock_pool(event.season.pool_id)
    current = _current(event, version)
    _require_open(current.season, details.starts_at)
    before, old_start = _stored_summary(current), current.starts_at
    _require_day_of_meet(current, details.starts_at)
    changed_details = any(getattr(current, name) != value for name, value in asdict(details).items())
    moved = _local_day(details.starts_at, current) - _local_day(old_start, current)
    changed_entries = _write_entries(current, entries, details, moved=moved)
    if changed_details or changed_entries:
        Event.objects.filter(pk=current.pk).update(**asdict(details), version=version + 1)
        current.refresh_from_db()
        result_saved.send(sender=Event, event=current)
        _record(
            pool,
            current,
            Change.Kind.RESULT_CORRECTED,
            actor,
            rated_from=min(old_start, current.starts_at),
            before=before,
            after=_stored_summary(current),
        )
    return current


@transaction.atomic
def delete_event(event: Event, *, version: int, actor: User) -> None:
    pool = lock_pool(event.season.pool_id)
    current = _current(event, version)
    _require_not_closed(current.season)
    before, rated_from, label = _stored_summary(current), current.starts_at, str(current)
    current.delete()
    if current.meet_id:
        Meet.objects.filter(pk=current.meet_id, events=None).delete()
    record_change(
        pool,
        kind=Change.Kind.RESULT_DELETED,
        actor=actor,
        season=current.season,
        rated_from=rated_from,
        before={"event": label} | before,
    )


def _same_as(saved: Event, details: EventDetails, entries: Sequence[EntryInput]) -> Event:
    """The event a form was saved as; refused if the form now holds another evening (after the browser's Back)."""
    fields = ("number", "place", "busted_at", "knockouts", "cost")
    stored = {(row[0], row[1]): row for row in saved.entries.values_list("player__key", *fields)}
    typed = {
        (name_key(it.name), it.number): (name_key(it.name), *(getattr(it, name) for name in fields))
        for it in entries
    }
    if saved.starts_at != details.starts_at or saved.name != details.name or stored != typed:
        raise Refused(
            _("This form has been saved already, as %(event)s. Open a new form for another evening.")
            % {"event": saved}
        )
    return saved


def _current(event: Event, version: int) -> Event:
    current = Event.objects.select_related("season__club", "meet").filter(pk=event.pk).first()
    if current is None or current.version != version:
        raise Stale(
            _(
                "Somebody else has changed this event since you opened it. Compare with its page and save again."
            )
        )
    return current


def _require_not_closed(season: Season) -> None:
    require_not_sealed(season)
    season.refresh_from_db()
    if season.is_closed:
        raise Refused(
            _("The season %(season)s is closed. Reopen it to change its results.") % {"season": season}
        )


def _require_open(season: Season, starts_at: datetime) -> None:
    _require_not_closed(season)
    day = starts_at.astimezone(season.club.tz).date()
    if day < season.starts_on or (season.ends_on and day > season.ends_on):
        raise Refused(
            _("%(day)s is outside the season %(season)s.") % {"day": day.isoformat(), "season": season}
        )


def _require_day_of_meet(event: Event, starts_at: datetime) -> None:
    if event.meet and _local_day(starts_at, event) != _local_day(event.starts_at, event):
        raise Refused(
            _("This event is part of the meet %(meet)s. Take it out before you move it to another day.")
            % {"meet": event.meet}
        )


def _local_day(moment: datetime, event: Event) -> date:
    return moment.astimezone(event.season.club.tz).date()


def _write_entries(
    event: Event, entries: Sequence[EntryInput], details: EventDetails, *, moved: timedelta = timedelta(0)
) -> bool:
    """Make the event's entries equal to these; whether anything had to change.

    Stored times go along with an evening that is `moved` to another day.
    """
    _require_order(entries)
    players = ensure_players(event.season.club, [entry.name for entry in entries])
    stored = {(entry.player_id, entry.number): entry for entry in event.entries.all()}
    last: dict[int, int] = {}
    for item in entries:
        player_id = players[name_key(item.name)].pk
        last[player_id] = max(last.get(player_id, 0), item.number)
    new, changed, kept = [], [], set()
    for item in entries:
        player_id = players[name_key(item.name)].pk
        kept.add((player_id, item.number))
        is_last = item.number == last[player_id]
        if (entry := stored.get((player_id, item.number))) is None:
            entry = _entry(event, player_id, item, is_last=is_last)
            new.append(entry)
        elif _update(entry, item, is_last=is_last, moved=moved):
            changed.append(entry)
        _require_possible(item.name, entry, details)
    gone = [entry.pk for pair, entry in stored.items() if pair not in kept]
    Entry.objects.filter(pk__in=gone).delete()
    Entry.objects.bulk_update(changed, UPDATED, batch_size=500)
    Entry.objects.bulk_create(new, batch_size=2_000)
    return bool(new or changed or gone)


def _entry(event: Event, player_id: int, item: EntryInput, *, is_last: bool) -> Entry:
    return Entry(
        event=event,
        player_id=player_id,
        number=item.number,
        place=item.place,
        is_last=is_last,
        registered_at=item.registered_at,
        busted_at=item.busted_at,
        knockouts=item.knockouts,
        cost=item.cost,
    )


def _update(entry: Entry, item: EntryInput, *, is_last: bool, moved: timedelta) -> bool:
    """Bring a stored entry up to date; whether it differed."""
    tz = entry.event.season.club.tz
    registered_at = item.registered_at or _moved(entry.registered_at, moved, tz)
    busted_at = _more_exact(_moved(entry.busted_at, moved, tz), item, tz)
    wanted = {
        "place": item.place,
        "is_last": is_last,
        "registered_at": registered_at,
        "busted_at": _after_registering(item.name, registered_at, busted_at, tz),
        "knockouts": _kept(entry.knockouts, item.knockouts, item),
        "cost": _kept(entry.cost, item.cost, item),
    }
    if all(getattr(entry, name) == value for name, value in wanted.items()):
        return False
    for name, value in wanted.items():
        setattr(entry, name, value)
    return True


def _kept(stored: Any, given: Any, item: EntryInput) -> Any:
    return stored if given is None and not item.from_form else given


def _moved(moment: datetime | None, by: timedelta, tz: tzinfo) -> datetime | None:
    """The same time of day, whole days later: not always 24 hours each."""
    return moment and (moment.astimezone(tz) + by).astimezone(UTC)


def _more_exact(stored: datetime | None, item: EntryInput, tz: tzinfo) -> datetime | None:
    """A time of day read off a form leaves the stored moment alone if its clock shows the same.

    The moment has seconds, and knows the day where an event runs longer than one.
    """
    typed = item.busted_at
    if stored and typed and item.from_form:
        same = (stored.astimezone(tz).hour, stored.astimezone(tz).minute) == (
            typed.astimezone(tz).hour,
            typed.astimezone(tz).minute,
        )
        return stored if same else typed
    return typed if typed or item.from_form else stored


def _after_registering(
    name: str, registered_at: datetime | None, busted_at: datetime | None, tz: tzinfo
) -> datetime | None:
    if registered_at is None or busted_at is None or busted_at >= registered_at:
        return busted_at
    if busted_at >= registered_at.replace(second=0, microsecond=0):
        return registered_at
    clock = {"out": busted_at.astimezone(tz), "registered": registered_at.astimezone(tz)}
    raise BadResult(
        _("%(name)s is out at %(out)s, but registered at %(registered)s.")
        % ({"name": name} | {what: f"{moment:%H:%M}" for what, moment in clock.items()})
    )


def _require_possible(name: str, entry: Entry, details: EventDetails) -> None:
    tz = entry.event.season.club.tz
    if registers_after_close(entry, details):
        raise BadResult(
            _("%(name)s registered at %(registered)s, but registration closed at %(closed)s.")
            % {
                "name": name,
                "registered": _clock(entry.registered_at, tz),
                "closed": _clock(details.closes_at, tz),
            }
        )
    if is_out_before_start(entry, details):
        raise BadResult(
            _("%(name)s is out at %(out)s, but the event starts at %(start)s.")
            % {"name": name, "out": _clock(entry.busted_at, tz), "start": _clock(details.starts_at, tz)}
        )


def _clock(moment: datetime | None, tz: tzinfo) -> str:
    return f"{moment.astimezone(tz):%H:%M}" if moment else ""


def _require_order(entries: Sequence[EntryInput]) -> None:
    if entry := next(re_entries_below(entries), None):
        raise BadResult(
            _(
                "Entry %(n)d of %(name)s finishes below entry %(before)d. Give each of the earlier entries its"
                " place, the first one the lowest."
            )
            % {"n": entry.number, "name": entry.name, "before": entry.number - 1}
        )


def _record(pool: Pool, event: Event, kind: Change.Kind, actor: User | None, **details: Any) -> None:
    record_change(pool, kind=kind, actor=actor, event=event, season=event.season, **details)


def _summary(entries: Sequence[EntryInput]) -> dict[str, Any]:
    return {"entries": [_summary_row(entry, entry.name) for entry in entries]}


def _summary_row(entry: EntryInput | Entry, name: str) -> list[Any]:
    """All that a correction can change."""
    times = [moment and moment.isoformat() for moment in (entry.registered_at, entry.busted_at)]
    cost = None if entry.cost is None else f"{entry.cost.normalize():f}"
    return [entry.place, name, entry.number, *times, entry.knockouts, cost]


def _stored_summary(event: Event) -> dict[str, Any]:
    entries = event.entries.select_related("player").order_by("place", "pk")
    return {
        "name": event.name,
        "starts_at": event.starts_at.isoformat(),
        "entries": [_summary_row(entry, entry.player.name) for entry in entries],
    }
