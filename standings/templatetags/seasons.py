"""Links from a page of a season to the same page of the seasons beside it."""

from typing import Any

from django import template

from league.models import Season
from standings.queries import seasons_beside

register = template.Library()
PAGES = {"table": "leaderboard", "season": "season-table", "events": "events", "awards": "awards"}


@register.inclusion_tag("standings/_seasons_beside.html")
def other_seasons(season: Season, section: str) -> dict[str, Any]:
    before, after = seasons_beside(season)
    return {
        "club": season.club,
        "before": before,
        "after": after,
        "address": f"standings:{PAGES[section]}",
    }
