"""Hide the name of a player, show it again, or replace it for good when a person leaves. Results stay."""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.hooks.signals import name_forgotten
from league.models import (
    AccessChange,
    BinItem,
    Change,
    Claim,
    Club,
    ImportDraft,
    ImportedEvent,
    Invitation,
    Player,
    PlayerAlias,
)
from league.services.changes import lock_pools
from league.services.errors import Refused
from league.services.links_to_players import sealed_season_of
from league.services.players import update_player
from people.services.claims import take_back_claim
from reading.names.keys import name_key


@transaction.atomic
def hide_name(player: Player, *, actor: User) -> Player:
    """Replace the name of a player by a pseudonym wherever it is shown. Idempotent.

    Whoever types the name in a result still means the player.
    """
    lock_pools(player.club)
    current = Player.objects.select_related("club").get(pk=player.pk)
    if current.real_name:
        return current
    _require_not_in_a_seal(current)
    name = current.name
    hidden = update_player(current, name=_pseudonym(current), is_guest=current.is_guest, actor=actor)
    Player.objects.filter(pk=player.pk).update(real_name=name)
    PlayerAlias.objects.create(club=current.club, player=hidden, name=name, key=name_key(name))
    ImportDraft.objects.filter(season__club=current.club).update(preview=None)  # it may show the name
    hidden.refresh_from_db()
    return hidden


@transaction.atomic
def show_name(player: Player, *, actor: User) -> Player:
    """Restore the real name of a hidden player. Idempotent."""
    lock_pools(player.club)
    current = Player.objects.select_related("club").get(pk=player.pk)
    if not current.real_name:
        return current
    return update_player(current, name=current.real_name, is_guest=current.is_guest, actor=actor)


@transaction.atomic
def forget_name(player: Player, *, actor: User) -> Player:
    """Replace the name by a pseudonym for good, also in the history, and disconnect the account."""
    lock_pools(player.club)
    take_back_claim(player, actor=actor)
    hidden = hide_name(player, actor=actor)
    keys = _names_of(hidden)
    Player.objects.filter(pk=hidden.pk).update(real_name="")
    PlayerAlias.objects.filter(player=hidden).delete()
    Claim.objects.filter(player=hidden).delete()
    Invitation.objects.filter(player=hidden).update(player=None)
    hidden.merges.all().delete()
    _replace_names(hidden.club, keys, hidden.name)
    hidden.refresh_from_db()
    return hidden


def _pseudonym(player: Player) -> str:
    return _("Player %(number)d") % {"number": player.pk}


def _require_not_in_a_seal(player: Player) -> None:
    if season := sealed_season_of(player):
        raise Refused(
            _("The sealed season %(season)s names %(player)s in its sealed file. Break the seal first.")
            % {"season": season, "player": player}
        )


def _names_of(player: Player) -> set[str]:
    """Collect the keys of a player's present and former names, except those that other players have now."""
    names = {player.real_name}
    names |= set(player.aliases.values_list("name", flat=True)) | set(
        player.merges.values_list("name", flat=True)
    )
    renames = Change.objects.filter(
        pool__club=player.club_id, kind=Change.Kind.PLAYER_RENAMED, before__player=player.pk
    )
    names |= {name for pair in renames.values_list("before__name", "after__name") for name in pair}
    keys = set(map(name_key, names - {"", player.name}))
    others = Player.objects.filter(club=player.club_id, key__in=keys).exclude(pk=player.pk)
    return keys - set(others.values_list("key", flat=True))


def _replace_names(club: Club, keys: Collection[str], name: str) -> None:
    """Replace names in everything that is stored of the past; uploaded files are deleted."""
    for rows, fields in (
        (Change.objects.filter(pool__club=club), ("before", "after")),
        (AccessChange.objects.filter(club=club), ("before", "after")),
        (ImportedEvent.objects.filter(record__club=club), ("before",)),
        (BinItem.objects.filter(club=club), ("label", "facts", "data")),
    ):
        for row in rows.iterator():
            old = {field: getattr(row, field) for field in fields}
            new = {field: without_names(value, keys, name) for field, value in old.items()}
            if new != old:
                type(row)._base_manager.filter(pk=row.pk).update(**new)
    ImportDraft.objects.filter(season__club=club).delete()
    name_forgotten.send(sender=Player, club=club, keys=keys, name=name)


def without_names(value: Any, keys: Collection[str], name: str) -> Any:
    """Replace each string in a JSON value that is one of the names or the key of one."""
    if isinstance(value, str):
        if name_key(value) not in keys:
            return value
        return name_key(name) if value in keys else name
    if isinstance(value, list):
        return [without_names(each, keys, name) for each in value]
    if isinstance(value, dict):
        return {key: without_names(each, keys, name) for key, each in value.items()}
    return value
