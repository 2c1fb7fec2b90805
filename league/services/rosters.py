"""Members and guests of a club, many at once."""

from collections.abc import Collection, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Club, Player
from league.reading.names.understanding import Aliases
from league.services.changes import lock_pools
from league.services.players import ensure_players, record_added, remember_aliases, update_player


@transaction.atomic
def add_members(club: Club, names: Sequence[str], *, aliases: Aliases, actor: User) -> int:
    """Make players of new names, and members of guests; return how many players are new.

    `aliases` are other names of players to remember.
    """
    pools = lock_pools(club)
    before = set(Player.objects.filter(club=club).values_list("pk", flat=True))
    players = ensure_players(club, names)
    new = [player for player in players.values() if player.pk not in before]
    if new:
        Player.objects.filter(pk__in=[player.pk for player in new]).update(is_guest=False)
        record_added(pools, new, actor=actor)
    remember_aliases(club, aliases, pool=pools[0], actor=actor)
    set_guests(club, [player.pk for player in players.values()], is_guest=False, actor=actor)
    return len(new)


@transaction.atomic
def set_guests(club: Club, player_ids: Collection[int], *, is_guest: bool, actor: User) -> int:
    """Make players guests, or members; return how many were not so before."""
    lock_pools(club)
    players = Player.objects.filter(club=club, pk__in=player_ids, is_guest=not is_guest)
    changed = list(players.select_related("club"))
    for player in changed:
        update_player(player, name=player.name, is_guest=is_guest, actor=actor)
    return len(changed)
