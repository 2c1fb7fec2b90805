"""Points of events: computed by their structures, and written by the recomputation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby, starmap
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef

from league.database.bulk import as_one_parameter, insert_columns
from league.models import Entry, Event
from league.services.errors import BadResult
from league.services.plans import PlannedResult
from league.vocabulary import gettext as _
from payouts.engine.structures.facts import EntryFacts, entry_facts
from payouts.engine.structures.structure import PointsStructure
from payouts.error_messages import field_and_message
from payouts.models import EntryBonus, EntryPoints, EventRules, EventTerms, SeasonRules
from payouts.queries import Settling, known_structure, settling_of
from reading.names.keys import name_key
from reading.results import EntryInput

BATCH = 2_000


@dataclass(frozen=True)
class SettledPoints:
    """Points of some events, and the rules of those settled for the first time."""

    event_ids: list[int]
    points: dict[int, Fraction]  # by entry
    new_rules: dict[int, dict[str, Any]]  # structures by event


class NoPoints(ValueError):
    """The structure of an event gives no points for its result."""

    def __init__(self, event_id: int, reason: ValueError) -> None:
        super().__init__(f"event {event_id}: {reason}")
        self.event_id = event_id
        self.reason = reason

    def in_words(self) -> str:
        """Explain the error in the reader's language, with one read."""
        event = Event.objects.select_related("season__club").get(pk=self.event_id)
        return _without_points(event, self.reason)


class EntryRow(NamedTuple):
    event_id: int
    pk: int
    place: int
    # Needed only where points depend on more than places.
    player_id: int = 0
    number: int = 1
    knockouts: int | None = None
    cost: Decimal | None = None
    balance: Decimal | None = None


N_ALWAYS_NEEDED = 3


def settle_events(event_ids: Iterable[int], *, structure: PointsStructure | None = None) -> SettledPoints:
    """Compute the points of each entry of these events, its bonus included, with a constant number of reads, no write.

    An event keeps the structure it was first settled by; a new event takes its season's. `structure` overrides both.
    """
    event_ids = list(event_ids)
    settled = SettledPoints([], {}, {})
    settlings = _settlings(event_ids, structure, settled.new_rules)
    # What only some structures need takes as long to read as all the rest.
    needs_facts = any(settling.needs_facts for settling in settlings.values())
    columns = EntryRow._fields if needs_facts else EntryRow._fields[:N_ALWAYS_NEEDED]
    rows = (
        Entry.objects.filter(event__in=as_one_parameter(event_ids))
        .order_by("event_id", "place", "pk")
        .values_list(*columns)
    )
    for event_id, group in groupby(starmap(EntryRow, rows.iterator(BATCH)), key=itemgetter(0)):
        entries = list(group)
        settled.event_ids.append(event_id)
        points = _points(settlings[event_id], entries)
        settled.points.update(zip((row.pk for row in entries), points, strict=True))
    # Few entries have a bonus: beside all the others it would be read for nothing.
    bonuses = EntryBonus.objects.filter(entry__event__in=as_one_parameter(event_ids))
    for entry_id, points_more in bonuses.values_list("entry_id", "points"):
        settled.points[entry_id] += points_more
    return settled


def _points(settling: Settling, rows: Sequence[EntryRow]) -> list[Fraction]:
    facts = None
    if settling.needs_facts:
        columns = ((row.player_id, row.number, row.knockouts, row.cost, row.balance) for row in rows)
        facts = entry_facts(*zip(*columns, strict=True))
    try:
        return settling.points([row.place for row in rows], facts)
    except ValueError as error:
        raise NoPoints(rows[0].event_id, error) from error


def require_points(event_ids: Iterable[int]) -> None:
    """Raise BadResult if the structure of one of these events has no points for its result.

    Called before a change is committed, because the recomputation would otherwise stop with an error.
    """
    settlings = _settlings(list(event_ids), None, {})
    try:
        settle_events([pk for pk, settling in settlings.items() if settling.can_fail])
    except NoPoints as error:
        raise BadResult(error.in_words()) from error


def plans_without_points(plans: Sequence[PlannedResult]) -> dict[int, str]:
    """Map positions of planned results without points to the reasons. Two reads at most."""
    with_rules = Event.objects.select_related("rules", "terms", "season__rules")
    stored = with_rules.in_bulk([plan.event.pk for plan in plans if plan.event])
    found = {}
    for position, plan in enumerate(plans):
        event = Event(season=plan.season, name=plan.details.name, starts_at=plan.details.starts_at)
        settling = settling_of(stored[plan.event.pk] if plan.event else event)
        try:
            if settling.can_fail and not plan.has_parts:
                entries = sorted(plan.entries, key=attrgetter("place"))
                settling.points([entry.place for entry in entries], facts_before_saving(entries))
        except ValueError as error:
            found[position] = _without_points(event, error)
    return found


def facts_before_saving(entries: Sequence[EntryInput]) -> list[EntryFacts]:
    """Collect the formula facts of entries whose players may not be stored yet."""
    rows = (
        (name_key(entry.name), entry.number, entry.knockouts, entry.cost, entry.balance) for entry in entries
    )
    return entry_facts(*zip(*rows, strict=True))


def _without_points(event: Event, reason: ValueError) -> str:
    _field, text = field_and_message(reason)
    return _("The structure has no points for %(event)s. %(reason)s") % {"event": event, "reason": text}


def _settlings(
    event_ids: list[int], structure: PointsStructure | None, new_rules: dict[int, dict[str, Any]]
) -> dict[int, Settling]:
    """Read structure and terms by event; add the rules of events settled for the first time to `new_rules`."""
    events = (
        Event.objects.filter(
            Exists(Entry.objects.filter(event=OuterRef("pk"))), pk__in=as_one_parameter(event_ids)
        )
        .order_by("pk")
        .values_list("pk", "season_id", "rules__structure")
    )
    rows = list(events.iterator(BATCH))
    of_seasons = dict(
        SeasonRules.objects.filter(season__in={row[1] for row in rows}).values_list("season_id", "structure")
    )
    terms = {each.event_id: each for each in EventTerms.objects.filter(event__in=as_one_parameter(event_ids))}
    default, without_terms = SeasonRules().structure, EventTerms()
    settlings = {}
    for event_id, season_id, own in rows:
        stored = own
        if stored is None:
            stored = new_rules[event_id] = of_seasons.get(season_id, default)
        settlings[event_id] = Settling(
            structure or known_structure(stored), terms.get(event_id, without_terms)
        )
    return settlings


def write_points(settled: SettledPoints) -> None:
    """Write points and new rules, inside the caller's transaction, under the pool's lock."""
    # Through `entry__event`, Django would join the points to themselves, for which PostgreSQL took up to a minute.
    EntryPoints.objects.filter(
        entry__in=Entry.objects.filter(event__in=as_one_parameter(settled.event_ids))
    ).delete()
    columns = {
        "entry_id": list(settled.points),
        "numerator": [points.numerator for points in settled.points.values()],
        "denominator": [points.denominator for points in settled.points.values()],
    }
    insert_columns(EntryPoints, columns)
    if not settled.new_rules:
        return
    stored = EventRules.objects.filter(event__in=as_one_parameter(settled.new_rules)).values_list(
        "event_id", flat=True
    )
    new = {event_id: settled.new_rules[event_id] for event_id in settled.new_rules.keys() - set(stored)}
    insert_columns(EventRules, {"event_id": list(new), "structure": list(new.values())})
