"""What forms with a draft in the browser (static/js/draft.js) have in common."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html

from league.access import ClubRequest
from league.formats import together
from league.models import Event, Meet
from league.site.cookies import cookie_name
from league.vocabulary import gettext as _

DAY = 86_400
COOKIE = cookie_name("published", has_path=True)


def say_published(request: ClubRequest, event: Event, *, is_again: bool) -> None:
    """Say on the next page that the result is published, with a link to what was changed."""
    winners = event.entries.filter(place=1).select_related("player")
    values = {"names": together(entry.player.name for entry in winners)}
    text = _("This was published already: %(names)s wins.") if is_again else _("Published. %(names)s wins.")
    link = reverse("standings:changes", args=[request.club.slug])
    messages.success(
        request, format_html('{} <a href="{}">{}</a>', text % values, link, _("What was changed"))
    )


def redirect_published(
    request: ClubRequest,
    target: Any,
    token: uuid.UUID | None,
    *,
    event: Event | None = None,
    meet: Meet | None = None,
) -> HttpResponse:
    """Redirect to what was published; the cookie makes the browser delete its draft of the form.

    `event` or `meet` is what was corrected, whose form may have been sent from its preview.
    """
    address = request.path
    if event:
        address = reverse("entry:event-edit", args=[request.club.slug, event.pk])
    elif meet:
        address = reverse("entry:night-edit", args=[request.club.slug, meet.season.slug, meet.pk])
    response = redirect(target)
    response.set_cookie(
        COOKIE,
        str(token or ""),
        max_age=DAY,
        path=address,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response
