"""Reads about live nights that pages of other apps share."""

from datetime import date
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.models import Club, EntryForm, Game, Player, PlayerAlias, Season
from live.models import Hunt, Night
from reading.names.keys import name_key


def running_nights(club: Club) -> QuerySet[Night]:
    """List the nights of a club that are run live now."""
    return Night.objects.filter(club=club, stage=Night.Stage.OPEN).select_related("club", "season")


class Doors(NamedTuple):
    """The nights of a club that run, and whether another can be started."""

    running: list[Night]
    can_start: bool


def doors_of(club: Club) -> Doors:
    """Find the doors to the nights of a club, in one query where none runs."""
    games = Game.objects.filter(club=OuterRef("pk"), is_shut=False)
    by_order = games.filter(entry_form__in=(EntryForm.ORDER, EntryForm.BALANCES))  # the latter at cash tables
    nights = Night.objects.filter(club=OuterRef("pk"), stage=Night.Stage.OPEN)
    is_there = Club.objects.filter(pk=club.pk).annotate(
        runs=Exists(nights), can_start=Exists(by_order) | ~Exists(games)
    )
    runs, can_start = is_there.values_list("runs", "can_start").get()
    return Doors(list(running_nights(club)) if runs else [], can_start=bool(can_start))


def hidden_names(club: Club) -> dict[str, str]:
    """Map the keys of names that players hide to those by which they are shown."""
    hiding = club.players.exclude(real_name="")
    found = {name_key(real): name for real, name in hiding.values_list("real_name", "name")}
    aliases = PlayerAlias.objects.filter(club=club).exclude(player__real_name="")
    return {**dict(aliases.values_list("key", "player__name")), **found}


class Rival(NamedTuple):
    """Count how often a player has put another one out, and the other way round."""

    player_id: int
    name: str
    n_hunted: int
    n_hunted_by: int


def has_rivals() -> Exists:
    """Make the expression of a query of players: whether one has put somebody out, or the other way round."""
    return Exists(Hunt.objects.filter(Q(hunter__player=OuterRef("pk")) | Q(hunted__player=OuterRef("pk"))))


def rivals_of(player: Player, most: int) -> list[Rival]:
    """List whom a player has met most often at the end of a life in a tournament, in one query."""
    of_player = Hunt.objects.filter(Q(hunter__player=player) | Q(hunted__player=player))
    columns = ("hunter__player_id", "hunter__player__name", "hunted__player_id", "hunted__player__name")
    rivals: dict[int, Rival] = {}
    for hunter_id, hunter, hunted_id, hunted in of_player.order_by("pk").values_list(*columns):
        is_own = hunter_id == player.pk
        other, name = (hunted_id, hunted) if is_own else (hunter_id, hunter)
        before = rivals.get(other, Rival(other, name, 0, 0))
        rivals[other] = before._replace(
            n_hunted=before.n_hunted + is_own, n_hunted_by=before.n_hunted_by + (not is_own)
        )
    found = sorted(rivals.values(), key=lambda each: (-each.n_hunted - each.n_hunted_by, each.name))
    return found[:most]


def seasons_of_day(club: Club, day: date) -> list[Season]:
    """List the open seasons of a club that hold a day, the latest begun first."""
    seasons = club.seasons.filter(is_closed=False, is_sealed=False).order_by("-starts_on", "-pk")
    return [season for season in seasons if season.holds(day)]


def game_of(club: Club, season: Season | None, entry_form: str = EntryForm.ORDER) -> Game | None:
    """Find the game that a night of a season is of; None if nothing says which."""
    games = list(club.games.filter(is_shut=False, pool__is_shut=False, entry_form=entry_form))
    of_season = [game for game in games if season is None or game.pool_id == season.pool_id]
    return of_season[0] if len(of_season) == 1 else None
