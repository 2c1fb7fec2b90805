"""Reads about live nights that pages of other apps share."""

from datetime import date

from django.db.models import QuerySet

from league.models import Club, EntryForm, Game, Season
from live.models import Night


def running_nights(club: Club) -> QuerySet[Night]:
    """List the nights of a club that are run live now."""
    return Night.objects.filter(club=club, stage=Night.Stage.OPEN).select_related("club", "season")


def seasons_of_day(club: Club, day: date) -> list[Season]:
    """List the open seasons of a club that hold a day, the latest begun first."""
    seasons = club.seasons.filter(is_closed=False, is_sealed=False).order_by("-starts_on", "-pk")
    return [season for season in seasons if season.holds(day)]


def games_run_live(club: Club) -> list[Game | None]:
    """List the games of a club whose nights can be run live: those with a finishing order. None stands for no game."""
    games = list(club.games.filter(is_shut=False))
    return [game for game in games if game.entry_form == EntryForm.ORDER] if games else [None]
