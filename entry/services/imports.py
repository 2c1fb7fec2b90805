"""Save the events of files as a whole, or say why not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from entry.services.bulk_results import NewResult, enter_results
from entry.services.file_scores import BadScores, with_balances
from entry.services.import_places import Place, find_places, pools_of_places
from league.models import (
    Event,
    Import,
    ImportedEvent,
    Player,
    PlayerAlias,
    Season,
)
from league.services.changes import lock_all
from league.services.errors import BadResult, Refused
from league.services.events import correct_result
from league.services.kept_results import keep_result
from league.services.kept_rows import KeptRows
from league.services.plans import PlannedResult, plan_correction, plan_event, refusals, require_open
from league.services.players import remember_aliases, remove_idle_guests
from league.vocabulary import gettext as _
from reading.event_files.reader import FileEvent
from reading.names.understanding import NO_ALIASES, Aliases
from reading.problems import Problem
from reading.results import EventDetails

MAX_FILES = 500  # characters of the names of the files


@dataclass(frozen=True)
class Imported:
    """What an import did; without a record it changed nothing."""

    n_entered: int
    n_corrected: int
    n_same: int
    record: Import | None = None


@dataclass(frozen=True)
class Verdict:
    """Why events cannot be saved, and how many entries of each differ from what is stored: None for a new event."""

    problems: tuple[Problem, ...] = ()
    changes: tuple[int | None, ...] = ()


class NotImported(Refused):
    """Events of a file that cannot be saved, each with its line."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


@transaction.atomic
def import_events(
    season: Season,
    events: Sequence[FileEvent],
    *,
    actor: User | None,
    files: str = "",
    aliases: Aliases = NO_ALIASES,
) -> Imported:
    """Save the events of files, all or none, and keep what it takes to undo that.

    An event that its season has already is corrected. An event that names no season goes into `season`.
    """
    pools = lock_all({season.pool_id, *pools_of_places(find_places(season, events))})
    places, verdict = _planned(find_places(season, events))
    if verdict.problems:
        raise NotImported(verdict.problems)
    before = _newest()
    new_names = remember_aliases(season.club, _of_known(aliases), pool=pools[season.pool_id], actor=actor)
    rows = _save(places, actor)
    new_names += remember_aliases(season.club, aliases, pool=pools[season.pool_id], actor=actor)
    n_new = sum(row.before is None for row in rows)
    imported = Imported(n_new, len(rows) - n_new, len(places) - len(rows))
    if not rows and not new_names:
        return imported
    record = Import.objects.create(
        club=season.club,
        files=files[:MAX_FILES],
        actor=actor,
        n_entries=sum(len(place.item.entries) for place in places),
        players=list(season.club.players.filter(pk__gt=before[Player]).values_list("pk", flat=True)),
        aliases=list(season.club.aliases.filter(pk__gt=before[PlayerAlias]).values_list("pk", flat=True)),
        versions=dict(season.club.pools.values_list("pk", "data_version")),
    )
    for row in rows:
        row.record = record
    ImportedEvent.objects.bulk_create(rows)
    return replace(imported, record=record)


def _of_known(aliases: Aliases) -> Aliases:
    """Select the aliases of players that the club already has."""
    return {typed: whose for typed, whose in aliases.items() if isinstance(whose, int)}


def _newest() -> dict[Any, int]:
    """Read the highest ids of players and aliases, so that higher ones are recognised as new."""
    return {model: model.objects.aggregate(Max("pk"))["pk__max"] or 0 for model in (Player, PlayerAlias)}


def _save(places: Sequence[Place], actor: User | None) -> list[ImportedEvent]:
    """Enter and correct events in their order; return what was written.

    Guests whose last entry is corrected away go once all events are saved, since a later one may name them.
    """
    rows: list[ImportedEvent] = []
    for (_season_id, is_new), run in groupby(places, lambda place: (place.season.pk, place.event is None)):
        if is_new:
            rows += _enter(list(run), actor)
        else:
            rows += [row for place in run if (row := _correct(place, actor))]
    before = (KeptRows.from_json(row.before) for row in rows if row.before)
    if players := {pk for kept in before for pk in kept.player_ids()}:
        remove_idle_guests(places[0].season.club, players)
    return rows


def _enter(places: Sequence[Place], actor: User | None) -> list[ImportedEvent]:
    plans = [(place.item.key, place.plan) for place in places if place.plan]
    new = [NewResult(key, plan.details, plan.entries, plan) for key, plan in plans]
    return [_row(event, None) for event in enter_results(places[0].season, new, actor=actor)]


