"""Links to the laboratory."""

from django import template
from django.template import Context

from lab.addresses import lab_address

register = template.Library()


@register.simple_tag(takes_context=True)
def lab_url(context: Context, name: str, *args: object) -> str:
    """Write the address of a page of the laboratory: `{% lab_url "vpip" %}`."""
    return lab_address(context.get("request"), name, *args)
