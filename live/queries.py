"""Reads about live nights that pages of other apps share."""

from django.db.models import QuerySet

from league.models import Club, EntryForm, Game
from live.models import Night


def running_nights(club: Club) -> QuerySet[Night]:
    """List the nights of a club that are run live now."""
    return Night.objects.filter(club=club, stage=Night.Stage.OPEN).select_related("club", "season")


def games_run_live(club: Club) -> list[Game | None]:
    """List the games of a club whose nights can be run live: those with a finishing order. None stands for no game."""
    games = list(club.games.filter(is_shut=False))
    return [game for game in games if game.entry_form == EntryForm.ORDER] if games else [None]
