"""What the head of a page says to those who show a link to it."""

from typing import Any

from django import template
from django.template import Context

from league.models import Season
from people.services.mails import absolute
from sharing.cards import player_place
from standings.models import Standing
from standings.queries import results_version

register = template.Library()


@register.inclusion_tag("sharing/_head.html", takes_context=True)
def shared_as(context: Context, picture: str, title: str, text: str, version: str) -> dict[str, Any]:
    """Describe the page with a picture. Its address changes with the results, since chats keep pictures by address.

    Nobody outside can open a private club's pages.
    """
    request = context["request"]
    return {
        "is_shown": request.club.is_public,
        "club": request.club,
        "page": absolute(request.path),
        "picture": absolute(f"{picture}?v={version}"),
        "title": title,
        "text": text,
    }


@register.filter
def version(season: Season | str | None) -> str:
    """Name the version of a season's results; "0" for what a template gives in place of a season that is missing."""
    return results_version(season) if isinstance(season, Season) else "0"


@register.filter
def season_place(standing: Standing | None) -> str:
    """Say where a player stands in a season."""
    return player_place(standing or None)
