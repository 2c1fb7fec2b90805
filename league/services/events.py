"""Enter, correct and delete the result of an event."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

from django.contrib.auth.models import User
from django.db import transaction

from league.database.bulk import insert_rows
from league.hooks.event_parts import EventPart
from league.hooks.signals import amounts_read, event_moved
from league.models import BinItem, Change, Entry, Event, Game, Meet, Pool, Season
from league.services.bin import put_in_bin
from league.services.changes import lock_all, record_change, record_result_change
from league.services.errors import AlreadyThere, Refused, Stale
from league.services.kept_rows import KeptRows, delete_and_keep
from league.services.plans import (
    CORRECTABLE_FIELDS,
    OPTIONAL_FIELDS,
    PlannedResult,
    plan_correction,
    plan_event,
    require_open,
    require_usable,
    stored_entries,
    stored_values,
    with_entries,
)
from league.services.players import ensure_players, remember_aliases, remove_idle_guests, with_own_names
from league.services.similar_events import NewEvent, find_similar
from league.services.summaries import correctable, entered_summary, event_facts, removed_rows, stored_summary
from league.vocabulary import gettext as _
from reading.names.keys import name_key
from reading.names.understanding import NO_ALIASES, Aliases
from reading.results import EntryInput, EventDetails


@transaction.atomic
def enter_result(
    season: Season,
    details: EventDetails,
    entries: Sequence[EntryInput],
    *,
    actor: User | None,
    form_token: uuid.UUID | None = None,
    key: str = "",
    aliases: Aliases = NO_ALIASES,
    parts: Sequence[EventPart] = (),
    is_another: bool = True,
    reason: str = "",
) -> Event:
    """Save a new event with its result. If the form_token is stored already, return its event instead.

    `aliases` are other names of players to remember, `parts` settings of apps above. Raise AlreadyThere if there is an
    event like it, unless it `is_another`.
    """
    pools = lock_all(pools_of_details(season, [details]))
    entries = with_own_names(season.club, entries)
    if form_token and (saved := Event.objects.filter(form_token=form_token).select_related("season").first()):
        if saved.season_id != season.pk:
            raise Refused(_("This form has been saved in the season %(season)s.") % {"season": saved.season})
        return _require_same(saved, details, entries, parts)
    season.pool = pools[season.pool_id]
    require_open(season)
    if not is_another:
        _require_no_similar(season, details, entries)
    plan = replace(plan_event(season, details, entries), has_parts=bool(parts))
    require_usable(plan)
    event = Event.objects.create(season=season, key=key, form_token=form_token, **asdict(plan.details))
    _write_entries(event, plan)
    remember_aliases(season.club, aliases, pool=pools[season.pool_id], actor=actor)
    record_result_change(
        pools,
        season,
        rated_in={event.pool_id},
        kind=Change.Kind.RESULT_ENTERED,
        actor=actor,
        event=event,
        rated_from=event.starts_at,
        after=entered_summary(event, entries),
        reason=reason,
    )
    for part in parts:
        part.save(event, actor=actor)
    tell_amounts(event, entries, actor)
    return event


@transaction.atomic
def correct_result(
    event: Event,
    details: EventDetails,
    entries: Sequence[EntryInput],
    *,
    version: int,
    actor: User | None,
    moves_meet: bool = False,
    keeps_guests: bool = False,
    reason: str = "",
    aliases: Aliases = NO_ALIASES,
    parts: Sequence[EventPart] = (),
    season: Season | None = None,
) -> Event:
    """Replace an event's result. Raise Stale if `version` is outdated, unless the result is stored already.

    `moves_meet`: the caller corrects all games of its meet and moves them to the day of `details`. `keeps_guests`: the
    caller corrects several events, and then removes the guests who are in none of them any more. `aliases` are other
    names of players to remember, `parts` settings of apps above. The event is put into another `season` if one is
    given.
    """
    target = season or event.season
    pools = lock_all({event.pool_id, event.season.pool_id, *pools_of_details(target, [details])})
    current = _current(event)
    left = _put_into(current, target)
    entries = with_own_names(current.season.club, entries)
    plan = plan_correction(current, details, entries, moves_meet=moves_meet)
    plan = replace(plan, has_parts=bool(parts))
    if not (plan.is_change or left):
        remember_aliases(current.season.club, aliases, pool=pools[current.season.pool_id], actor=actor)
        for part in parts:
            part.save(current, actor=actor)
        tell_amounts(current, entries, actor)
        return current
    _require_version(current, version)
    require_usable(plan)
    before, old_start, old_pool_id = correctable(current), current.starts_at, current.pool_id
    removed = _write_entries(current, plan)
    if not keeps_guests:
        remove_idle_guests(current.season.club, removed.player_ids())
    remember_aliases(current.season.club, aliases, pool=pools[current.season.pool_id], actor=actor)
    Event.objects.filter(pk=current.pk).update(
        **asdict(plan.details), season=current.season, version=version + 1
    )
    current.refresh_from_db()
    if left:
        _record_move(current, left, pools[left.pool_id], actor)
    record_result_change(
        pools,
        current.season,
        rated_in={old_pool_id, current.pool_id},
        kind=Change.Kind.RESULT_CORRECTED,
        actor=actor,
        event=current,
        rated_from=min(old_start, current.starts_at),
        before=before | removed_rows(removed),
        after=stored_summary(current),
        reason=reason,
    )
    for part in parts:
        part.save(current, actor=actor)
    tell_amounts(current, entries, actor)
    return current


def tell_amounts(event: Event, entries: Sequence[EntryInput], actor: User | None) -> None:
    """Send `amounts_read` to the apps above if a list has amounts of money."""
    if any(entry.amounts for entry in entries):
        amounts_read.send(sender=Event, event=event, entries=entries, actor=actor)


def _put_into(event: Event, season: Season) -> Season | None:
    """Set the season of a stored event; return the previous one if it changes. Raise Refused if it may not."""
    require_open(event.season)
    if event.season_id == season.pk:
        return None
    left = event.season
    season.club = left.club
    require_open(season)
    if event.meet:
        raise Refused(
            _(
                "This %(event_word)s is part of the meet %(meet)s. Take it out before you move it to another season."
            )
            % {"meet": event.meet}
        )
    if event.key and Event.objects.filter(season=season, key=event.key).exists():
        raise Refused(
            _("The season %(season)s has %(an_event_word)s with the identifier %(key)s already.")
            % {"season": season, "key": event.key}
        )
    event.season = season
    return left


def _record_move(event: Event, left: Season, pool: Pool, actor: User | None) -> None:
    event_moved.send(sender=Event, event=event)
    record_change(
        pool,
        kind=Change.Kind.EVENT_MOVED,
        actor=actor,
        event=event,
        season=left,
        before={"event": str(event), "season": left.name},
        after={"season": event.season.name},
    )


def _require_no_similar(season: Season, details: EventDetails, entries: Sequence[EntryInput]) -> None:
    keys = {name_key(entry.name) for entry in entries}
    if similar := find_similar(season.club, NewEvent(details.starts_at, keys, details.round)):
        raise AlreadyThere(
            _("%(An_event_word)s like this is already there: %(event)s.") % {"event": similar.event}
        )


@transaction.atomic
def delete_event(event: Event, *, version: int, actor: User | None) -> BinItem:
    """Put an event into the bin of its club; the last game of a meet takes the meet with it."""
    return delete_events([(event, version)], kind=BinItem.Kind.EVENT, label=str(event), actor=actor)


@transaction.atomic
def delete_events(
    read: Sequence[tuple[Event, int]], *, kind: BinItem.Kind, label: str, actor: User | None
) -> BinItem:
    """Put events of one season into the bin as one item; `read` are events with the versions that were read."""
    season = read[0][0].season
    pools = lock_all({season.pool_id, *(event.pool_id for event, _version in read)})
    events = [_current(event) for event, _version in read]
    for current, (_event, version) in zip(events, read, strict=True):
        _require_version(current, version)
    season = events[0].season
    require_open(season)
    before = [{"event": str(event), "event_id": event.pk} | stored_summary(event) for event in events]
    # The games of a meet go first, then the meet, if it has no other game.
    ids = [event.pk for event in events]
    meets = Meet.objects.filter(events__in=ids).exclude(events__in=Event.objects.exclude(pk__in=ids))
    facts = event_facts(season, events)
    stored = Event.objects.filter(pk__in=ids)
    item = put_in_bin(
        season.club, stored, list(meets.distinct()), kind=kind, label=label, actor=actor, facts=facts
    )
    for event, summary in zip(events, before, strict=True):
        record_result_change(
            pools,
            season,
            rated_in={event.pool_id},
            kind=Change.Kind.RESULT_DELETED,
            actor=actor,
            rated_from=event.starts_at,
            before=summary,
            in_bin=item,
        )
    return item


def pools_of_details(season: Season, details: Iterable[EventDetails]) -> set[int]:
    """Find the pools whose locks the results need: that of the season, and those that rate the events."""
    details = list(details)
    games = {item.game_id for item in details if item.game_id}
    pool_ids = {season.pool_id, *(item.pool_id for item in details if item.pool_id)}
    if games:
        pool_ids |= set(Game.objects.filter(pk__in=games).values_list("pool_id", flat=True))
    return pool_ids


def _require_same(
    saved: Event, details: EventDetails, entries: Sequence[EntryInput], parts: Sequence[EventPart]
) -> Event:
    """Return the saved event; raise Refused if the form now has another result (after the browser's Back)."""
    fields = ("number", "place", "registered_at", "busted_at", *OPTIONAL_FIELDS)
    stored = {(row[0], row[1]): row for row in saved.entries.values_list("player__key", *fields)}
    typed = {
        (name_key(entry.name), entry.number): (
            name_key(entry.name),
            *(getattr(entry, name) for name in fields),
        )
        for entry in entries
    }
    is_same = saved.starts_at == details.starts_at and saved.name == details.name and stored == typed
    if not is_same or not all(part.is_same(saved) for part in parts):
        raise Refused(
            _("This form has been saved already, as %(event)s. Open a new form for another %(event_word)s.")
            % {"event": saved}
        )
    return saved


def _current(event: Event) -> Event:
    """Read an event as it is stored now; raise Stale if it was deleted."""
    current = with_entries(Event.objects.filter(pk=event.pk)).first()
    if current is None:
        raise _stale()
    return current


def _require_version(current: Event, version: int) -> None:
    if current.version != version:
        raise _stale()


def _stale() -> Stale:
    return Stale(
        _(
            "Somebody else has changed this %(event_word)s since you opened it. Compare with its page and save again."
        )
    )


def _write_entries(event: Event, plan: PlannedResult) -> KeptRows:
    """Synchronize the stored entries of an event with the plan; return the rows of removed entries."""
    players = ensure_players(event.season.club, [entry.name for entry in plan.entries])
    stored = stored_entries(plan.event) if plan.event else {}
    new, changed = [], []
    for key, number, values in plan.rows:
        entry = stored.pop((key, number), None)
        if entry is None:
            new.append(Entry(event=event, player=players[key], number=number, **values))
        elif stored_values(entry) != values:
            for name, value in values.items():
                setattr(entry, name, value)
            changed.append(entry)
    removed = delete_and_keep(stored.values())
    Entry.objects.bulk_update(changed, CORRECTABLE_FIELDS, batch_size=500)
    insert_rows(Entry, new)
    return removed
