"""Merge two players who are one person, and undo it. Who played together is two people."""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import models, transaction
from django.db.models import Exists, Max, Min, OuterRef, QuerySet

from league import formats
from league.database.bulk import as_one_parameter
from league.models import Change, Club, Entry, Event, Player, PlayerAlias, PlayerMerge, Pool, Season
from league.services.changes import lock_pools, record_change, require_not_sealed
from league.services.errors import Refused
from league.services.kept_merges import return_kept
from league.services.kept_rows import (
    ENTRIES,
    KeptRows,
    delete_and_keep,
    forget_targets,
    insert_again,
    missing_targets,
)
from league.services.links_to_players import (
    Link,
    is_of_a_season,
    label_of,
    links_to_players,
    require_not_sealed_rows,
    rows_of,
)
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from people.services.claims import claim_player, take_back_claim
from people.services.members import lock_club

MOST_NAMED = 5


@dataclass
class Belongings:
    """What a merge took, as JSON: the rows of the merged player, and the ids of rows that belong to the other now.

    `events` are those of the entries, and `last_entry` is the last entry at all when they were merged.
    """

    rows: dict[str, Any]
    events: list[int]
    last_entry: int
    links: dict[str, list[int]] = field(default_factory=dict)
    accounts: dict[str, int | None] = field(default_factory=dict)  # of "kept" and "merged"
    makes_regular: bool = False


class PlayedTogether(Refused):
    """Refusal of a merge because both players have entries in the same events."""

    def __init__(self, kept: Player, merged: Player, events: list[Event]) -> None:
        n = len(events)
        text = ngettext(
            "%(one)s and %(other)s played in the same %(event_word)s, so they are two people: %(events)s.",
            "%(one)s and %(other)s played in the same %(event_word)s %(n)d times, so they are two people: %(events)s.",
            n,
        )
        named = formats.listed(map(str, events[:MOST_NAMED])) + (" …" if n > MOST_NAMED else "")
        super().__init__(text % {"one": kept, "other": merged, "n": n, "events": named})
        self.events = events


class WhichAccount(Refused):
    """Refusal of a merge because both players have an account and one must be chosen."""

    def __init__(self, accounts: list[User]) -> None:
        super().__init__(_("Both have an account: choose the one that keeps the player."))
        self.accounts = accounts


def events_of_both(one: Player, other: Player) -> list[Event]:
    """List the events in which both played, the oldest first."""
    events = Event.objects.filter(entries__player=one).filter(entries__player=other).distinct()
    return list(events.select_related("season__club").in_rating_order())


@transaction.atomic
def merge_players(kept: Player, merged: Player, *, actor: User, account: int | None = None) -> PlayerMerge:
    """Merge the player `merged` into `kept` and return the merge. Idempotent.

    `account` is the id of the user who keeps the player; needed if both have an account.
    """
    pools = lock_pools(kept.club)
    club = lock_club(kept.club)
    if done := PlayerMerge.objects.filter(club=club, merged_id=merged.pk, kept=kept).first():
        return done
    kept, merged = (_current(club, player) for player in (kept, merged))
    _require_mergeable(kept, merged)
    starts = _first_starts(merged.entries.all())
    owner = _owner(kept, merged, account)
    belongings = Belongings(
        rows={},
        events=sorted(set(merged.entries.values_list("event_id", flat=True))),
        last_entry=Entry.objects.aggregate(Max("pk", default=0))["pk__max"],
        accounts={"kept": kept.user_id, "merged": merged.user_id},
        makes_regular=kept.is_guest and not merged.is_guest,
    )
    _disconnect(kept, merged, owner, actor)
    for link in links_to_players():
        ids = sorted(_movable(link, kept, merged).values_list("pk", flat=True))
        belongings.links[label_of(link)] = ids
        rows_of(link, merged).filter(pk__in=as_one_parameter(ids)).update(**{link.name: kept})
    merged.entries.update(player=kept)
    belongings.rows = delete_and_keep(Player.objects.filter(pk=merged.pk)).to_json()
    Player.objects.filter(pk=kept.pk).update(is_guest=kept.is_guest and merged.is_guest)
    if owner:
        claim_player(kept, user=owner, actor=actor)
    PlayerAlias.objects.filter(club=club, key=merged.key).delete()
    PlayerAlias.objects.create(club=club, player=kept, name=merged.name, key=merged.key)
    merge = PlayerMerge.objects.create(
        club=club, kept=kept, merged_id=merged.pk, name=merged.name, data=asdict(belongings), merged_by=actor
    )
    _record(pools, Change.Kind.PLAYERS_MERGED, actor, starts, before=merged, after=kept)
    return merge


