"""Awards that the players of an account have won so far, computed as their seasons' pages do."""

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q

from league.models import Player, Season
from standings.awards.winners import season_awards


def awards_of(user: User) -> list[dict[str, Any]]:
    mine = set(Player.objects.filter(user=user).values_list("pk", flat=True))
    seasons = Season.objects.filter(
        Q(standings__player__in=mine) | Q(awards__player__in=mine), awards__isnull=False
    )
    return [
        {"club": season.club.name, "season": season.name, "award": str(won.award), "place": place.place}
        for season in seasons.select_related("club").distinct().order_by("pk")
        for won in season_awards(season)
        for place in won.places
        if mine & {winner.player_id for winner in place.winners}
    ]
