"""Queries for the rating settings of a pool."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from datetime import datetime, time
from math import inf, isinf
from typing import Any, NamedTuple, TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Max, Min, OuterRef, QuerySet

from league.database.bulk import as_one_parameter
from league.models import BEGINNING, Change, Entry, Pool, PoolKind
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.badges import badge_bounds
from ratings.engine.tier.params import TierParams
from ratings.models import BroughtRating, RatedEntry, RatedGame, RatingSettings

PARAM_NAMES = tuple(field.name for field in fields(TierParams))
# The published parameters of R for balances in thousands, as entries have them.
PUBLISHED_PROFIT = {"balance_unit": 1.0}
PROFIT_PARAM_NAMES = tuple(field.name for field in fields(ProfitParams))
# Badges and the least R of each, the best first, as they are stored; the last has none.
BadgeBounds: TypeAlias = list[tuple[str, float | None]]
# What standings read of a rated entry or game in a pool of any kind. `last_at` is when the player played before.
RATES = ("event_id", "player_id", "prior_rate", "posterior_rate", "badge", "is_provisional", "last_at")

Rated = TypeVar("Rated", RatedEntry, RatedGame)

BROUGHT = ("day", "mu", "sigma")  # of a rating brought forward, for its explanation


class Era(NamedTuple):
    """A time whose events are rated by the same settings: from `starts_at` to the start of the next era."""

    starts_at: datetime
    settings: RatingSettings | None  # None stands for the published parameters

    @property
    def params(self) -> TierParams:
        return params_of(self.settings)

    @property
    def profit_params(self) -> ProfitParams:
        return profit_params_of(self.settings)

    @property
    def stretch(self) -> float:
        """Return the factor of distances from r0 when the era begins."""
        return self.settings.stretch or 1.0 if self.settings else 1.0


class BroughtRow(NamedTuple):
    """A rating brought forward; R pools have no sigma. `at` is the beginning of its day in the club's time."""

    player_id: int
    mu: float
    sigma: float
    n_entries: int
    at: datetime


def brought_ratings(pool_id: int) -> list[BroughtRow]:
    """Read the ratings brought forward into a pool."""
    columns = ("player_id", "mu", "sigma", "n_entries", "day", "pool__club__time_zone")
    rows = BroughtRating.objects.filter(pool=pool_id).order_by("player_id").values_list(*columns)
    return [
        BroughtRow(player_id, mu, sigma or 0.0, n, datetime.combine(day, time(), ZoneInfo(zone)))
        for player_id, mu, sigma, n, day, zone in rows
    ]


def with_brought(rows: "QuerySet[Rated]") -> "QuerySet[Rated]":
    """Read rated entries or games with the player's rating brought forward, for `began_with`."""
    own = BroughtRating.objects.filter(pool=OuterRef("pool"), player=OuterRef("player"))
    return rows.annotate(**{f"brought_{name}": own.values(name) for name in BROUGHT})


def began_with(row: RatedEntry | RatedGame) -> BroughtRating | None:
    """Return the rating brought forward if the row is the player's first, else None."""
    brought = {name: getattr(row, f"brought_{name}") for name in BROUGHT}
    return None if brought["day"] is None or row.last_at else BroughtRating(**brought)


def brought_version(pool_id: int) -> int:
    """Data version of the last change of a pool's ratings brought forward; 0 before the first."""
    changes = Change.objects.filter(pool=pool_id, kind=Change.Kind.RATINGS_BROUGHT)
    return changes.aggregate(last=Max("version"))["last"] or 0


def first_start(pool_id: int, player_ids: Iterable[int]) -> datetime | None:
    """Find the start of the first event of these players in a pool; None if they have none there."""
    entries = Entry.objects.filter(event__pool=pool_id, player__in=as_one_parameter(player_ids))
    first: datetime | None = entries.aggregate(first=Min("event__starts_at"))["first"]
    return first


def wanted_settings(pool_id: int) -> RatingSettings | None:
    """Read the newest revision; None if the settings were never changed."""
    return RatingSettings.objects.filter(pool=pool_id).order_by("-revision").first()


def settings_in_force(pool_id: int) -> RatingSettings | None:
    """Read the revision that rated the last event; None means the published parameters."""
    return RatingSettings.objects.filter(pool=pool_id, is_in_force=True).first()


