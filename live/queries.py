"""Reads about live nights that pages of other apps share."""

from datetime import date
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from league.models import Club, EntryForm, Game, Season
from live.models import Night


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
    by_order = games.filter(entry_form=EntryForm.ORDER)
    nights = Night.objects.filter(club=OuterRef("pk"), stage=Night.Stage.OPEN)
    is_there = Club.objects.filter(pk=club.pk).annotate(
        runs=Exists(nights), can_start=Exists(by_order) | ~Exists(games)
    )
    runs, can_start = is_there.values_list("runs", "can_start").get()
    return Doors(list(running_nights(club)) if runs else [], can_start=bool(can_start))


def seasons_of_day(club: Club, day: date) -> list[Season]:
    """List the open seasons of a club that hold a day, the latest begun first."""
    seasons = club.seasons.filter(is_closed=False, is_sealed=False).order_by("-starts_on", "-pk")
    return [season for season in seasons if season.holds(day)]


def game_of(club: Club, season: Season | None) -> Game | None:
    """Find the game with a finishing order that a night of a season is of; None if nothing says which."""
    games = list(club.games.filter(is_shut=False, pool__is_shut=False, entry_form=EntryForm.ORDER))
    of_season = [game for game in games if season is None or game.pool_id == season.pool_id]
    return of_season[0] if len(of_season) == 1 else None
