from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Change, Club, Player, name_key
from league.services.changes import lock_pools, record_change
from league.services.errors import Refused


@transaction.atomic
def add_player(club: Club, *, name: str) -> Player:
    lock_pools(club)
    if Player.objects.filter(club=club, key=name_key(name)).exists():
        raise Refused(_("%(name)s is already a player of this club.") % {"name": name})
    return Player.objects.create(club=club, name=name, key=name_key(name))


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
    return known | {player.key: player for player in Player.objects.bulk_create(guests)}


def _players(club: Club, keys: Iterable[str]) -> dict[str, Player]:
    return {player.key: player for player in Player.objects.filter(club=club, key__in=keys)}


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
        Player.objects.filter(pk=player.pk).update(name=name, key=key, is_guest=is_guest)
        for pool in pools:
            record_change(pool, kind=Change.Kind.PLAYER_RENAMED, actor=actor, before=before, after=after)
    player.refresh_from_db()
    return player
