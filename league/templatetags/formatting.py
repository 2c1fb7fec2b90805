"""Filters and tags of the site's look, built into every template."""

from decimal import Decimal

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league import formats
from league.models import Role

register = template.Library()

register.filter("number", formats.number)
register.filter("signed", formats.signed)
register.filter("points", formats.points)


@register.filter
def change(value: float | Decimal | None, places: int = 0) -> SafeString:
    """A change in green or red, with its sign; a dash where there is none."""
    if value is None:
        return format_html("<span aria-hidden='true'>{}</span>", "–")
    text = formats.signed(value, places)
    family = "dn" if text.startswith(formats.MINUS) else "up" if text.startswith("+") else "same"
    return format_html("<span class='{}'>{}</span>", family, text)


@register.simple_tag
def badge(letters: str, *, provisional: bool = False, size: str = "") -> SafeString:
    """The badge of a rate: shape and colour of its family, letter and level always written."""
    return format_html(
        '<span class="badge {}{}{}"><span><span class="vh">{} </span>{}</span></span>',
        letters[0].lower(),
        f" {size}" if size else "",
        " prov" if provisional else "",
        _("Provisional badge") if provisional else _("Badge"),
        letters,
    )


@register.filter
def may(role: Role, needed: str) -> bool:
    """`{% if request.role|may:"organizer" %}`."""
    return role >= Role[needed.upper()]
