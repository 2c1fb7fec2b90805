"""The doors to live nights, on pages of other apps, and what a line of a setup says."""

from typing import Any

from django import template
from django.forms import BoundField

from league.rights import Act, may
from live.queries import Doors, doors_of

register = template.Library()


@register.simple_tag
def live_doors(request: Any) -> Doors:
    """Find the doors to live nights for whoever may enter results; nothing for others."""
    if request.club.closed_at or not may(request.role, Act.ENTER_RESULTS):
        return Doors([], can_start=False)
    return doors_of(request.club)


@register.filter
def said(field: BoundField) -> str:
    """Write what a field says now: of a choice its label, of a box that is ticked yes."""
    value = field.value()
    if value is True or value == "on":
        return "✓"
    for key, label in getattr(field.field, "choices", ()):
        if str(key) == str(getattr(value, "pk", value)):
            return str(label)
    return str(value)
