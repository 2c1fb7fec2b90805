"""Record changes: every write that pages, points or ratings depend on calls `record_change`."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.hooks.signals import results_changed
from league.models import BinItem, Change, Club, Event, Pool, Season
from league.services.errors import Refused
from reading.names.rules import text_problem

# The only changes allowed in a sealed season.
SEAL_KINDS = {Change.Kind.SEASON_SEALED, Change.Kind.SEASON_UNSEALED}


def lock_pool(pool_id: int) -> Pool:
    """Take the pool's row lock.

    Every transaction that writes results takes it first, so that two never deadlock and versions follow the order of
    commits.
    """
    return Pool.objects.select_for_update().get(pk=pool_id)


def lock_all(pool_ids: Iterable[int]) -> dict[int, Pool]:
    """Lock several pools, by id; the fixed order prevents deadlocks."""
    return {pool_id: lock_pool(pool_id) for pool_id in sorted(set(pool_ids))}


def lock_pools(club: Club) -> list[Pool]:
    """Lock all pools of a club, for changes of names and the club; the fixed order prevents deadlocks."""
    return list(lock_all(club.pools.values_list("pk", flat=True)).values())


def require_not_sealed(season: Season) -> None:
    """Raise Refused if the season is sealed. The caller holds the pool's lock."""
    if Season.objects.filter(pk=season.pk, is_sealed=True).exists():
        raise Refused(
            _("The season %(season)s is sealed: its results, rules and awards stay as they are.")
            % {"season": season}
        )


def record_change(
    pool: Pool,
    *,
    kind: Change.Kind,
    actor: User | None,
    event: Event | None = None,
    season: Season | None = None,
    rated_from: datetime | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    in_bin: BinItem | None = None,
    reason: str = "",
) -> Change:
    """Raise the data version of a locked pool, add a line to its history, and send results_changed.

    Raise Refused for a change in a sealed season, even if the service did not check, and for a reason with characters
    that nobody sees: its transaction is rolled back.
    """
    if problem := text_problem(reason):
        raise Refused(problem)
    changed = season or (event.season if event else None)
    if changed and kind not in SEAL_KINDS:
        require_not_sealed(changed)
    change = _next_change(
        pool,
        kind=kind,
        actor=actor,
        event=event,
        season=season,
        rated_from=rated_from,
        before=before or {},
        after=after or {},
        in_bin=in_bin,
        reason=reason,
    )
    pool.save(update_fields=["data_version"])
    change.save()
    results_changed.send(sender=Pool, pool_id=pool.pk)
    return change


def _next_change(pool: Pool, **values: Any) -> Change:
    """Raise the version of the pool and make its change; both are saved by the caller."""
    pool.data_version += 1
    return Change(pool=pool, version=pool.data_version, **values)


def record_result_change(
    pools: dict[int, Pool],
    season: Season,
    *,
    rated_in: Iterable[int],
    kind: Change.Kind,
    actor: User | None,
    rated_from: datetime,
    event: Event | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    in_bin: BinItem | None = None,
    reason: str = "",
) -> Change:
    """Record a change of a result in the season's pool, and in every other pool that rates or rated the event.

    `pools` are locked. A season's pool computes its points and standings, also of events that another pool rates.
    """
    rated_in = set(rated_in)
    change = record_change(
        pools[season.pool_id],
        kind=kind,
        actor=actor,
        event=event,
        season=season,
        rated_from=rated_from if season.pool_id in rated_in else None,
        before=before,
        after=after,
        in_bin=in_bin,
        reason=reason,
    )
    for pool_id in sorted(rated_in - {season.pool_id}):
        record_change(
            pools[pool_id],
            kind=Change.Kind.RATINGS_TOUCHED,
            actor=actor,
            event=event,
            rated_from=rated_from,
        )
    return change


def record_entered(
    pools: dict[int, Pool], entered: Iterable[tuple[Event, dict[str, Any]]], *, actor: User | None
) -> None:
    """Record new events of one season, with their summaries: the rows of `record_result_change`, written at once."""
    changes: list[Change] = []
    for event, after in entered:
        season, rated_in = event.season, pools[event.pool_id]
        is_own = rated_in is pools[season.pool_id]
        rated_from = event.starts_at if is_own else None
        changes.append(
            _next_change(
                pools[season.pool_id],
                kind=Change.Kind.RESULT_ENTERED,
                actor=actor,
                event=event,
                season=season,
                rated_from=rated_from,
                after=after,
            )
        )
        if not is_own:
            kind, start = Change.Kind.RATINGS_TOUCHED, event.starts_at
            changes.append(_next_change(rated_in, kind=kind, actor=actor, event=event, rated_from=start))
    for season in {change.season for change in changes if change.season}:
        require_not_sealed(season)
    Change.objects.bulk_create(changes, batch_size=500)
    for pool in {change.pool for change in changes}:
        pool.save(update_fields=["data_version"])
        results_changed.send(sender=Pool, pool_id=pool.pk)
