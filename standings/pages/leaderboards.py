"""The leaderboard that an address asks for: its order, filters and day. Pages and files of it show the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.core.paginator import Paginator
from django.db.models import QuerySet

from league.models import PoolKind, Season
from payouts.queries import rules_of
from standings.filters import StandingFilter, chosen_in, filter_of
from standings.models import SeasonSummary, Standing
from standings.pages.tables import LeaderboardTable
from standings.queries import (
    PER_PAGE,
    LeaderPage,
    LeaderRow,
    leader_page,
    leader_queryset,
    orders_of,
    rating_terms,
    summary_of,
)
from standings.seasons.past import PastSeason, season_at

PARAMETERS = ("by", "page", "sort", "q", "badge", "least", "at")
MOST_TYPED = 60


@dataclass(frozen=True)
class Leaderboard:
    """A season's leaderboard by the parameters of an address. `day` is None for the present."""

    season: Season
    by: str
    has_badges: bool
    choice: dict[str, str]
    filters: StandingFilter | None
    table: LeaderboardTable
    day: date | None

    @cached_property
    def past(self) -> PastSeason | None:
        """The season as it was on the day; Refused if it is too large for that."""
        return season_at(self.season, self.day) if self.day else None

    @cached_property
    def summary(self) -> SeasonSummary | None:
        return self.past.summary if self.past else summary_of(self.season)

    def page(self) -> LeaderPage:
        number = page_number(self.choice["page"])
        sort = self.table.database_order
        if self.past is None:
            return leader_page(self.season, by=self.by, page=number, chosen=self._chosen(), sort=sort)
        pages = Paginator(self.past.rows(self.by, sort, chosen_in(self.filters)), PER_PAGE)
        current = pages.get_page(number)
        return LeaderPage(list(current.object_list), current.number, pages.num_pages, pages.count)

    def rows(self) -> list[LeaderRow]:
        """Read all rows of the leaderboard, for files."""
        sort = self.table.database_order
        if self.past is not None:
            return self.past.rows(self.by, sort, chosen_in(self.filters))
        chosen = self._chosen()
        rows = Standing.objects.filter(season=self.season) if chosen is None else chosen
        return [LeaderRow(*row) for row in leader_queryset(rows, self.by, sort)]

    def _chosen(self) -> QuerySet[Standing] | None:
        """Select the rows that the filters let through; None without filters."""
        if self.filters is None:
            return None
        chosen: QuerySet[Standing] = self.filters.filter_queryset(Standing.objects.filter(season=self.season))
        return chosen


def leaderboard_of(season: Season, address: Mapping[str, str]) -> Leaderboard:
    """Parse the query parameters of a leaderboard; use defaults for missing or invalid ones."""
    choice = {name: address.get(name, "")[:MOST_TYPED] for name in PARAMETERS}
    orders, terms = orders_of(season), rating_terms(season)
    has_badges = terms.has_badges if terms else season.pool.kind == PoolKind.TIER
    by = choice["by"] if choice["by"] in orders else orders[0]
    return Leaderboard(
        season,
        by,
        has_badges,
        choice,
        filter_of({name: choice[name] for name in ("q", "badge", "least")}),
        LeaderboardTable(
            by,
            choice["sort"],
            season.pool.kind,
            has_badges=has_badges,
            pays_balances=rules_of(season).pays_balances,
        ),
        _day(choice["at"]),
    )


def page_number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else 1  # noqa: PLR2004  nobody has so many pages


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
