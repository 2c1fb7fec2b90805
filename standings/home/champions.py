"""Who won the club's ended seasons, and how often each champion did."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Q

from league.models import Club, Player, Season
from standings.models import Standing
from standings.queries import has_ended, seasons_of

NEAREST = 5  # positions among which the second is looked for


class Title(NamedTuple):
    """An ended season: its champions, who came next, and by how many points."""

    season: Season
    champions: Sequence[Standing]
    second: Standing | None

    @property
    def lead(self) -> Decimal | None:
        return self.champions[0].total - self.second.total if self.second else None


class Holder(NamedTuple):
    """A player with the seasons won, the newest first."""

    player: Player
    seasons: list[Season]


def titles_of(club: Club, today: date) -> list[Title]:
    """List the ended seasons that somebody has won, the newest first."""
    rows = Standing.objects.filter(Q(points_rank=1) | Q(points_position__lte=NEAREST), season__club=club)
    first: dict[int, list[Standing]] = {}
    for row in rows.filter(points_rank__isnull=False).select_related("player").order_by("points_position"):
        first.setdefault(row.season_id, []).append(row)
    titles = []
    for season in seasons_of(club):
        if (lines := first.get(season.pk)) and has_ended(season, today):
            champions = [line for line in lines if line.points_rank == 1]
            second = next((line for line in lines if line.points_rank != 1), None)
            titles.append(Title(season, champions, second))
    return titles


def holders_of(titles: Sequence[Title]) -> list[Holder]:
    """List the champions, those with the most titles first and among them the latest."""
    holders: dict[int, Holder] = {}
    for title in titles:
        for line in title.champions:
            holder = holders.setdefault(line.player_id, Holder(line.player, []))
            holder.seasons.append(title.season)
    return sorted(holders.values(), key=lambda holder: -len(holder.seasons))
