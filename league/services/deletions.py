"""Delete a season, with all its events, or a player without entries, into the bin of the club.

Guests without results are removed by league.services.players, and merged players by people.services.merges.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import ProtectedError, RestrictedError
from django.utils.translation import gettext as _

from league.models import BinItem, Change, Player, Season
from league.services.bin import put_in_bin, record_season_change
from league.services.changes import lock_pools, record_change, require_not_sealed
from league.services.errors import Refused


@transaction.atomic
def delete_season(season: Season, *, actor: User) -> BinItem | None:
    """Put a season and its events into the bin; None if it was deleted before."""
    pools = {pool.pk: pool for pool in lock_pools(season.club)}
    current = Season.objects.select_related("club").filter(pk=season.pk).first()
    if current is None:
        return None
    require_not_sealed(current)
    starts = list(current.events.values_list("pool_id", "starts_at"))
    facts = {"n_events": len(starts)}
    try:
        with transaction.atomic():
            item = put_in_bin(
                current.club,
                current.events.all(),
                [current],
                kind=BinItem.Kind.SEASON,
                label=current.name,
                actor=actor,
                facts=facts,
            )
    except RestrictedError as error:
        raise Refused(
            _("Rating settings take effect with the season %(season)s: it cannot be deleted.")
            % {"season": current}
        ) from error
    change = record_season_change(
        pools,
        season,
        kind=Change.Kind.SEASON_DELETED,
        actor=actor,
        starts=starts,
        before={"name": season.name} | facts,
    )
    Change.objects.filter(pk=change.pk).update(in_bin=item)
    return item


@transaction.atomic
def delete_player(player: Player, *, actor: User) -> BinItem | None:
    """Put a player without entries into the bin; None if the player was deleted before."""
    pools = lock_pools(player.club)
    current = Player.objects.select_related("club").filter(pk=player.pk).first()
    if current is None:
        return None
    try:
        with transaction.atomic():
            item = put_in_bin(
                current.club,
                [current],
                kind=BinItem.Kind.PLAYER,
                label=current.name,
                actor=actor,
                facts={"is_guest": current.is_guest},
            )
    except ProtectedError as error:
        raise Refused(
            _("%(name)s has results, totals brought forward or an award, and cannot be deleted.")
            % {"name": current}
        ) from error
    for pool in pools:
        before = {"player": player.pk, "name": current.name}
        record_change(pool, kind=Change.Kind.PLAYER_DELETED, actor=actor, before=before, in_bin=item)
    return item
