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
    """The players of these names by the key of each; unknown names become guests. Inside a transaction."""
    wanted = {name_key(name): name for name in names}
    known = _players(club, wanted)
    if len(known) == len(wanted):
        return known
    # Evenings of the club's other pools, whose locks are others, may bring the same names.
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    known |= _players(club, wanted.keys() - known.keys())
    guests = [
        Player(club=club, name=wanted[key], key=key, is_guest=True) for key in wanted if key not in known
    ]
    return known | {player.key: player for player in Player.objects.bulk_create(guests)}


def _players(club: Club, keys: Iterable[str]) -> dict[str, Player]:
    return {player.key: player for player in Player.objects.filter(club=club, key__in=keys)}


@transaction.atomic
def update_player(player: Player, *, name: str, is_guest: bool, actor: User) -> Player:
    """Rename a player, or take a guest in as a member."""
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
