"""Members and guests of a club, many at once."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Club, Player, PlayerAlias
from league.services.changes import lock_pools
from league.services.players import (
    ensure_players,
    record_added,
    remember_aliases,
    remove_idle_guests,
    update_player,
)
from reading.names.understanding import Aliases


class Added(NamedTuple):
    """What adding members did, by ids: new players, guests who became members, other names that are remembered."""

    players: list[int]
    guests: list[int]
    aliases: list[int]


@transaction.atomic
def add_members(club: Club, names: Sequence[str], *, aliases: Aliases, actor: User) -> Added:
    """Make players of new names, and members of guests. `aliases` are other names of players to remember."""
    pools = lock_pools(club)
    before = set(Player.objects.filter(club=club).values_list("pk", flat=True))
    players = ensure_players(club, names)
    new = [player for player in players.values() if player.pk not in before]
    if new:
        Player.objects.filter(pk__in=[player.pk for player in new]).update(is_guest=False)
        record_added(pools, new, actor=actor)
    known = set(PlayerAlias.objects.filter(club=club).values_list("pk", flat=True))
    remember_aliases(club, aliases, pool=pools[0], actor=actor)
    guests = [player.pk for player in players.values() if player.pk in before and player.is_guest]
    set_guests(club, guests, is_guest=False, actor=actor)
    remembered = PlayerAlias.objects.filter(club=club).exclude(pk__in=known).values_list("pk", flat=True)
    return Added([player.pk for player in new], guests, list(remembered))


@transaction.atomic
def take_back_members(club: Club, added: Added, *, actor: User) -> int:
    """Undo the addition of members; those who have played since stay as guests. Return the number removed."""
    lock_pools(club)
    PlayerAlias.objects.filter(club=club, pk__in=added.aliases).delete()
    set_guests(club, [*added.players, *added.guests], is_guest=True, actor=actor)
    return remove_idle_guests(club, added.players)


@transaction.atomic
def set_guests(club: Club, player_ids: Collection[int], *, is_guest: bool, actor: User) -> int:
    """Make players guests or members; return the number of players changed."""
    lock_pools(club)
    players = Player.objects.filter(club=club, pk__in=player_ids, is_guest=not is_guest)
    changed = list(players.select_related("club"))
    for player in changed:
        update_player(player, name=player.name, is_guest=is_guest, actor=actor)
    return len(changed)