def _correct(place: Place, actor: User | None) -> ImportedEvent | None:
    """Correct an event; return None if nothing changes."""
    event, plan = place.event, place.plan
    if event is None or plan is None or not plan.is_change:
        return None
    before = keep_result(event).to_json()
    corrected = correct_result(
        event, plan.details, plan.entries, version=event.version, actor=actor, keeps_guests=True
    )
    return _row(corrected, before)


def _completed(place: Place) -> FileEvent:
    return with_balances(place.season, place.item, place.event, place.games)


def _row(event: Event, before: dict[str, Any] | None) -> ImportedEvent:
    label = str(event)[:200]
    return ImportedEvent(event=event, season=event.season, label=label, version=event.version, before=before)


def import_problems(season: Season, events: Sequence[FileEvent]) -> tuple[Problem, ...]:
    """List why saving these events would be refused, without writing."""
    return import_verdict(season, events).problems


def import_verdict(season: Season, events: Sequence[FileEvent]) -> Verdict:
    """Plan the import of these events without writing, and return the verdict."""
    return _planned(find_places(season, events))[1] if events else Verdict()


def _planned(places: Sequence[Place]) -> tuple[list[Place], Verdict]:
    """Plan each event once; those that cannot be saved have no plan."""
    problems = _season_problems(places) + _repeated(places)
    planned: list[Place] = []
    for place in places:
        plan = None
        try:
            plan = _plan(place)
        except BadScores as error:
            problems.append(replace(error.problem, file=place.item.file))
        except Refused as error:
            column = "" if isinstance(error, BadResult) else "date"
            problems.append(_problem(place.item, str(error), column))
        planned.append(replace(place, plan=plan))
    changed = [(place.item, place.plan) for place in planned if place.plan and place.plan.is_change]
    for position, message in refusals([plan for _item, plan in changed]).items():
        item = changed[position][0]
        problems.append(_problem(item, message + _hint(item), ""))
    ordered = sorted(problems, key=attrgetter("file", "line"))
    return planned, Verdict(tuple(ordered), tuple(map(_n_changes, planned)))


def _n_changes(place: Place) -> int | None:
    """Count the entries that differ from what is stored; None for a new event."""
    if place.event is None:
        return None
    return place.plan.n_changes if place.plan else 0


def _season_problems(places: Sequence[Place]) -> list[Problem]:
    """Say once of each season that takes no results why, and of each event whose season is not there."""
    problems = [
        _problem(
            place.item, _("The club has no season “%(season)s”.") % {"season": place.item.season}, "season"
        )
        for place in places
        if not place.is_found
    ]
    for season in {place.season.pk: place.season for place in places}.values():
        try:
            require_open(season)
        except Refused as error:
            problems.append(Problem(0, "", str(error)))
    return problems


def _repeated(places: Sequence[Place]) -> list[Problem]:
    """Name the events that stand in two files: the second would correct the first."""
    problems: list[Problem] = []
    seen: dict[tuple[int, str], FileEvent] = {}
    for place in places:
        first = seen.setdefault((place.season.pk, place.item.key), place.item)
        if first is not place.item:
            message = _("This %(event_word)s stands in %(file)s, too.") % {"file": first.file}
            problems.append(_problem(place.item, message, "event"))
    return problems


def _problem(item: FileEvent, message: str, column: str) -> Problem:
    return Problem(item.line, column, f"{message} ({item.key})", file=item.file)


def _hint(item: FileEvent) -> str:
    """Suggest the column `house` if the balances of a game add up to less than 0."""
    balances = [entry.balance for entry in item.entries]
    if item.house is not None or not sum(balance or 0 for balance in balances) < 0:
        return ""
    return " " + _("If the house kept the rest, say so in the column house.")


def _plan(place: Place) -> PlannedResult:
    item = _completed(place)
    if place.event is None:
        return plan_event(place.season, item.details, item.entries)
    return plan_correction(place.event, _corrected(item, place.event), item.entries)


def _corrected(item: FileEvent, event: Event) -> EventDetails:
    """Fill in details that the file leaves out from the stored event."""
    return replace(
        item.details,
        name=item.details.name or event.name,
        ends_at=item.details.ends_at or event.ends_at,
        closes_at=item.details.closes_at or event.closes_at,
    )
