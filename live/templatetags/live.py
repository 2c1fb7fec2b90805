"""The doors to live nights, on pages of other apps."""

from typing import Any

from django import template

from league.rights import Act, may
from live.queries import Doors, doors_of

register = template.Library()


@register.simple_tag
def live_doors(request: Any) -> Doors:
    """Find the doors to live nights for whoever may enter results; nothing for others."""
    if request.club.closed_at or not may(request.role, Act.ENTER_RESULTS):
        return Doors([], can_start=False)
    return doors_of(request.club)
