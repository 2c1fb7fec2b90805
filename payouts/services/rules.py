"""Changes of a season's rules, under the pool's lock."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from league.models import Change, Club, Event, Season
from league.services.changes import lock_pool, lock_pools, record_change, require_not_sealed
from league.services.errors import Refused, Stale
from league.services.seasons import open_season, update_season
from league.vocabulary import gettext as _
from payouts.engine.errors import EngineError
from payouts.engine.seasons.season import check_rules
from payouts.engine.structures.structure import PointsStructure
from payouts.models import EventRules, SeasonRules, default_structure
from payouts.queries import rules_of, rules_version
from payouts.services.settling import require_points

BATCH = 2_000
RULE_FIELDS = (
    "structure", "attendance_points", "min_events", "best_n", "best_n_per_month", "drop_worst",
    "missed_count_as_zero", "tie_breaks", "inactive_after",
)  # fmt: skip


def checked_rules(rules: Mapping[str, Any], *, known: PointsStructure | None = None) -> dict[str, Any]:
    """Check rules and fill in the defaults of missing ones; EngineError names an invalid field.

    The `known` structure may stay, even if it could not be chosen any more.
    """
    if unknown := sorted(set(rules) - set(RULE_FIELDS)):
        raise EngineError(unknown[0], "unknown_setting", known=", ".join(RULE_FIELDS))
    structure = PointsStructure.from_dict(rules.get("structure", default_structure()))
    if structure != known:
        structure.check()
    chosen = SeasonRules(**{**rules, "structure": structure.to_dict()})
    check_rules(chosen.scoring)
    if chosen.inactive_after is not None and chosen.inactive_after < 1:
        raise EngineError("inactive_after", "too_small", least=1, got=chosen.inactive_after)
    return {name: getattr(chosen, name) for name in RULE_FIELDS}


@transaction.atomic
def open_season_with_rules(
    club: Club,
    *,
    name: str,
    starts_on: date,
    ends_on: date | None,
    rules: Mapping[str, Any],
    slug: str = "",
    taken_from: Season | None = None,
    actor: User | None = None,
) -> Season:
    """Create a season with these rules; copy all other settings from another season, if given."""
    known = rules_of(taken_from).points_structure if taken_from else None
    chosen = checked_rules(rules, known=known)
    season = open_season(
        club,
        name=name,
        slug=slug,
        starts_on=starts_on,
        ends_on=ends_on,
        taken_from=taken_from,
        actor=actor,
    )
    SeasonRules.objects.create(season=season, **chosen)
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
    slug: str = "",
    actor: User,
) -> Season:
    """Change a season. Finished events keep the points they were settled with, unless `settle_again`.

    Raise Stale if anything would change and `version` is outdated.
    """
    lock_pools(season.club)
    pool = lock_pool(season.pool_id)
    is_stale = rules_version(season) != version
    season = update_season(season, name=name, slug=slug, starts_on=starts_on, ends_on=ends_on, actor=actor)
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
    """Change the rules. Raise Stale if anything would change and `version` is given and outdated."""
    chosen = checked_rules(rules, known=rules_of(season).points_structure)
    pool = lock_pool(season.pool_id)
    require_open(season)
    stored, _created = SeasonRules.objects.get_or_create(season=season)
    before = {name: getattr(stored, name) for name in RULE_FIELDS}
    differing = EventRules.objects.filter(event__season=season).exclude(structure=chosen["structure"])
    if before == chosen and not (settle_again and differing.exists()):
        return stored
    if version is not None and rules_version(season) != version:
        raise Stale
    if settle_again:
        _set_event_rules(season.events.all(), chosen["structure"])
        require_points(season.events.values_list("pk", flat=True))
    else:
        # Events entered under the old structure keep it, even if their points have not been computed yet.
        _set_event_rules(season.events.filter(rules=None), before["structure"])
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


def require_open(season: Season) -> None:
    """Raise Refused if the season is sealed or closed."""
    season.refresh_from_db()
    require_not_sealed(season)
    if season.is_closed:
        raise Refused(
            _("The season %(season)s is closed. Reopen it to change its rules.") % {"season": season}
        )


def _set_event_rules(events: QuerySet[Event], structure: dict[str, Any]) -> None:
    """Store the structure of events.

    This is not left to the recomputation, because one that is running could store the old structure.
    """
    rules = [EventRules(event_id=pk, structure=structure) for pk in events.values_list("pk", flat=True)]
    EventRules.objects.bulk_create(
        rules, batch_size=BATCH, update_conflicts=True, unique_fields=["event"], update_fields=["structure"]
    )
