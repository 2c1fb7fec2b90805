"""What forms with a draft in the browser (static/js/draft.js) have in common."""

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from league.access import ClubRequest

DAY = 86_400


def redirect_published(request: ClubRequest, target: Any, token: uuid.UUID | None) -> HttpResponse:
    """Redirect to what was published; the cookie makes the browser delete its draft of the form."""
    response = redirect(target)
    response.set_cookie(
        "published",
        str(token or ""),
        max_age=DAY,
        path=request.path,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return response
