"""Add, change, order and remove the awards of a season; its history records each change."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from league.models import BinItem, Change, Club, Player, Pool, Season
from league.services.bin import find_item, insert_item, put_in_bin, restore_needed
from league.services.changes import lock_pool, lock_pools, record_change, require_not_sealed
from league.services.errors import Refused, Stale
from league.vocabulary import gettext as _
from standings.models import Award, AwardKind

MAX_AWARDS = 50  # of a season


@transaction.atomic
def add_award(
    season: Season, *, kind: str, title: str, min_events: int, player: Player | None, actor: User
) -> Award:
    """Add an award below the others. Raise Refused if the season has it already."""
    pool, before = _lock_and_summarize(season)
    fields: dict[str, Any] = {"kind": kind, "title": title, "min_events": min_events, "player": player}
    _require_new(season, fields)
    if len(before) >= MAX_AWARDS:
        raise Refused(_("A season has at most %(most)d awards.") % {"most": MAX_AWARDS})
    last = Award.objects.filter(season=season).aggregate(last=Max("position"))["last"] or 0
    award = Award.objects.create(season=season, position=last + 1, **fields)
    _record(pool, season, before, actor)
    return award


@transaction.atomic
def copy_awards(season: Season, other: Season, *, actor: User | None) -> None:
    """Copy the computed awards of another season; leave out those chosen by hand."""
    pool, before = _lock_and_summarize(season)
    computed = Award.objects.filter(season=other).exclude(kind=AwardKind.CHOSEN)
    Award.objects.bulk_create(
        Award(season=season, position=i, kind=award.kind, title=award.title, min_events=award.min_events)
        for i, award in enumerate(computed, start=1)
    )
    if computed:
        _record(pool, season, before, actor)


@transaction.atomic
def change_award(
    season: Season,
    award_id: int,
    *,
    kind: str,
    title: str,
    min_events: int,
    player: Player | None,
    version: int,
    actor: User,
) -> None:
    """Change an award, which keeps its position. Raise Stale if `version` is outdated."""
    pool, before = _lock_and_summarize(season)
    fields: dict[str, Any] = {"kind": kind, "title": title, "min_events": min_events, "player": player}
    award = Award.objects.filter(season=season, pk=award_id)
    if award.filter(**fields).exists():
        return  # the same form was sent twice
    if not award.filter(version=version).exists():
        raise Stale
    _require_new(season, fields)
    award.update(version=version + 1, **fields)
    _record(pool, season, before, actor)


@transaction.atomic
def remove_award(season: Season, award_id: int, *, actor: User) -> BinItem | None:
    """Put an award into the bin of the club; None if it is gone already."""
    pool, before = _lock_and_summarize(season)
    award = Award.objects.filter(season=season, pk=award_id).first()
    if award is None:
        return None
    item = put_in_bin(
        season.club,
        [award],
        kind=BinItem.Kind.AWARD,
        label=str(award),
        actor=actor,
        facts={"season": season.name},
    )
    _record(pool, season, before, actor, in_bin=item)
    return item


@transaction.atomic
def restore_award(club: Club, item_id: int, *, actor: User, with_others: bool = False) -> BinItem | None:
    """Bring an award back; below the others, if its position has been taken. None if it is not in the bin any more."""
    lock_pools(club)
    item = find_item(club, item_id)
    if item is None:
        return None
    kept = restore_needed(item, actor=actor, with_others=with_others)
    season = Season.objects.get(pk=kept.table(Award).column("season_id")[0])
    before = _summary(season)
    positions = Award.objects.filter(season=season).values_list("position", flat=True)
    kept.table(Award).replace("position", dict.fromkeys(positions, max(positions, default=0) + 1))
    insert_item(item, kept)
    _record(lock_pool(season.pool_id), season, before, actor)
    return item


@transaction.atomic
def move_award(season: Season, award_id: int, *, is_up: bool, actor: User) -> None:
    """Swap an award with the one above or below; the first stays first, the last stays last."""
    pool, before = _lock_and_summarize(season)
    awards = list(Award.objects.filter(season=season))
    index = next((i for i, award in enumerate(awards) if award.pk == award_id), None)
    other = None if index is None else index + (-1 if is_up else 1)
    if index is None or other is None or not 0 <= other < len(awards):
        return
    _swap(awards[index], awards[other], spare=awards[-1].position + 1)
    _record(pool, season, before, actor)


def _lock_and_summarize(season: Season) -> tuple[Pool, list[list[Any]]]:
    pool = lock_pool(season.pool_id)
    require_not_sealed(season)
    return pool, _summary(season)


def _require_new(season: Season, fields: dict[str, Any]) -> None:
    if Award.objects.filter(season=season, **fields).exists():
        raise Refused(_("The season has this award already."))


def _swap(one: Award, other: Award, *, spare: int) -> None:
    for award, position in ((one, spare), (other, one.position), (one, other.position)):
        Award.objects.filter(pk=award.pk).update(position=position)


def _summary(season: Season) -> list[list[Any]]:
    rows = Award.objects.filter(season=season).values_list("kind", "title", "min_events", "player__name")
    return [list(row) for row in rows]


def _record(
    pool: Pool,
    season: Season,
    before: list[list[Any]],
    actor: User | None,
    in_bin: BinItem | None = None,
) -> None:
    record_change(
        pool,
        kind=Change.Kind.AWARDS_CHANGED,
        actor=actor,
        season=season,
        before={"awards": before},
        after={"awards": _summary(season)},
        in_bin=in_bin,
    )
