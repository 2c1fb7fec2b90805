"""Writes of forecasts: each is one transaction, computed from one snapshot, and gives the same rows a second time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, time, timedelta
from functools import partial
from math import isfinite
from time import monotonic
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from forecasts.histories import history_of
from forecasts.models import PoolQuality, SeasonSkill, SettingsFit, TitleOdds
from forecasts.quality import correction_at, quality_figures
from forecasts.queries import trust_in_chances
from forecasts.scores import season_scores
from forecasts.seasons import ReadSeason, odds_figures, read_for_odds
from forecasts.skill import digest_of, orders_of, skill_figures
from league.database.snapshots import snapshot
from league.models import Pool, PoolKind, Season
from payouts.engine.seasons.standings import season_ranks
from ratings.services.fitting import TriedSettings, fit_pool
from standings.models import Recomputation

OfSeason = TypeVar("OfSeason", TitleOdds, SeasonSkill)
# What takes longer belongs to a worker that was killed.
LOST_AFTER = timedelta(minutes=10)
# A pool is computed again after so many times as long as it took, so that a large one leaves the worker free.
REST = 20.0


def claim_pools(now: datetime | None = None) -> list[int]:
    """Claim the pools whose forecasts are older than their results, or of a day that is over."""
    now = now or timezone.now()
    rated = Recomputation.objects.filter(rated_version=F("pool__data_version"), rated_version__gt=0)
    missing = list(rated.filter(pool__quality=None).values_list("pool_id", flat=True))
    PoolQuality.objects.bulk_create([PoolQuality(pool_id=pk) for pk in missing], ignore_conflicts=True)
    is_stale = ~Q(version=F("pool__recomputation__rated_version")) | Q(stale_at__lte=now)
    stale = PoolQuality.objects.filter(_is_free(now), is_stale, pool__in=rated.values("pool"))
    rested = [row for row in stale.order_by("pk") if _has_rested(row, now)]
    return [row.pool_id for row in rested if _claim(PoolQuality, row.pk, now)]


def _has_rested(row: PoolQuality, now: datetime) -> bool:
    return row.computed_at is None or now >= row.computed_at + timedelta(seconds=REST * row.seconds)


def _is_free(now: datetime) -> Q:
    return Q(claimed_at=None) | Q(claimed_at__lt=now - LOST_AFTER)


def _claim(model: type[PoolQuality] | type[SettingsFit], pk: int, now: datetime) -> bool:
    return bool(model._default_manager.filter(_is_free(now), pk=pk).update(claimed_at=now))


def compute_pool(pool_id: int, *, now: datetime | None = None) -> None:
    """Score a pool's forecasts and compute its seasons' odds and shares of skill; ignore a deleted pool."""
    began, now = monotonic(), now or timezone.now()
    with snapshot():
        state = Recomputation.objects.select_related("pool__club").filter(pool=pool_id).first()
        if state is None:
            return
        is_rated = state.pool.kind != PoolKind.NONE
        figures = quality_figures(history_of(state.pool)) if is_rated else {}
        figures["skill"] = skill_figures(orders_of(state.pool.events.all()))
        rows = list(_title_odds(state.pool, figures, now)) if is_rated else []
        skills = list(_season_skills(state.pool, now))
    with transaction.atomic():
        if not Pool.objects.select_for_update().filter(pk=pool_id).exists():
            return
        _store(TitleOdds, rows, ("digest", "figures", "scores", "computed_at"))
        _store(SeasonSkill, skills, ("digest", "figures", "computed_at"))
        values = {"version": state.rated_version, "figures": figures, "computed_at": now, "claimed_at": None}
        values["stale_at"] = _stale_at(state.pool, now)
        PoolQuality.objects.update_or_create(
            pool_id=pool_id, defaults=values | {"seconds": monotonic() - began}
        )


def _stale_at(pool: Pool, now: datetime) -> datetime | None:
    """Find when the day is over by which an open season is estimated; None without an open season."""
    today = now.astimezone(pool.club.tz).date()
    is_open = Q(ends_on=None) | Q(ends_on__gte=today)
    if not Season.objects.filter(is_open, pool=pool, is_closed=False).exists():
        return None
    return datetime.combine(today + timedelta(days=1), time(), tzinfo=pool.club.tz)


def _title_odds(pool: Pool, figures: Mapping[str, Any], now: datetime) -> Iterable[TitleOdds]:
    """Compute the odds of the seasons whose data have changed; those of others stay."""
    stored = dict(TitleOdds.objects.filter(season__pool=pool).values_list("season_id", "digest"))
    trust = trust_in_chances(pool.club)
    for season in Season.objects.filter(pool=pool).select_related("club", "pool", "rules").order_by("pk"):
        read = read_for_odds(season, now)
        digest = read.digest(trust) if read else ""
        if stored.get(season.pk) == digest:
            continue
        odds = odds_figures(read, partial(correction_at, figures), trust) if read else {}
        scores = season_scores(odds["before"], _champions(read)) if read and odds and read.has_ended else []
        yield TitleOdds(season=season, digest=digest, figures=odds, scores=scores, computed_at=now)


def _champions(read: ReadSeason) -> list[int]:
    played = read.read
    counted_as = [event.counts_as for event in played.events]
    ranks, _profit = season_ranks(
        read.results,
        played.rules,
        events=counted_as,
        brought_forward=played.brought_forward,
        names=played.sort_keys,
    )
    return [player for player, rank in ranks.items() if rank == 1]


def _season_skills(pool: Pool, now: datetime) -> Iterable[SeasonSkill]:
    """Compute the share of skill of the seasons whose finishing orders have changed."""
    stored = dict(SeasonSkill.objects.filter(season__pool=pool).values_list("season_id", "digest"))
    for season in Season.objects.filter(pool=pool).order_by("pk"):
        orders = orders_of(season.events.all())
        digest = digest_of(orders)
        if stored.get(season.pk) != digest:
            yield SeasonSkill(season=season, digest=digest, figures=skill_figures(orders), computed_at=now)


def _store(model: type[OfSeason], rows: Sequence[OfSeason], names: Sequence[str]) -> None:
    """Write the rows of the seasons that still exist."""
    there = set(Season.objects.filter(pk__in=[row.season_id for row in rows]).values_list("pk", flat=True))
    model._default_manager.bulk_create(
        [row for row in rows if row.season_id in there],
        update_conflicts=True,
        unique_fields=["season"],
        update_fields=names,
    )


@transaction.atomic
def ask_for_fit(pool: Pool) -> SettingsFit:
    """Request a pool's forecasts under other settings. Idempotent."""
    Pool.objects.select_for_update().get(pk=pool.pk)
    fit, _created = SettingsFit.objects.get_or_create(pool=pool)
    if not fit.is_asked:
        fit.is_asked, fit.claimed_at = True, None
        fit.save(update_fields=["is_asked", "claimed_at"])
    return fit


def claim_fits(now: datetime | None = None) -> list[int]:
    """Claim the pools with a pending request for a fit under other settings."""
    now = now or timezone.now()
    asked = SettingsFit.objects.filter(_is_free(now), is_asked=True).order_by("pk")
    return [row.pool_id for row in asked if _claim(SettingsFit, row.pk, now)]


def compute_fit(pool_id: int, *, now: datetime | None = None) -> None:
    """Replay a pool under other settings and store their scores; do nothing without a pending request."""
    if not SettingsFit.objects.filter(pool=pool_id, is_asked=True).exists():
        return
    with snapshot():
        version = Pool.objects.values_list("data_version", flat=True).get(pk=pool_id)
        tried = [_stored(each) for each in fit_pool(pool_id)]
    done = {"version": version, "tried": tried, "computed_at": now or timezone.now()}
    SettingsFit.objects.filter(pool=pool_id).update(**done, is_asked=False, claimed_at=None)


def _stored(tried: TriedSettings) -> dict[str, Any]:
    error = tried.better.error
    better = [tried.better.value, error if isfinite(error) else None]
    return {name: value for name, value in asdict(tried).items() if name != "better"} | {"better": better}
