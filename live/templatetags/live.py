"""The doors to live nights, on pages of other apps."""

from typing import Any, NamedTuple

from django import template

from league.rights import Act, may
from live.models import Night
from live.queries import games_run_live, running_nights

register = template.Library()


class Doors(NamedTuple):
    """The nights that run, and whether another can be started."""

    running: list[Night]
    can_start: bool


@register.simple_tag
def live_doors(request: Any) -> Doors:
    """Find the doors to live nights for whoever may enter results; nothing for others."""
    club = request.club
    if club.closed_at or not may(request.role, Act.ENTER_RESULTS):
        return Doors([], can_start=False)
    return Doors(list(running_nights(club)), can_start=bool(games_run_live(club)))
