"""What the head of a page says to those who show a link to it."""

from typing import Any

from django import template
from django.template import Context

from league.models import Season
from league.services.mails import absolute
from sharing.cards import player_place
from standings.models import Standing

register = template.Library()


@register.inclusion_tag("sharing/_head.html", takes_context=True)
def shared_as(
    context: Context, picture: str, title: str, text: str, season: Season | str | None
) -> dict[str, Any]:
    """Describe the page with a picture. Its address changes with the results, since chats keep pictures by address.

    The season was read with its pool and recomputation. Nobody outside can open a private club's pages.
    """
    request = context["request"]
    return {
        "is_shown": request.club.is_public,
        "club": request.club,
        "page": absolute(request.path),
        "picture": absolute(f"{picture}?v={_version(season)}"),
        "title": title,
        "text": text,
    }


@register.filter
def season_place(standing: Standing | None) -> str:
    """Say where a player stands in a season."""
    return player_place(standing or None)


def _version(season: Season | str | None) -> str:
    if season is None or isinstance(
        season, str
    ):  # what a template gives in place of a season that is missing
        return "0"
    state = getattr(season.pool, "recomputation", None)
    return f"{season.pool.data_version}.{state.rated_version if state else 0}"
