"""Rating pools and games of a club, and which pool rates what."""

from datetime import datetime
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from league.models import BEGINNING, Change, Club, EntryForm, Game, GameKind, Pool, PoolKind, Season
from league.services.changes import lock_pool, lock_pools, record_change
from league.services.errors import Refused
from league.services.plans import refusals, require_open, stored_plan, with_entries
from league.vocabulary import gettext as _


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
                "%(pool)s has rated %(events_word)s: what it is rated by cannot change. Make another pool and move"
                " them."
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
    """Make a game of a club, or change the given fields of one. Events that were entered keep their rules and pool.

    Rules of scoring are those of one kind and form: with another, the game begins without. A new game without a pool
    gets one of its own.
    """
    Club.objects.select_for_update().get(pk=club.pk)
    saved = club.games.select_related("pool").get(pk=game.pk) if game else Game(club=club)
    before = _game_described(saved) if game else {}
    is_other = any(fields.get(name, getattr(saved, name)) != getattr(saved, name) for name in SCORED_AS)
    if "pool" in fields and fields["pool"] is None:
        fields["pool"] = _own_pool(club, fields["name"], fields["entry_form"])
    for name, value in (({"scoring": None} if is_other else {}) | fields).items():
        setattr(saved, name, value)
    if saved.pool.club_id != club.pk:
        raise Refused(_("This rating pool is not of the club."))
    if club.games.filter(name=saved.name).exclude(pk=saved.pk).exists():
        raise Refused(_("The club already has a game of the name %(name)s.") % {"name": saved.name})
    saved.save()
    after = _game_described(saved)
    if before != after:
        pool = lock_pool(saved.pool_id)
        record_change(pool, kind=Change.Kind.GAME_CHANGED, actor=actor, before=before, after=after)
    return saved


def _own_pool(club: Club, name: str, entry_form: str) -> Pool:
    """Make the rating pool of a new game: TIER for finishing orders, R for balances."""
    taken = set(club.pools.values_list("name", flat=True))
    free = next(each for n in count(1) if (each := name if n == 1 else f"{name} {n}") not in taken)
    kind = PoolKind.TIER if entry_form == EntryForm.ORDER else PoolKind.PROFIT
    return Pool.objects.create(club=club, name=free, kind=kind)


# What rules of scoring are for.
SCORED_AS = ("kind", "entry_form")


def _game_described(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "kind": str(GameKind(game.kind).label),
        "entry_form": str(EntryForm(game.entry_form).label),
        "pool": game.pool.name,
        "table_size": game.table_size,
        "is_shut": game.is_shut,
        "scoring": game.scoring,
    }


@transaction.atomic
def set_season_pool(season: Season, pool: Pool, *, moves_events: bool, actor: User | None) -> Season:
    """Give a season another default pool; with `moves_events`, its events of the old one are rated there too."""
    pools = {each.pk: each for each in lock_pools(season.club)}
    season = Season.objects.select_related("club").get(pk=season.pk)
    old_id = season.pool_id
    if old_id == pool.pk:
        return season
    require_open(season)
    if pool.pk not in pools:
        raise Refused(_("This rating pool is not of the club."))
    if pools[pool.pk].is_shut:
        raise Refused(
            _("The rating pool %(pool)s is shut: it takes no new %(events_word)s.") % {"pool": pool.name}
        )
    since = _move_events(season, pools[pool.pk]) if moves_events else None
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


def _move_events(season: Season, pool: Pool) -> datetime | None:
    """Move the events of the season's pool to another one; return the start of the first, None without any.

    Raise Refused that names the first event which the new pool cannot rate.
    """
    events = season.events.filter(pool=season.pool_id)
    plans = [stored_plan(event, pool) for event in with_entries(events.in_rating_order())]
    for position, reason in sorted(refusals(plans).items()):
        raise Refused(f"{plans[position].event}: {reason}")
    events.update(pool=pool, version=F("version") + 1)
    return plans[0].details.starts_at if plans else None
