"""The bin of a club: what is deleted waits there with all its rows, and comes back as it was.

`put_in_bin`, `restore_needed` and `insert_item` run in the transaction of a service that holds the locks and records
the change.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils.translation import gettext as _

from league.models import BinItem, Change, Club, Event, Meet, Player, Pool, Season
from league.services.changes import (
    lock_pools,
    record_change,
    record_result_change,
    require_not_sealed,
)
from league.services.errors import Refused
from league.services.kept_merges import follow_merges
from league.services.kept_rows import (
    KeptRows,
    Target,
    delete_and_keep,
    forget_targets,
    insert_again,
    linked_ids,
    missing_targets,
    restore_players,
)
from league.services.plans import require_open
from league.services.summaries import stored_summary


class NeedsOthers(Refused):
    """Refusal to restore an item that needs other items of the bin, such as the season of an event."""

    def __init__(self, items: Sequence[BinItem]) -> None:
        names = ", ".join(item.label for item in items)
        super().__init__(_("%(names)s is in the bin as well, and is needed.") % {"names": names})
        self.items = list(items)


def put_in_bin(
    club: Club,
    *groups: Iterable[models.Model],
    kind: BinItem.Kind,
    label: str,
    actor: User | None,
    facts: dict[str, Any] | None = None,
) -> BinItem:
    """Delete groups of objects, one after the other, and keep all their rows as one item."""
    kept = delete_and_keep(*groups)
    item = BinItem.objects.create(
        club=club, kind=kind, label=label[:200], facts=facts or {}, data=kept.to_json(), deleted_by=actor
    )
    Change.objects.filter(pk__in=linked_ids(kept, Change)).update(in_bin=item)
    return item


def restore(club: Club, item_id: int, *, actor: User, with_others: bool = False) -> BinItem | None:
    """Restore an event, a night, a season or a player from the bin; None if the item is gone.

    Raise NeedsOthers if it needs other items and they shall not come back too.
    """
    with transaction.atomic():
        lock_pools(club)
        item = find_item(club, item_id)
        if item is None:
            return None
        kept = restore_needed(item, actor=actor, with_others=with_others)
        insert_item(item, kept)
        # The versions of the pools have risen with the items that were needed.
        _record({pool.pk: pool for pool in lock_pools(club)}, item, kept, actor)
        return item


def find_item(club: Club, item_id: int) -> BinItem | None:
    """Read an item. The caller holds the locks of all pools of the club."""
    return BinItem.objects.filter(club=club, pk=item_id).first()


def restore_needed(item: BinItem, *, actor: User, with_others: bool) -> KeptRows:
    """Bring the items back that an item needs, and return its rows, which can be inserted then.

    Raise NeedsOthers if they shall not come back too, Refused if what the rows belonged to is gone for good, or if two
    of their players have been merged.
    """
    kept = KeptRows.from_json(item.data)
    follow_merges(kept, item)
    if needed := needed_items(item, kept):
        if not with_others:
            raise NeedsOthers(needed)
        for other in needed:
            restore(item.club, other.pk, actor=actor, with_others=True)
    restore_players(kept)
    if not forget_targets(kept, missing_targets(kept)):
        raise Refused(_("%(item)s cannot come back: what it belonged to is gone.") % {"item": item})
    return kept


def insert_item(item: BinItem, kept: KeptRows) -> None:
    """Insert the rows of an item again and remove it from the bin; raise Refused if the present rows forbid it."""
    _require_changeable_seasons(kept)
    _require_free(item, kept)
    insert_again(kept)
    BinItem.objects.filter(pk=item.pk).delete()


def needed_items(item: BinItem, kept: KeptRows) -> list[BinItem]:
    """Find the other items of the bin that hold rows which these rows refer to."""
    missing = missing_targets(kept)
    if not missing:
        return []
    others = BinItem.objects.filter(club=item.club_id).exclude(pk=item.pk)
    return [other for other in others if _holds(other, missing)]


def _holds(item: BinItem, targets: set[Target]) -> bool:
    kept = KeptRows.from_json(item.data)
    return any(pk in kept.ids(model) for model, pk in targets)


def _require_changeable_seasons(kept: KeptRows) -> None:
    """Raise Refused for results of a closed season, and for anything of a sealed one."""
    events = set(kept.table(Event).column("season_id"))
    for table in kept.tables:
        if "season_id" in table.fields:
            for season in Season.objects.filter(pk__in=set(table.column("season_id"))):
                require_open(season) if season.pk in events else require_not_sealed(season)


def _require_free(item: BinItem, kept: KeptRows) -> None:
    """Raise Refused if a key, slug or name of the item is taken; clear form tokens that are in use."""
    tokens = set(kept.table(Event).column("form_token")) - {None}
    used = Event.objects.filter(form_token__in=tokens).values_list("form_token", flat=True)
    kept.table(Event).replace("form_token", dict.fromkeys(map(str, used)))
    if keys := [key for key in kept.table(Event).column("key") if key]:
        seasons = kept.table(Event).column("season_id")
        if Event.objects.filter(season__in=seasons, key__in=keys).exists():
            raise Refused(
                _("%(item)s has been imported again since: its identifier is taken.") % {"item": item}
            )
    for model, names, message in (
        (Season, ("club_id", "slug"), _("This club already has a season at the address of %(item)s.")),
        (
            Player,
            ("club_id", "key"),
            _("Another player of this club has the name %(item)s: rename that one first."),
        ),
        (Meet, ("season_id", "day", "name"), _("The day of %(item)s has a meet of the same name.")),
    ):
        table = kept.table(model)
        for values in zip(*map(table.column, names), strict=True):
            if model._default_manager.filter(**dict(zip(names, values, strict=True))).exists():
                raise Refused(message % {"item": item})
    _forget_taken_account(kept)


def _forget_taken_account(kept: KeptRows) -> None:
    """Clear the account of a player to restore if another player of the club has claimed it since."""
    table = kept.table(Player)
    for club_id, user_id in zip(table.column("club_id"), table.column("user_id"), strict=True):
        if user_id and Player.objects.filter(club=club_id, user=user_id).exists():
            table.replace("user_id", {user_id: None})


def _record(pools: dict[int, Pool], item: BinItem, kept: KeptRows, actor: User) -> None:
    if item.kind == BinItem.Kind.PLAYER:
        for pool in pools.values():
            record_change(
                pool,
                kind=Change.Kind.PLAYER_RESTORED,
                actor=actor,
                after={"player": kept.ids(Player)[0], "name": item.label},
            )
    elif item.kind == BinItem.Kind.SEASON:
        _record_season(pools, kept, actor)
    else:
        for event in Event.objects.filter(pk__in=kept.ids(Event)).select_related("season__club", "pool"):
            record_result_change(
                pools,
                event.season,
                rated_in={event.pool_id},
                kind=Change.Kind.RESULT_RESTORED,
                actor=actor,
                event=event,
                rated_from=event.starts_at,
                after=stored_summary(event),
            )


def _record_season(pools: dict[int, Pool], kept: KeptRows, actor: User) -> None:
    season = Season.objects.get(pk=kept.ids(Season)[0])
    events = kept.table(Event)
    record_season_change(
        pools,
        season,
        kind=Change.Kind.SEASON_RESTORED,
        actor=actor,
        starts=zip(events.column("pool_id"), events.column("starts_at"), strict=True),
        season_after=season,
        after={"name": season.name, "n_events": len(events.rows)},
    )


def record_season_change(
    pools: dict[int, Pool],
    season: Season,
    *,
    kind: Change.Kind,
    actor: User | None,
    starts: Iterable[tuple[int, Any]],
    season_after: Season | None = None,
    **summaries: Any,
) -> Change:
    """Record the deletion or restoration of a season in its pool and in the other pools that rate its events.

    `starts` are the pool and the start of each of its events.
    """
    first: dict[int, Any] = {}
    for pool_id, starts_at in starts:
        first[pool_id] = min(first.get(pool_id, starts_at), starts_at)
    for pool_id in sorted(first.keys() - {season.pool_id}):
        record_change(
            pools[pool_id], kind=Change.Kind.RATINGS_TOUCHED, actor=actor, rated_from=first[pool_id]
        )
    return record_change(
        pools[season.pool_id],
        kind=kind,
        actor=actor,
        season=season_after,
        rated_from=first.get(season.pool_id),
        **summaries,
    )


def empty_bins() -> int:
    """Delete for good what has been in a bin for its 30 days; return the number of items."""
    _n_rows, by_model = BinItem.objects.expired().delete()
    return by_model.get("league.BinItem", 0)
