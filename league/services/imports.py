"""Store an uploaded event file between preview and saving, and save its events as a whole."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from datetime import timedelta
from operator import attrgetter
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.event_files.reader import FileEvent, read_event_file
from league.models import Event, ImportDraft, Season, name_key
from league.problems import Problem
from league.queries import games_by_key
from league.results import EventDetails
from league.services.changes import lock_all
from league.services.errors import BadResult, Refused
from league.services.events import correct_result, enter_result, pools_of_details
from league.services.file_scores import BadScores, with_balances
from league.services.plans import (
    PlannedResult,
    plan_correction,
    plan_event,
    refusals,
    require_open,
    with_entries,
)

DRAFT_LIFETIME = timedelta(days=2)


@dataclass(frozen=True)
class Imported:
    n_entered: int
    n_corrected: int
    n_same: int


class NotImported(Refused):
    """Events of a file that cannot be saved, each with its line."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def stage_import(season: Season, *, user: User, file_name: str, text: str) -> ImportDraft:
    """Store an uploaded file together with the problems that saving it would meet."""
    ImportDraft.objects.filter(created_at__lt=timezone.now() - DRAFT_LIFETIME).delete()
    basis = _verdict_basis(season)  # read before the check, so that a change during it outdates the verdict
    problems = import_problems(season, read_event_file(text, tz=season.club.tz).events)
    verdict = {"found_at": basis, "problems": [astuple(problem) for problem in problems]}
    return ImportDraft.objects.create(
        season=season, user=user, file_name=file_name[:200], text=text, verdict=verdict
    )


def draft_problems(draft: ImportDraft, events: Sequence[FileEvent]) -> tuple[Problem, ...]:
    """List why saving an uploaded file would be refused: the stored verdict, or a new one if that is outdated.

    The draft is read with season and pool; nothing is written.
    """
    if draft.verdict and draft.verdict["found_at"] == _verdict_basis(draft.season):
        return tuple(Problem(*problem) for problem in draft.verdict["problems"])
    return import_problems(draft.season, events)


def _verdict_basis(season: Season) -> dict[str, Any]:
    """All that a verdict depends on besides the file: the pool's data, the club's day, the reader's language."""
    today = timezone.localdate(timezone=season.club.tz)
    return {"version": season.pool.data_version, "day": today.isoformat(), "language": get_language()}


@transaction.atomic
def import_events(season: Season, events: Sequence[FileEvent], *, actor: User | None) -> Imported:
    """Save the events of a file, all or none. An event the season already has is corrected."""
    lock_all(_pool_ids(season, events))
    if problems := import_problems(season, events):
        raise NotImported(problems)
    stored = {event.key: event for event in _stored(season, events).select_related("game")}
    games = games_by_key(season.club)
    counts = Counter(
        _save(season, with_balances(season, item, event, games), event, actor)
        for item, event in ((item, stored.get(item.key)) for item in events)
    )
    return Imported(counts["entered"], counts["corrected"], counts["same"])


def _pool_ids(season: Season, events: Sequence[FileEvent]) -> set[int]:
    """Find all pools that the events of a file need, so that they are locked in one order."""
    rated_in = _stored(season, events).order_by().values_list("pool_id", flat=True).distinct()
    games = games_by_key(season.club)
    played = {game.pool_id for item in events if (game := games.get(name_key(item.game)))}
    return pools_of_details(season, [item.details for item in events]) | set(rated_in) | played


def import_problems(season: Season, events: Sequence[FileEvent]) -> tuple[Problem, ...]:
    """List why saving these events would be refused, without writing."""
    if not events:
        return ()
    try:
        require_open(season)
    except Refused as error:
        return (Problem(0, "", str(error)),)
    stored = {event.key: event for event in with_entries(_stored(season, events)).select_related("game")}
    games = games_by_key(season.club)
    problems: list[Problem] = []
    plans: list[tuple[FileEvent, PlannedResult]] = []
    for item in events:
        event = stored.get(item.key)
        try:
            plan = _plan(season, with_balances(season, item, event, games), event)
        except BadScores as error:
            problems.append(error.problem)
        except Refused as error:
            problems.append(_problem(item, str(error), "" if isinstance(error, BadResult) else "date"))
        else:
            plans += [(item, plan)] if plan.is_change else []
    refused = refusals([plan for _item, plan in plans])
    for position, message in refused.items():
        item = plans[position][0]
        problems.append(_problem(item, message + _hint(item), ""))
    return tuple(sorted(problems, key=attrgetter("line")))


def _problem(item: FileEvent, message: str, column: str) -> Problem:
    return Problem(item.line, column, f"{message} ({item.key})")


def _hint(item: FileEvent) -> str:
    """Say how to keep a game whose balances lack something to 0."""
    balances = [entry.balance for entry in item.entries]
    if item.house is not None or not sum(balance or 0 for balance in balances) < 0:
        return ""
    return " " + _("If the house kept the rest, say so in the column house.")


def _stored(season: Season, events: Sequence[FileEvent]) -> QuerySet[Event]:
    """Find the stored events of the season that the file names."""
    return Event.objects.filter(season=season, key__in=[item.key for item in events])


def _plan(season: Season, item: FileEvent, event: Event | None) -> PlannedResult:
    if event is None:
        return plan_event(season, item.details, item.entries)
    return plan_correction(event, _corrected(item, event), item.entries)


def _save(season: Season, item: FileEvent, event: Event | None, actor: User | None) -> str:
    if event is None:
        enter_result(season, item.details, item.entries, actor=actor, key=item.key)
        return "entered"
    details = _corrected(item, event)
    corrected = correct_result(event, details, item.entries, version=event.version, actor=actor)
    return "same" if corrected.version == event.version else "corrected"


def _corrected(item: FileEvent, event: Event) -> EventDetails:
    """Keep stored details the file leaves out: it has no column for names, and often none for times."""
    return replace(
        item.details,
        name=event.name,
        ends_at=item.details.ends_at or event.ends_at,
        closes_at=item.details.closes_at or event.closes_at,
    )


@transaction.atomic
def apply_draft(draft: ImportDraft, events: Sequence[FileEvent], *, actor: User) -> Imported | None:
    """Save an uploaded file once; None if it was saved before."""
    lock_all(_pool_ids(draft.season, events))
    claimed = ImportDraft.objects.filter(pk=draft.pk, applied_at=None).update(applied_at=timezone.now())
    return import_events(draft.season, events, actor=actor) if claimed else None
