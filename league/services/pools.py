"""Rating pools and games of a club, and which pool rates what."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Min
from django.utils.translation import gettext as _

from league.models import BEGINNING, Change, Club, Game, Pool, PoolKind, Season
from league.services.changes import lock_all, lock_pool, record_change, require_not_sealed
from league.services.errors import Refused


@transaction.atomic
def open_pool(club: Club, *, name: str, kind: PoolKind, actor: User | None) -> Pool:
    """Make a pool; one of the same name and kind is returned as it is."""
    Club.objects.select_for_update().get(pk=club.pk)
    if stored := club.pools.filter(name=name).first():
        if stored.kind == kind:
            return stored
        raise Refused(_("The club already has a rating pool of the name %(name)s.") % {"name": name})
    pool = Pool.objects.create(club=club, name=name, kind=kind)
    after = {"name": name, "kind": str(PoolKind(kind).label)}
    record_change(pool, kind=Change.Kind.POOL_CHANGED, actor=actor, after=after)
    return pool


@transaction.atomic
def update_pool(pool: Pool, *, name: str, kind: PoolKind, is_shut: bool, actor: User | None) -> Pool:
    """Rename or shut a pool, or change what it rates by, while it has no events."""
    Club.objects.select_for_update().get(pk=pool.club_id)
    pool = lock_pool(pool.pk)
    if Pool.objects.filter(club=pool.club_id, name=name).exclude(pk=pool.pk).exists():
        raise Refused(_("The club already has a rating pool of the name %(name)s.") % {"name": name})
    if kind != pool.kind and pool.events.exists():
        raise Refused(
            _(
                "%(pool)s has rated events: what it is rated by cannot change. Make another pool and move them."
            )
            % {"pool": pool.name}
        )
    before, after = _described(pool), {"name": name, "kind": kind, "is_shut": is_shut}
    Pool.objects.filter(pk=pool.pk).update(**after)
    pool.refresh_from_db()
    if before != _described(pool):
        record_change(pool, kind=Change.Kind.POOL_CHANGED, actor=actor, before=before, after=_described(pool))
    return pool


def _described(pool: Pool) -> dict[str, Any]:
    return {"name": pool.name, "kind": str(PoolKind(pool.kind).label), "is_shut": pool.is_shut}


@transaction.atomic
def save_game(club: Club, game: Game | None, *, actor: User | None, **fields: Any) -> Game:
    """Make a game of a club, or change one. Events that were entered keep their rules and their pool."""
    Club.objects.select_for_update().get(pk=club.pk)
    pool: Pool = fields["pool"]
    if pool.club_id != club.pk:
        raise Refused(_("This rating pool is not of the club."))
    others = club.games.filter(name=fields["name"])
    if (others.exclude(pk=game.pk) if game else others).exists():
        raise Refused(_("The club already has a game of the name %(name)s.") % {"name": fields["name"]})
    before = _game_described(game) if game else {}
    saved = game or Game(club=club)
    for name, value in fields.items():
        setattr(saved, name, value)
    saved.save()
    if before != _game_described(saved):
        record_change(
            lock_pool(pool.pk),
            kind=Change.Kind.GAME_CHANGED,
            actor=actor,
            before=before,
            after=_game_described(saved),
        )
    return saved


@transaction.atomic
def set_scoring(game: Game, scoring: dict[str, Any], *, actor: User | None) -> Game:
    """Change the rules by which scores of new events become balances; those that were entered keep theirs."""
    pool = lock_pool(game.pool_id)
    game = Game.objects.select_related("pool").get(pk=game.pk)
    before = _game_described(game)
    if game.scoring != scoring:
        game.scoring = scoring
        game.save(update_fields=["scoring"])
        record_change(
            pool,
            kind=Change.Kind.GAME_CHANGED,
            actor=actor,
            before=before,
            after=_game_described(game),
        )
    return game


def _game_described(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "pool": game.pool.name,
        "table_size": game.table_size,
        "is_shut": game.is_shut,
        "scoring": game.scoring,
    }


@transaction.atomic
def set_season_pool(season: Season, pool: Pool, *, moves_events: bool, actor: User | None) -> Season:
    """Give a season another default pool; with `moves_events`, its events of the old one are rated there too."""
    pools = lock_all({season.pool_id, pool.pk})
    season = Season.objects.select_related("club").get(pk=season.pk)
    old_id = season.pool_id
    if old_id == pool.pk:
        return season
    require_not_sealed(season)
    _require_own_and_open(season, pools[pool.pk])
    moved = season.events.filter(pool=old_id)
    since = moved.aggregate(Min("starts_at"))["starts_at__min"] if moves_events else None
    if since:
        _require_rateable(moved.count(), pools[pool.pk], moved.filter(entries__balance=None).exists())
        moved.update(pool=pool, version=F("version") + 1)
    Season.objects.filter(pk=season.pk).update(pool=pool)
    season.refresh_from_db()
    names = [{"pool": pools[pk].name} for pk in (old_id, pool.pk)]
    # The rates in the standings are those of the new pool, from the season's first event on.
    record_change(
        pools[pool.pk],
        kind=Change.Kind.SEASON_CHANGED,
        actor=actor,
        season=season,
        rated_from=BEGINNING,
        before=names[0],
        after=names[1],
    )
    if since:
        record_change(pools[old_id], kind=Change.Kind.RATINGS_TOUCHED, actor=actor, rated_from=since)
    return season


def _require_own_and_open(season: Season, pool: Pool) -> None:
    if pool.club_id != season.club_id:
        raise Refused(_("This rating pool is not of the club."))
    if pool.is_shut:
        raise Refused(_("The rating pool %(pool)s is shut: it takes no new events.") % {"pool": pool.name})


def _require_rateable(n_events: int, pool: Pool, lacks_balances: bool) -> None:
    if n_events and pool.kind == PoolKind.PROFIT and lacks_balances:
        raise Refused(_("The events have no balances, so %(pool)s cannot rate them.") % {"pool": pool.name})
