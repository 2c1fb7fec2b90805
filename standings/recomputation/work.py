"""One pass of a recomputation in three steps: read at one moment, compute, write in one transaction."""

import gc
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import Q, QuerySet
from django.utils import timezone
from numpy.typing import NDArray

from league.database.bulk import as_one_parameter, insert_rows
from league.models import Change, Event, Player, Pool, Season
from league.services.changes import lock_pool
from payouts.services.settling import SettledPoints, settle_events, write_points
from ratings.engine.tier.params import REVISION
from ratings.queries import brought_ratings, first_start
from ratings.services.replays import AnyInput, rate_again, read_input, replayed_from
from ratings.services.rows import END, RatedRows, write_rates
from standings.models import Recomputation, SeasonSummary, Standing
from standings.recomputation.columns import forget_event_columns, write_event_columns
from standings.recomputation.next_event import write_next_event
from standings.recomputation.season import (
    SeasonInput,
    StandingRow,
    completed,
    packed_columns,
    read_season_to_rank,
    season_standings,
)
from standings.recomputation.summary import season_summary

Progress = Callable[[int, int], None]
MERGES = (Change.Kind.PLAYERS_MERGED, Change.Kind.PLAYERS_UNMERGED)


@dataclass(frozen=True)
class PlayerChanges:
    """Players renamed, merged or unmerged since the last recomputation, by id."""

    renamed: set[int]
    merged: set[int]  # or unmerged


@dataclass(frozen=True)
class Work:
    """Everything that a pass has read of a pool."""

    pool: Pool
    sealed: set[int]  # seasons whose points and standings stay as they are, whatever happens to ratings
    pool_input: AnyInput | None  # None if no rating can have changed
    settled: SettledPoints
    seasons: list[SeasonInput]


@dataclass(frozen=True)
class Result:
    """The rows that replace the stored ones."""

    rerating: RatedRows | None
    standings: list[StandingRow]
    summaries: list[SeasonSummary]
    event_columns: dict[int, tuple[bytes, bytes]]  # results and rates, by event

    @property
    def rated_events(self) -> NDArray[Any]:
        """The event of each entry that was rated, by id."""
        return np.asarray(self.rerating.rated["event_id"] if self.rerating else ())


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Pause the collector, which would scan up to a million small objects without cycles again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_no_garbage_collection()
def read_work(
    pool: Pool, rated_version: int, forced_since: datetime | None, *, until: datetime = END
) -> Work:
    """Read what has changed since `rated_version`, or with `forced_since` everything from that time on.

    A preview may leave the ratings from `until` on as they are.
    """
    sealed = sealed_seasons(pool)
    changes = Change.objects.filter(pool=pool, version__gt=rated_version)
    named = _players_named_anew(pool, rated_version)
    since = rated_since(pool, rated_version, forced_since, named.merged)
    changed = _events_to_settle(pool, sealed, changes, named, forced_since)
    seasons = [
        read_season_to_rank(season, changed=set(changed), since=since, until=until)
        for season in _seasons_to_rank(pool, sealed, changes, named, since)
    ]
    return Work(
        pool=pool,
        sealed=sealed,
        pool_input=read_input(pool, since=since, until=until) if since else None,
        settled=settle_events(changed),
        seasons=seasons,
    )


def rated_since(
    pool: Pool, rated_version: int, forced_since: datetime | None, merged: Collection[int] = ()
) -> datetime | None:
    """Find the start of the first event to rate again; None if no rating can have changed.

    Players who were merged may begin with another rating brought forward than before.
    """
    if forced_since is None:
        changes = Change.objects.filter(pool=pool, version__gt=rated_version, rated_from__isnull=False)
        earliest = changes.order_by("rated_from").values_list("rated_from", flat=True)[:1]
        starts = [at for at in earliest if at]
        if merged and any(row.player_id in merged for row in brought_ratings(pool.pk)):
            starts += filter(None, [first_start(pool.pk, merged)])
        forced_since = min(starts, default=None)
    return replayed_from(pool, forced_since) if forced_since else None


def sealed_seasons(pool: Pool) -> set[int]:
    """Find the seasons that stay as they are. That of a copied club is computed once before it does."""
    computed = Season.objects.filter(pool=pool, is_sealed=True, summary__isnull=False)
    return set(computed.order_by().values_list("pk", flat=True))


