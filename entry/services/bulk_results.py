"""Enter the results of many new events at once: the rows of `enter_result`, in a constant number of queries a batch."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from league.database.bulk import insert_columns
from league.models import Entry, Event, PlayerAlias, Season
from league.services.changes import lock_all, record_entered
from league.services.errors import BadResult
from league.services.events import pools_of_details, tell_amounts
from league.services.plans import PlannedResult, plan_event, refusals, require_open
from league.services.players import ensure_players, with_own_names
from league.services.summaries import entered_summary
from reading.names.keys import name_key
from reading.results import EntryInput, EventDetails

BATCH = 20_000  # entries that are in memory as rows


class NewResult(NamedTuple):
    """A result to enter, and how it is stored if that was planned before."""

    key: str
    details: EventDetails
    entries: Sequence[EntryInput]
    plan: PlannedResult | None = None


@transaction.atomic
def enter_results(season: Season, results: Sequence[NewResult], *, actor: User | None) -> list[Event]:
    """Save new events with their results, as `enter_result` does one after the other; return them in order."""
    pools = lock_all(pools_of_details(season, [result.details for result in results]))
    season.pool = pools[season.pool_id]
    require_open(season)
    names = {name_key(entry.name): entry.name for result in results for entry in result.entries}
    others = set(PlayerAlias.objects.filter(club=season.club).values_list("key", flat=True)) & names.keys()
    saved: list[Event] = []
    players: dict[str, int] = {}  # ids by key, so that no later batch looks up a name again
    for batch in _batches(results):
        plans = [_plan(season, result, others) for result in batch]
        if reasons := refusals(plans):
            raise BadResult(next(iter(reasons.values())))
        unmet = _unmet_names(plans, players)
        players |= {key: player.pk for key, player in ensure_players(season.club, unmet).items()}
        events = Event.objects.bulk_create(
            Event(season=season, key=result.key, **asdict(plan.details))
            for result, plan in zip(batch, plans, strict=True)
        )
        _insert_entries(events, plans, players)
        summaries = [entered_summary(plan.details, plan.entries) for plan in plans]
        record_entered(pools, zip(events, summaries, strict=True), actor=actor)
        for event, plan in zip(events, plans, strict=True):
            tell_amounts(event, plan.entries, actor)
        saved += events
    return saved


def _batches(results: Sequence[NewResult]) -> Iterator[list[NewResult]]:
    batch: list[NewResult] = []
    size = 0
    for result in results:
        batch.append(result)
        size += len(result.entries)
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _plan(season: Season, result: NewResult, others: set[str]) -> PlannedResult:
    entries = result.entries
    if others and any(name_key(entry.name) in others for entry in entries):
        entries = with_own_names(season.club, entries)
    elif result.plan:
        return result.plan
    return plan_event(season, result.details, entries)


def _unmet_names(plans: Sequence[PlannedResult], met: Collection[str]) -> list[str]:
    """List, once each, the names that no earlier batch had, spelled as in the first event that has them."""
    names: dict[str, str] = {}
    for plan in plans:
        for key, name in {name_key(entry.name): entry.name for entry in plan.entries}.items():
            if key not in met:
                names.setdefault(key, name)
    return list(names.values())


def _insert_entries(
    events: Sequence[Event], plans: Sequence[PlannedResult], players: Mapping[str, int]
) -> None:
    columns: dict[str, list[Any]] = defaultdict(list)
    for event, plan in zip(events, plans, strict=True):
        for key, number, values in plan.rows:
            columns["event_id"].append(event.pk)
            columns["player_id"].append(players[key])
            columns["number"].append(number)
            for name, value in values.items():
                columns[name].append(value)
    insert_columns(Entry, columns)
