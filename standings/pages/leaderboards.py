"""The leaderboard that an address asks for: its order, filters and day. Pages and files of it show the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString

from league.models import PoolKind, Season
from payouts.queries import rules_of
from standings.filters import StandingFilter, chosen_in, filter_of
from standings.models import SeasonSummary, Standing
from standings.pages.readers import Row
from standings.pages.tables import LeaderboardTable
from standings.queries import (
    PER_PAGE,
    LeaderPage,
    LeaderRow,
    leader_page,
    leader_queryset,
    leader_rows,
    orders_of,
    rating_terms,
    summary_of,
)
from standings.recomputation.summary import SeasonFacts
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


def links_of(season: Season, facts: SeasonFacts | None) -> dict[str, Any]:
    """Build the addresses that rows link to, up to the id of a player, and that of the badges."""
    # A player with ratings in several pools has a page for each, the first one without a name.
    pool_query = f"?pool={season.pool_id}" if season.pool.kind == PoolKind.PROFIT else ""
    breakdown = reverse("standings:breakdown", args=[season.club.slug, season.slug, 0])
    return {
        "player_address": _player_address(season),
        "pool_query": pool_query,
        "why_address": _why_address(season, facts),
        "why_query": pool_query if _is_night(facts) else "",
        "breakdown_address": breakdown.removesuffix("0/"),
        "badges_address": reverse("standings:badges", args=[season.club.slug]) + pool_query,
    }


def _why_address(season: Season, facts: SeasonFacts | None) -> str:
    """Build the URL prefix of the last event's explanations; after a night, that of the player pages.

    The changes of a night are explained game by game; the page of a player lists them.
    """
    if not facts or not facts["last_event"] or _is_night(facts):
        return _player_address(season)
    event_id = facts["last_event"]["event_id"]
    return reverse("standings:explanation", args=[season.club.slug, event_id, 0]).removesuffix("0/")


def _is_night(facts: SeasonFacts | None) -> bool:
    """Tell whether the last event was a meet of several."""
    last = facts["last_event"] if facts else None
    return last is not None and last.get("n_events", 1) > 1


def _player_address(season: Season) -> str:
    return reverse("standings:player", args=[season.club.slug, 0]).removesuffix("0/")


def far_row(season: Season, row: Row, player_id: int) -> SafeString:
    """Draw the row of a reader for a page that has others."""
    shown = leaderboard_of(season, {"by": row.by})
    summary = shown.summary
    own = leader_rows(Standing.objects.filter(season=season, player=player_id), row.by, ())
    links = links_of(season, summary.facts if summary else None)
    return shown.table.drawn_far_row(own[0], row.page, links)
