"""The rules of seasons, and the points of events. Points are found under the pool's lock, like ratings."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.bulk import insert_columns
from league.models import Change, Club, Entry, Season
from league.services.changes import lock_pool, record_change, require_not_sealed
from league.services.errors import Refused
from league.services.seasons import open_season, update_season
from payouts.engine.points import event_points
from payouts.models import EntryPoints, EventRules, SeasonRules

BATCH = 2_000
RULE_FIELDS = ("structure", "ties", "attendance_points", "min_events")


@dataclass(frozen=True)
class Awards:
    """The points of some events, and the rules of those that are settled for the first time."""

    event_ids: list[int]
    points: dict[int, Fraction]  # by entry
    new_rules: list[EventRules]


@transaction.atomic
def open_season_with_rules(
    club: Club, *, name: str, starts_on: date, ends_on: date | None, rules: dict[str, Any]
) -> Season:
    season = open_season(club, name=name, starts_on=starts_on, ends_on=ends_on)
    SeasonRules.objects.create(season=season, **rules)
    return season


@transaction.atomic
def update_season_with_rules(
    season: Season,
    *,
    name: str,
    starts_on: date,
    ends_on: date | None,
    rules: dict[str, Any],
    settle_again: bool,
    actor: User,
) -> Season:
    """Change a season. Finished events keep the points they were settled with, unless `settle_again`."""
    season = update_season(season, name=name, starts_on=starts_on, ends_on=ends_on, actor=actor)
    set_rules(season, rules=rules, settle_again=settle_again, actor=actor)
    return season


@transaction.atomic
def set_rules(
    season: Season, *, rules: dict[str, Any], settle_again: bool, actor: User | None
) -> SeasonRules:
    pool = lock_pool(season.pool_id)
    season.refresh_from_db()
    require_not_sealed(season)
    if season.is_closed:
        raise Refused(
            _("The season %(season)s is closed. Reopen it to change its rules.") % {"season": season}
        )
    stored, _created = SeasonRules.objects.get_or_create(season=season)
    before = {name: getattr(stored, name) for name in RULE_FIELDS}
    differing = EventRules.objects.filter(event__season=season)
    differing = differing.exclude(structure=rules["structure"], ties=rules["ties"])
    if before == rules and not (settle_again and differing.exists()):
        return stored
    SeasonRules.objects.filter(pk=stored.pk).update(**rules)
    if settle_again:
        _rule_events(season, rules)
    record_change(
        pool,
        kind=Change.Kind.RULES_CHANGED,
        actor=actor,
        season=season,
        before=before,
        after=rules | {"settle_again": settle_again},
    )
    stored.refresh_from_db()
    return stored


def _rule_events(season: Season, rules: dict[str, Any]) -> None:
    """Written here and not left to the recomputation: one under way must not bring back the old ones."""
    chosen = {"structure": rules["structure"], "ties": rules["ties"]}
    events = [EventRules(event_id=pk, **chosen) for pk in season.events.values_list("pk", flat=True)]
    EventRules.objects.bulk_create(
        events, batch_size=BATCH, update_conflicts=True, unique_fields=["event"], update_fields=list(chosen)
    )


def read_awards(event_ids: Iterable[int]) -> Awards:
    """Find the points of each entry of these events: one read, no write."""
    rows = (
        Entry.objects.filter(event__in=event_ids)
        .order_by("event_id", "place", "pk")
        .values_list(
            "event_id", "pk", "place", "event__rules__structure", "event__rules__ties",
            "event__season__rules__structure", "event__season__rules__ties",
        )
    )  # fmt: skip
    awards = Awards([], {}, [])
    for event_id, group in groupby(rows.iterator(BATCH), key=itemgetter(0)):
        _settle(awards, event_id, list(group))
    return awards


def _settle(awards: Awards, event_id: int, rows: list[tuple[Any, ...]]) -> None:
    default = SeasonRules()
    _event, _entry, _place, structure, ties, season_structure, season_ties = rows[0]
    if structure is None:
        structure, ties = season_structure or default.structure, season_ties or default.ties
        awards.new_rules.append(EventRules(event_id=event_id, structure=structure, ties=ties))
    awards.event_ids.append(event_id)
    for row, points in zip(rows, event_points([row[2] for row in rows], structure, ties), strict=True):
        awards.points[row[1]] = points


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