@transaction.atomic
def unmerge(club: Club, merge_id: int, *, actor: User, later_events: Collection[int] = ()) -> Player | None:
    """Bring the merged player back with everything that was the player's; None if that was done before.

    Events entered since the merge stay with the other, except `later_events`.
    """
    pools = lock_pools(club)
    club = lock_club(club)
    merge = PlayerMerge.objects.filter(club=club, pk=merge_id).select_related("kept").first()
    if merge is None:
        return None
    kept, belongings = merge.kept, Belongings(**merge.data)
    rows = KeptRows.from_json(belongings.rows)
    _require_free(club, rows)
    entries = _to_return(merge, belongings, later_events)
    _require_not_sealed(entries)
    starts = _first_starts(entries)
    PlayerAlias.objects.filter(club=club, key__in=rows.table(Player).column("key")).delete()
    forget_targets(rows, missing_targets(rows))
    insert_again(rows)
    merged = Player.objects.select_related("club").get(pk=merge.merged_id)
    theirs = {*belongings.events, *entries.values_list("event_id", flat=True)}
    only = {label.rpartition(".")[0]: ids for label, ids in belongings.links.items()}
    return_kept(merge, only | {ENTRIES: theirs})
    merge.delete()
    Event.objects.filter(pk__in=list(entries.values_list("event_id", flat=True))).update(
        version=models.F("version") + 1
    )
    entries.update(player=merged)
    for link in links_to_players():
        own = rows_of(link, kept).filter(pk__in=belongings.links.get(label_of(link), ()))
        require_not_sealed_rows(link, own)
        own.update(**{link.name: merged})
    _connect_again(kept, merged, belongings, actor)
    _record(pools, Change.Kind.PLAYERS_UNMERGED, actor, starts, before=kept, after=merged)
    return Player.objects.get(pk=merged.pk)


def later_events(merge: PlayerMerge) -> list[Event]:
    """List the kept player's events entered since the merge, which may belong to either player."""
    since = Event.objects.filter(entries__player=merge.kept_id, entries__pk__gt=merge.data["last_entry"])
    before = Event.objects.filter(entries__player=merge.kept_id, entries__pk__lte=merge.data["last_entry"])
    events = since.exclude(pk__in=before.values("pk")).exclude(pk__in=merge.data["events"]).distinct()
    return list(events.select_related("season__club").in_rating_order())


def _current(club: Club, player: Player) -> Player:
    current = Player.objects.select_related("club", "user").filter(club=club, pk=player.pk).first()
    if current is None:
        raise Refused(_("%(name)s is no player of this club any more.") % {"name": player})
    return current


def _require_mergeable(kept: Player, merged: Player) -> None:
    if kept.pk == merged.pk:
        raise Refused(_("Choose two different players."))
    if events := events_of_both(kept, merged):
        raise PlayedTogether(kept, merged, events)
    _require_not_sealed(merged.entries.all())
    for link in links_to_players():
        _require_apart(link, kept, merged)


def _require_not_sealed(entries: QuerySet[Entry]) -> None:
    for season in Season.objects.filter(is_sealed=True, events__entries__in=entries).distinct():
        require_not_sealed(season)


