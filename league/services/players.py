"""Add and rename players, remember their aliases, and remove guests without results."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Change, Club, Player, PlayerAlias, Pool
from league.services.changes import lock_pools, record_change
from league.services.errors import BadResult, Refused
from league.services.quotas import require_room_for_players
from reading.names.keys import name_key
from reading.results import EntryInput


@transaction.atomic
def add_player(club: Club, *, name: str, actor: User | None) -> Player:
    pools = lock_pools(club)
    if Player.objects.filter(club=club, key=name_key(name)).exists():
        raise Refused(_("%(name)s is already a player of this club.") % {"name": name})
    require_room_for_players(club, 1)
    _forget(club, [name_key(name)])
    player = Player.objects.create(club=club, name=name, key=name_key(name))
    record_added(pools, [player], actor=actor)
    return player


def record_added(pools: Iterable[Pool], players: Sequence[Player], *, actor: User | None) -> None:
    """Record new players who came in no result, in all pools of their club, which are locked."""
    after = {"names": [player.name for player in players]}
    for pool in pools:
        record_change(pool, kind=Change.Kind.PLAYERS_ADDED, actor=actor, after=after)


def ensure_players(club: Club, names: Iterable[str]) -> dict[str, Player]:
    """Map name keys to players; unknown names become guests. The caller is inside a transaction."""
    names_by_key = {name_key(name): name for name in names}
    known = _players(club, names_by_key)
    if len(known) == len(names_by_key):
        return known
    # Events of the club's other pools, which have other locks, may add the same names at this moment.
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    known |= _players(club, names_by_key.keys() - known.keys())
    guests = [
        Player(club=club, name=name, key=key, is_guest=True)
        for key, name in names_by_key.items()
        if key not in known
    ]
    if guests:
        require_room_for_players(club, len(guests))
    _forget(club, [guest.key for guest in guests])
    return known | {player.key: player for player in Player.objects.bulk_create(guests)}


def with_own_names(club: Club, entries: Sequence[EntryInput]) -> list[EntryInput]:
    """Put the players' own names in place of other names of theirs; raise BadResult if that names one twice."""
    typed = {name_key(entry.name) for entry in entries}
    others = PlayerAlias.objects.filter(club=club, key__in=typed)
    own = dict(others.values_list("key", "player__name"))
    if not own:
        return list(entries)
    named = [replace(entry, name=own.get(name_key(entry.name), entry.name)) for entry in entries]
    counts = Counter((name_key(entry.name), entry.number) for entry in named)
    for given, entry in zip(entries, named, strict=True):
        if name_key(given.name) in own and counts[name_key(entry.name), entry.number] > 1:
            raise BadResult(
                _("“%(typed)s” is another name of %(name)s, who is there already.")
                % {"typed": given.name, "name": entry.name}
            )
    return named


def remember_aliases(
    club: Club, aliases: Mapping[str, int | str], *, pool: Pool, actor: User | None
) -> list[PlayerAlias]:
    """Store what was typed as other names of players, each given by id or by name; return those that are new.

    A name that is a player's own stays his. The caller is inside a transaction, and the pool, whose history has the
    change, is locked.
    """
    if not aliases:
        return []
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    people = _people(club, aliases.values())
    own, stored = _players(club, map(name_key, aliases)), _stored_aliases(club, map(name_key, aliases))
    new = []
    for typed, whose in aliases.items():
        key = name_key(typed)
        if (player := people.get(whose)) is None:
            raise Refused(_("The player that “%(typed)s” stands for is not in this club.") % {"typed": typed})
        if key not in own and stored.get(key) != player.pk:
            new.append(PlayerAlias(club=club, player=player, name=typed, key=key))
    PlayerAlias.objects.bulk_create(
        new, update_conflicts=True, unique_fields=["club", "key"], update_fields=["player", "name"]
    )
    if new:
        pool.refresh_from_db(
            fields=["data_version"]
        )  # the caller may have recorded changes in another instance
        after = {"names": [[alias.name, alias.player.name] for alias in new]}
        record_change(pool, kind=Change.Kind.NAMES_CHANGED, actor=actor, after=after)
    return new


def _people(club: Club, wanted: Collection[int | str]) -> dict[int | str, Player]:
    """Find players of a club by their ids or names."""
    ids = [whose for whose in wanted if isinstance(whose, int)]
    names = {whose: name_key(whose) for whose in wanted if isinstance(whose, str)}
    by_key = _players(club, names.values())
    return Player.objects.filter(club=club).in_bulk(ids) | {
        name: by_key[key] for name, key in names.items() if key in by_key
    }


def _stored_aliases(club: Club, keys: Iterable[str]) -> dict[str, int]:
    return dict(PlayerAlias.objects.filter(club=club, key__in=list(keys)).values_list("key", "player_id"))


@transaction.atomic
def remove_alias(player: Player, *, alias_id: int, actor: User) -> None:
    """Remove an alias of a player. Idempotent."""
    pool, *_others = lock_pools(player.club)
    for alias in PlayerAlias.objects.filter(pk=alias_id, player=player):
        alias.delete()
        before = {"names": [[alias.name, player.name]]}
        record_change(pool, kind=Change.Kind.NAMES_CHANGED, actor=actor, before=before)


def _forget(club: Club, keys: Collection[str]) -> None:
    """Remove other names that become the own names of players."""
    PlayerAlias.objects.filter(club=club, key__in=keys).delete()


def _players(club: Club, keys: Iterable[str]) -> dict[str, Player]:
    return {player.key: player for player in Player.objects.filter(club=club, key__in=list(keys))}


def remove_idle_guests(club: Club, player_ids: Iterable[int]) -> int:
    """Remove guests without an account and without any stored row about them; return how many there were.

    What the recomputation makes does not count: it goes with its entries.
    """
    guests = Player.objects.filter(club=club, pk__in=list(player_ids), is_guest=True, user=None)
    idle = set(guests.values_list("pk", flat=True))
    for relation in _stored_relations():
        if idle:
            rows = relation.related_model._base_manager.filter(**{f"{relation.field.name}__in": idle})
            idle -= set(rows.values_list(relation.field.attname, flat=True))
    Player.objects.filter(pk__in=idle).delete()
    return len(idle)


@transaction.atomic
def update_player(player: Player, *, name: str, is_guest: bool, actor: User) -> Player:
    """Rename a player, or change whether the player is a guest."""
    pools = lock_pools(player.club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    key = name_key(name)
    if Player.objects.filter(club_id=player.club_id, key=key).exclude(pk=player.pk).exists():
        raise Refused(_("Another player of this club has the name %(name)s.") % {"name": name})
    before = {"player": player.pk, "name": player.name, "is_guest": player.is_guest}
    after = {"player": player.pk, "name": name, "is_guest": is_guest}
    if before != after:
        _forget(player.club, [key])
        is_shown = {} if name == player.name else {"real_name": ""}
        Player.objects.filter(pk=player.pk).update(name=name, key=key, is_guest=is_guest, **is_shown)
        for pool in pools:
            record_change(pool, kind=Change.Kind.PLAYER_RENAMED, actor=actor, before=before, after=after)
    player.refresh_from_db()
    return player


def _stored_relations() -> list[Any]:
    """List the relations to players from rows that no recomputation makes."""
    return [
        relation
        for relation in Player._meta.related_objects
        if not getattr(relation.related_model, "is_computed", False)
    ]
