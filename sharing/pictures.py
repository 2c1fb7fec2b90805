"""Answers with pictures: drawn after everything is read, kept by what they say, and so never out of date."""

import hashlib
from functools import wraps
from http import HTTPStatus
from typing import Any, cast

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from league.database.snapshots import View
from league.site.limits import SECONDS, consume_quota
from sharing.cards import Card
from sharing.drawing import REVISION, draw

MOST_DRAWN = 60  # in a minute for one visitor; a picture that is kept costs no turn


class Undrawn(HttpResponse):
    """The answer of a view before its picture is drawn."""

    def __init__(self, card: Card) -> None:
        super().__init__(content_type="image/png")
        self.card = card


def drawn(view: View) -> View:
    """Wrap a view that returns a card, so that its picture is drawn outside the snapshot."""

    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        answer = view(request, **kwargs)
        return _with_picture(request, answer) if isinstance(answer, Undrawn) else answer

    return wrapped


def _with_picture(request: HttpRequest, answer: Undrawn) -> HttpResponse:
    key = hashlib.sha256(repr((REVISION, answer.card)).encode()).hexdigest()
    answer.headers["ETag"] = f'"{key}"'
    # Whoever keeps the picture asks each time whether it still holds: a name may be corrected or hidden.
    # A browser of a signed-in person keeps none (league.site.middleware).
    if not request.user.is_authenticated:
        answer.headers["Cache-Control"] = "no-cache"
    checked = get_conditional_response(request, etag=answer.headers["ETag"], response=answer)
    if checked is not answer:
        return cast("HttpResponse", checked)
    picture = caches["pictures"].get(key)
    if picture is None:
        if not consume_quota(request, "picture", user=request.user, limit=MOST_DRAWN, dedupe_key=key):
            return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": str(SECONDS)})
        picture = draw(answer.card)
        caches["pictures"].set(key, picture)
    answer.content = picture
    return answer