def _require_apart(link: Link, kept: Player, merged: Player) -> None:
    """Raise Refused for rows of a sealed season, and for unique rows that both players have, such as totals."""
    if not is_of_a_season(link):
        return
    rows = rows_of(link, merged)
    require_not_sealed_rows(link, rows)
    for row in rows.exclude(pk__in=_movable(link, kept, merged)):
        raise Refused(
            _("Both have %(what)s in %(where)s. Join them there, then merge the players.")
            % {"what": link.model._meta.verbose_name, "where": row.season}
        )


def _owner(kept: Player, merged: Player, account: int | None) -> User | None:
    """Choose the account that keeps the player; raise WhichAccount if that has to be asked."""
    users = [player.user for player in (kept, merged) if player.user]
    if not (kept.user and merged.user):
        return users[0] if users else None
    chosen = next((user for user in users if user.pk == account), None)
    if chosen is None:
        raise WhichAccount(users)
    return chosen


def _disconnect(kept: Player, merged: Player, owner: User | None, actor: User) -> None:
    """Unlink both players from accounts other than the owner's, and the merged one from any."""
    for player in (kept, merged):
        if player.user and player.user != owner:
            take_back_claim(player, actor=actor)
    Player.objects.filter(pk=merged.pk).update(user=None)


def _connect_again(kept: Player, merged: Player, belongings: Belongings, actor: User) -> None:
    """Relink the players to their former accounts where still possible, and restore the guest mark."""
    accounts = belongings.accounts
    if kept.user_id and kept.user_id == accounts["merged"]:
        Player.objects.filter(pk=kept.pk).update(user=None)
    if belongings.makes_regular:
        Player.objects.filter(pk=kept.pk).update(is_guest=True)
    for player, user_id in ((kept, accounts["kept"]), (merged, accounts["merged"])):
        user = user_id and User.objects.filter(pk=user_id, memberships__club=player.club_id).first()
        of_club = Player.objects.filter(club=player.club_id)
        if (
            user
            and not of_club.filter(user=user).exists()
            and of_club.filter(pk=player.pk, user=None).exists()
        ):
            claim_player(player, user=user, actor=actor)


def _movable(link: Link, kept: Player, merged: Player) -> QuerySet[Any]:
    """Select the merged player's rows that can move to the kept player without breaking a unique constraint."""
    rows = rows_of(link, merged)
    for constraint in link.model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint) and link.name in constraint.fields:
            others = {name: OuterRef(name) for name in constraint.fields if name != link.name}
            rows = rows.exclude(Exists(rows_of(link, kept).filter(**others)))
    return rows


def _to_return(merge: PlayerMerge, belongings: Belongings, later: Collection[int]) -> QuerySet[Entry]:
    """Select the entries to return: of the merged player's events, and of the chosen later ones."""
    chosen = {event.pk for event in later_events(merge)} & set(later) if later else set()
    ids = Entry.objects.filter(
        player=merge.kept_id, event__in=as_one_parameter({*belongings.events, *chosen})
    )
    return Entry.objects.filter(pk__in=as_one_parameter(ids.values_list("pk", flat=True)))


def _require_free(club: Club, rows: KeptRows) -> None:
    keys = rows.table(Player).column("key")
    if taken := Player.objects.filter(club=club, key__in=keys).first():
        raise Refused(
            _("Another player of this club has the name %(name)s: rename that one first.") % {"name": taken}
        )


def _first_starts(entries: QuerySet[Entry]) -> dict[int, datetime]:
    """Find the start of the first of the entries' events in each pool that rates one."""
    events = (
        Event.objects.filter(entries__in=entries).order_by().values("pool").annotate(first=Min("starts_at"))
    )
    return dict(events.values_list("pool", "first"))


def _record(
    pools: Iterable[Pool],
    kind: Change.Kind,
    actor: User,
    starts: dict[int, datetime],
    *,
    before: Player,
    after: Player,
) -> None:
    sides = [{"player": player.pk, "name": player.name} for player in (before, after)]
    for pool in pools:
        record_change(
            pool, kind=kind, actor=actor, rated_from=starts.get(pool.pk), before=sides[0], after=sides[1]
        )