def _events_to_settle(
    pool: Pool,
    sealed: set[int],
    changes: QuerySet[Change],
    named: PlayerChanges,
    forced_since: datetime | None,
) -> list[int]:
    events = Event.objects.filter(season__pool=pool).exclude(season__in=sealed)
    if forced_since:
        events = events.filter(starts_at__gte=forced_since)
    else:
        settled_again = Q(kind=Change.Kind.RULES_CHANGED, after__settle_again=True)
        # The points of a season that was in the bin are not kept with it.
        again = changes.filter(settled_again | Q(kind=Change.Kind.SEASON_RESTORED)).values("season")
        # An event without rules of its own has never been settled.
        wanted = Q(changes__in=changes) | Q(season__in=again) | Q(rules__isnull=True)
        if named.merged:
            wanted |= Q(entries__player__in=named.merged)  # stored columns of events name the players
        events = events.filter(wanted)
    return list(events.order_by("pk").values_list("pk", flat=True).distinct())


def _seasons_to_rank(
    pool: Pool, sealed: set[int], changes: QuerySet[Change], named: PlayerChanges, since: datetime | None
) -> list[Season]:
    touched = Q(pk__in=changes.exclude(season=None).values("season"))
    if players := named.merged | named.renamed:
        touched |= Q(events__entries__player__in=players) | Q(totals_brought_forward__player__in=players)
    if since:
        touched |= Q(events__starts_at__gte=since)
    seasons = Season.objects.filter(pool=pool).filter(touched).exclude(pk__in=sealed)
    return list(seasons.select_related("rules", "club", "pool").order_by("pk").distinct())


def _players_named_anew(pool: Pool, rated_version: int) -> PlayerChanges:
    named = PlayerChanges(set(), set())
    changes = Change.objects.filter(pool=pool, version__gt=rated_version)
    of_names = changes.filter(kind__in=[Change.Kind.PLAYER_RENAMED, *MERGES]).order_by()
    for kind, *sides in of_names.values_list("kind", "before", "after"):
        (named.merged if kind in MERGES else named.renamed).update(side["player"] for side in sides)
    return named


@_no_garbage_collection()
def compute(work: Work, progress: Progress) -> Result:
    rerating = rate_again(work.pool_input, progress=progress) if work.pool_input else None
    result = Result(rerating, [], [], {})
    for read in work.seasons:
        season = completed(read, work.settled, rerating)
        rows = season_standings(season)
        result.standings.extend(rows)
        result.summaries.append(season_summary(season, rows))
        result.event_columns.update(packed_columns(season))
    return result


@_no_garbage_collection()
def write(work: Work, result: Result) -> bool:
    """Replace the rows inside the caller's transaction.

    False if a season was sealed, or a season or player has gone, after they were read.
    """
    # Lock first, like every transaction that writes results: deleting an event deletes rows replaced here.
    pool = lock_pool(work.pool.pk)
    if not sealed_seasons(work.pool) <= work.sealed:
        return False
    if pool.data_version > work.pool.data_version and not _are_there(work, result):
        return False
    if result.rerating:
        write_rates(result.rerating)
        forget_event_columns(work.pool, since=result.rerating.since)
        write_next_event(pool, result.rerating.present)
    write_points(work.settled)
    write_event_columns(result.event_columns)
    season_ids = [season.season_id for season in work.seasons]
    for model in (Standing, SeasonSummary):
        model._default_manager.filter(season__in=season_ids).delete()
    insert_rows(Standing, result.standings)
    SeasonSummary.objects.bulk_create(result.summaries)
    _mark_rated(work.pool)
    return True


def _are_there(work: Work, result: Result) -> bool:
    """Tell whether the seasons and players of the new rows still exist, which the database does not check."""
    player_ids = {row.player_id for row in result.standings}
    if result.rerating:
        player_ids |= set(result.rerating.ratings["player_id"])
    season_ids = {season.season_id for season in work.seasons}
    return all(
        model._default_manager.filter(pk__in=as_one_parameter(pks)).count() == len(pks)
        for model, pks in ((Season, season_ids), (Player, player_ids))
    )


def _mark_rated(pool: Pool) -> None:
    now = timezone.now()
    Recomputation.objects.filter(pool=pool).update(
        rated_version=pool.data_version,
        engine_revision=REVISION,
        rated_at=now,
        progressed_at=now,
        n_done=0,
        n_events=0,
        n_failures=0,
        error="",
    )