def settings_at(pool_id: int, moment: datetime) -> RatingSettings | None:
    """Find the revision with which the stored ratings of events at a moment were computed."""
    applied = RatingSettings.objects.filter(pool=pool_id, applied_from__lte=moment)
    return applied.order_by("-revision").first()


def eras_of(newest_first: Iterable[RatingSettings]) -> list[Era]:
    """Divide a pool's history by the settings that are wanted for it; the first era is at the beginning."""
    return _eras((revision.takes_effect_at, revision) for revision in newest_first)


def applied_eras(pool_id: int) -> list[Era]:
    """Divide the history of a pool by the settings that the stored ratings were computed with."""
    revisions = RatingSettings.objects.filter(pool=pool_id, applied_from__isnull=False)
    newest_first = revisions.select_related("season").order_by("-revision")
    return _eras((revision.applied_from or BEGINNING, revision) for revision in newest_first)


def _eras(newest_first: Iterable[tuple[datetime, RatingSettings]]) -> list[Era]:
    eras: list[Era] = []
    for starts_at, revision in newest_first:
        if not eras or starts_at < eras[0].starts_at:
            eras.insert(0, Era(starts_at, revision))
    return eras if eras and eras[0].starts_at == BEGINNING else [Era(BEGINNING, None), *eras]


def rates_of(pool: Pool, **conditions: Any) -> QuerySet[Any, tuple[Any, ...]]:
    """Read RATES of a pool's rated entries or games, in the order of rating."""
    if pool.kind == PoolKind.PROFIT:
        columns = ("event_id", "player_id", "r_before", "r_after", "badge", "is_provisional", "last_at")
        games = RatedGame.objects.filter(pool=pool, **conditions).order_by("starts_at", "event_id")
        return games.values_list(*columns)
    entries = RatedEntry.objects.filter(pool=pool, **conditions).order_by("starts_at", "event_id", "number")
    return entries.values_list(*RATES)


def revisions_of(pool_id: int) -> QuerySet[RatingSettings]:
    """Revisions with the accounts that made them, the newest first."""
    return (
        RatingSettings.objects.filter(pool=pool_id)
        .select_related("changed_by", "season")
        .order_by("-revision")
    )


def profit_params_of(settings: RatingSettings | None) -> ProfitParams:
    """Parameters of a revision of a pool of kind profit, as `params_of` for TIER."""
    stored = PUBLISHED_PROFIT | (settings.params if settings else {})
    return ProfitParams(**{name: stored[name] for name in PROFIT_PARAM_NAMES if name in stored})


def params_of(settings: RatingSettings | None) -> TierParams:
    """Parameters of a revision: new ones have their defaults, removed ones are ignored."""
    stored = settings.params if settings else {}
    return TierParams(**{name: stored[name] for name in PARAM_NAMES if name in stored})


def badge_bounds_of(settings: RatingSettings | None) -> tuple[tuple[str, float], ...]:
    """Badges of R and the least R of each, the best first; empty without badges."""
    stored: BadgeBounds = (settings and settings.badge_bounds) or []
    return tuple((letters, -inf if least is None else least) for letters, least in stored)


def spaced_badges(top: float, step: float) -> BadgeBounds:
    """Bounds of badges as they are stored: S begins at `top`, each next badge `step` lower, the last has none.

    Raise EngineError if `step` is not positive.
    """
    bounds = badge_bounds(replace(TierParams(), badge_top=top, badge_step=step))
    return [(letters, None if isinf(least) else least) for letters, least in bounds]


def values_of(kind: str, settings: RatingSettings | None) -> dict[str, Any]:
    """Map parameter names of a revision, badges of R included, to values; None means the published ones."""
    if kind != PoolKind.PROFIT:
        return asdict(params_of(settings))
    return asdict(profit_params_of(settings)) | _badges_of_r(badge_bounds_of(settings))


def _badges_of_r(bounds: tuple[tuple[str, float], ...]) -> dict[str, float | None]:
    if not bounds:
        return {"badge_top": None, "badge_step": None}
    (_best, top), (_next, second), *_others = bounds
    return {"badge_top": top, "badge_step": top - second}


def published_values(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Map parameter names to published values of the pool's kind, with the pool's own unit of balance."""
    published = values_of(kind, None)
    own = {name: values[name] for name in ("balance_unit",) if name in published}
    return published | own
