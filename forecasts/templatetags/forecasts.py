"""The odds of a title and the share of skill on the pages of a season."""

from typing import Any

from django import template
from django.utils import timezone

from forecasts.pages import titles
from forecasts.pages.skill import in_words
from forecasts.pages.titles import favourites, left_in_words
from forecasts.queries import season_odds, season_skill
from league.models import Season

register = template.Library()


@register.simple_tag
def percent(chance: float) -> str:
    return titles.percent(chance)


@register.inclusion_tag("forecasts/_title_odds.html")
def title_odds(season: Season) -> dict[str, Any]:
    odds = season_odds(season, timezone.now())
    is_open = odds is not None and not odds.has_ended and bool(odds.contenders)
    shown = {"favourites": favourites(odds), "left": left_in_words(odds)} if odds and is_open else {}
    return {"season": season, "odds": odds, **shown}


@register.inclusion_tag("forecasts/_skill_line.html")
def skill_line(season: Season) -> dict[str, Any]:
    found = season_skill(season)
    return {"season": season, "words": in_words(found) if found and found.n_events else None}
