"""The rules of seasons and the points of events; rules are changed, and points found, under the pool's lock."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.bulk import insert_columns
from league.models import Change, Club, Entry, Event, Season, name_key
from league.services.changes import lock_pool, record_change, require_not_sealed
from league.services.errors import BadResult, Refused, Stale
from league.services.players import ensure_players
from league.services.seasons import open_season, update_season
from payouts.brought_lines import BroughtLine
from payouts.engine.facts import entry_facts
from payouts.engine.season import check_rules
from payouts.engine.structure import PointsStructure
from payouts.engine_words import engine_error
from payouts.models import BroughtTotals, EntryPoints, EventRules, EventTerms, SeasonRules, default_structure
from payouts.queries import Settling, brought_version, rules_version, terms_of, terms_version

BATCH = 2_000
RULE_FIELDS = (
    "structure", "attendance_points", "min_events", "best_n", "best_n_per_month", "drop_worst",
    "missed_count_as_zero", "tie_breaks",
)  # fmt: skip
TERM_FIELDS = ("multiplier", "is_final", "total", "buy_in", "paid")


@dataclass(frozen=True)
class Awards:
    """The points of some events, and the rules of those that are settled for the first time."""

    event_ids: list[int]
    points: dict[int, Fraction]  # by entry
    new_rules: list[EventRules]


def checked_rules(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Rules as they are stored; those left out as by default.

    ValueError names the field that is wrong, as the engine does.
    """
    if unknown := sorted(set(rules) - set(RULE_FIELDS)):
        raise ValueError(f"{unknown[0]}: unknown setting, one of: {', '.join(RULE_FIELDS)}")
    structure = PointsStructure.from_dict(rules.get("structure", default_structure()))
    structure.check()
    chosen = SeasonRules(**{**rules, "structure": structure.to_dict()})
    check_rules(chosen.scoring)
    return {name: getattr(chosen, name) for name in RULE_FIELDS}


@transaction.atomic
def open_season_with_rules(
    club: Club, *, name: str, starts_on: date, ends_on: date | None, rules: Mapping[str, Any]
) -> Season:
    season = open_season(club, name=name, starts_on=starts_on, ends_on=ends_on)
    SeasonRules.objects.create(season=season, **checked_rules(rules))
    return season


@transaction.atomic
def update_season_with_rules(
    season: Season,
    *,
    name: str,
    starts_on: date,
    ends_on: date | None,
    rules: Mapping[str, Any],
    settle_again: bool,
    version: int,
    actor: User,
) -> Season:
    """Change a season. Finished events keep the points they were settled with, unless `settle_again`.

    Refused as stale if anything would change and `version` is no longer `rules_version`.
    """
    pool = lock_pool(season.pool_id)
    is_stale = rules_version(season) != version
    season = update_season(season, name=name, starts_on=starts_on, ends_on=ends_on, actor=actor)
    set_rules(season, rules=rules, settle_again=settle_again, actor=actor)
    if is_stale and lock_pool(season.pool_id).data_version != pool.data_version:
        raise Stale
    return season


@transaction.atomic
def set_rules(
    season: Season,
    *,
    rules: Mapping[str, Any],
    settle_again: bool,
    actor: User | None,
    version: int | None = None,
) -> SeasonRules:
    """Change the rules; as stale refused like a change of the season, but without a version never."""
    chosen = checked_rules(rules)
    pool = lock_pool(season.pool_id)
    _require_open(season)
    stored, _created = SeasonRules.objects.get_or_create(season=season)
    before = {name: getattr(stored, name) for name in RULE_FIELDS}
    differing = EventRules.objects.filter(event__season=season).exclude(structure=chosen["structure"])
    if before == chosen and not (settle_again and differing.exists()):
        return stored
    if version is not None and rules_version(season) != version:
        raise Stale
    if settle_again:
        _rule_events(season.events.all(), chosen["structure"])
        require_points(season.events.values_list("pk", flat=True))
    else:
        # Entered under the old structure, which is theirs, whether or not it has been computed yet.
        _rule_events(season.events.filter(rules=None), before["structure"])
    SeasonRules.objects.filter(pk=stored.pk).update(**chosen)
    record_change(
        pool,
        kind=Change.Kind.RULES_CHANGED,
        actor=actor,
        season=season,
        before=before,
        after=chosen | {"settle_again": settle_again},
    )
    stored.refresh_from_db()
    return stored


def _require_open(season: Season) -> None:
    season.refresh_from_db()
    require_not_sealed(season)
    if season.is_closed:
        raise Refused(
            _("The season %(season)s is closed. Reopen it to change its rules.") % {"season": season}
        )


def _rule_events(events: QuerySet[Event], structure: dict[str, Any]) -> None:
    """Written here and not left to the recomputation: one under way must not bring back the old ones."""
    rules = [EventRules(event_id=pk, structure=structure) for pk in events.values_list("pk", flat=True)]
    EventRules.objects.bulk_create(
        rules, batch_size=BATCH, update_conflicts=True, unique_fields=["event"], update_fields=["structure"]
    )


