"""Enter, correct and delete the result of an event."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from types import MappingProxyType

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.bulk import insert_rows
from league.models import BinItem, Change, Entry, Event, Game, Meet, Season, name_key
from league.names.understanding import Aliases
from league.results import EntryInput, EventDetails
from league.services.bin import put_in_bin
from league.services.changes import lock_all, record_result_change
from league.services.errors import Refused, Stale
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
from league.services.players import ensure_players, remember_aliases, with_own_names
from league.services.summaries import correctable, entered_summary, event_facts, removed_rows, stored_summary

NO_ALIASES: Aliases = MappingProxyType({})


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
) -> Event:
    """Save a new event with its result. If the form_token is stored already, return its event instead.

    `aliases` are other names of players to remember.
    """
    pools = lock_all(pools_of_details(season, [details]))
    entries = with_own_names(season.club, entries)
    if form_token and (saved := Event.objects.filter(form_token=form_token).select_related("season").first()):
        if saved.season_id != season.pk:
            raise Refused(_("This form has been saved in the season %(season)s.") % {"season": saved.season})
        return _require_same(saved, details, entries)
    season.pool = pools[season.pool_id]
    require_open(season)
    plan = plan_event(season, details, entries)
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
    )
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
    reason: str = "",
    aliases: Aliases = NO_ALIASES,
) -> Event:
    """Replace an event's result. Raise Stale if `version` is outdated, unless the result is stored already.

    `moves_meet`: the caller moves all games of its meet to the day of `details`. `aliases` are other names of players
    to remember.
    """
    pools = lock_all({event.pool_id, *pools_of_details(event.season, [details])})
    current = _current(event)
    require_open(current.season)
    entries = with_own_names(current.season.club, entries)
    plan = plan_correction(current, details, entries, moves_meet=moves_meet)
    if not plan.is_change:
        remember_aliases(current.season.club, aliases, pool=pools[current.season.pool_id], actor=actor)
        return current
    _require_version(current, version)
    require_usable(plan)
    before, old_start, old_pool_id = correctable(current), current.starts_at, current.pool_id
    removed = _write_entries(current, plan)
    remember_aliases(current.season.club, aliases, pool=pools[current.season.pool_id], actor=actor)
    Event.objects.filter(pk=current.pk).update(**asdict(plan.details), version=version + 1)
    current.refresh_from_db()
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
    return current


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
    before = [{"event": str(event)} | stored_summary(event) for event in events]
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


def _require_same(saved: Event, details: EventDetails, entries: Sequence[EntryInput]) -> Event:
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
    if saved.starts_at != details.starts_at or saved.name != details.name or stored != typed:
        raise Refused(
            _("This form has been saved already, as %(event)s. Open a new form for another event.")
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
        _("Somebody else has changed this event since you opened it. Compare with its page and save again.")
    )


def _write_entries(event: Event, plan: PlannedResult) -> KeptRows:
    """Make the event's stored entries equal the planned ones; return the rows of those that went."""
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