@transaction.atomic
def set_event_terms(
    event: Event, *, terms: Mapping[str, Any], version: int, actor: User | None
) -> EventTerms:
    """Say what is special about an event. Its points are found anew by the structure it was settled by.

    Refused as stale if anything would change and `version` is no longer `terms_version`.
    """
    pool = lock_pool(event.season.pool_id)
    current = Event.objects.select_related("season", "terms").filter(pk=event.pk).first()
    if current is None:
        raise Stale
    _require_open(current.season)
    stored = terms_of(current)
    before = {name: getattr(stored, name) for name in TERM_FIELDS}
    if before == dict(terms):
        return stored
    if terms_version(current) != version:
        raise Stale
    stored, _created = EventTerms.objects.update_or_create(event=current, defaults=dict(terms))
    require_points([current.pk])
    record_change(
        pool,
        kind=Change.Kind.TERMS_CHANGED,
        actor=actor,
        event=current,
        season=current.season,
        before={name: str(value) for name, value in before.items()},
        after={name: str(value) for name, value in terms.items()},
    )
    return stored


@transaction.atomic
def bring_forward(season: Season, lines: Sequence[BroughtLine], *, version: int, actor: User | None) -> int:
    """Make the season's totals brought forward equal to these lines; how many there are.

    Unknown names become guests, as they do in a result.
    """
    pool = lock_pool(season.pool_id)
    if brought_version(season) != version:
        raise Stale
    _require_open(season)
    players = ensure_players(season.club, [line.name for line in lines])
    stored = BroughtTotals.objects.filter(season=season).select_related("player")
    before = [[it.player_id, str(it.points), it.n_events, it.n_entries, it.n_wins] for it in stored]
    after = [
        [players[name_key(it.name)].pk, str(it.points), it.n_events, it.n_entries, it.n_wins] for it in lines
    ]
    if before != after:
        stored.delete()
        BroughtTotals.objects.bulk_create(
            BroughtTotals(
                season=season,
                player=players[name_key(line.name)],
                numerator=line.points.numerator,
                denominator=line.points.denominator,
                n_events=line.n_events,
                n_entries=line.n_entries,
                n_wins=line.n_wins,
            )
            for line in lines
        )
        record_change(
            pool,
            kind=Change.Kind.TOTALS_BROUGHT,
            actor=actor,
            season=season,
            before={"totals": before},
            after={"totals": after},
        )
    return len(after)


class NoPoints(ValueError):
    """The structure of an event gives no points for its result."""

    def __init__(self, event_id: int, reason: ValueError) -> None:
        super().__init__(f"event {event_id}: {reason}")
        self.event_id = event_id
        self.reason = reason

    def in_words(self) -> str:
        """In the reader's language. One read."""
        event = Event.objects.select_related("season__club").get(pk=self.event_id)
        _field, reason = engine_error(self.reason)
        return _("The structure has no points for %(event)s. %(reason)s") % {"event": event, "reason": reason}


class EntryRow(NamedTuple):
    event_id: int
    pk: int
    player_id: int
    number: int
    place: int
    knockouts: int | None
    cost: Decimal | None


def read_awards(event_ids: Iterable[int], *, structure: PointsStructure | None = None) -> Awards:
    """Find the points of each entry of these events: two reads, no write.

    Each event by the structure it was settled by, or the season's if it has not been; or all by `structure`.
    """
    event_ids = list(event_ids)
    awards = Awards([], {}, [])
    settlings = _settlings(event_ids, structure, awards.new_rules)
    rows = (
        Entry.objects.filter(event__in=event_ids)
        .order_by("event_id", "place", "pk")
        .values_list(*EntryRow._fields)
    )
    for event_id, group in groupby(map(EntryRow._make, rows.iterator(BATCH)), key=itemgetter(0)):
        entries = list(group)
        awards.event_ids.append(event_id)
        points = _points(settlings[event_id], entries)
        awards.points.update(zip((row.pk for row in entries), points, strict=True))
    return awards


def _points(settling: Settling, rows: Sequence[EntryRow]) -> list[Fraction]:
    columns = zip(*((row.player_id, row.number, row.knockouts, row.cost) for row in rows), strict=True)
    facts = entry_facts(*columns)
    try:
        return settling.points([row.place for row in rows], facts)
    except ValueError as error:
        raise NoPoints(rows[0].event_id, error) from error


def require_points(event_ids: Iterable[int]) -> None:
    """BadResult if the structure of one of these events has no points for it.

    Said while the result can still be put right: the recomputation could only stop.
    """
    settlings = _settlings(list(event_ids), None, [])
    try:
        read_awards([pk for pk, settling in settlings.items() if settling.can_fail])
    except NoPoints as error:
        raise BadResult(error.in_words()) from error


def _settlings(
    event_ids: list[int], structure: PointsStructure | None, new_rules: list[EventRules]
) -> dict[int, Settling]:
    """By event; what is settled for the first time is appended to `new_rules`."""
    events = (
        Event.objects.filter(pk__in=event_ids, entries__isnull=False)
        .select_related("rules", "terms", "season__rules")
        .order_by("pk")
        .distinct()
    )
    settlings = {}
    for event in events:
        rules: EventRules | None = getattr(event, "rules", None)
        if rules is None:
            of_season: SeasonRules | None = getattr(event.season, "rules", None)
            rules = EventRules(event=event, structure=(of_season or SeasonRules()).structure)
            new_rules.append(rules)
        settlings[event.pk] = Settling(structure or rules.points_structure, terms_of(event))
    return settlings


def write_awards(awards: Awards) -> None:
    """Inside the caller's transaction."""
    EntryPoints.objects.filter(entry__event__in=awards.event_ids).delete()
    columns = {
        "entry_id": list(awards.points),
        "numerator": [points.numerator for points in awards.points.values()],
        "denominator": [points.denominator for points in awards.points.values()],
    }
    insert_columns(EntryPoints, columns)
    EventRules.objects.bulk_create(awards.new_rules, batch_size=BATCH, ignore_conflicts=True)
