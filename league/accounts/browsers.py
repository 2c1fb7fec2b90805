"""Browsers that have signed in to an account before, known by a signed cookie.

Their attempts are counted apart, so that a stranger who guesses passwords does not slow down the account's owner.
"""

from secrets import token_urlsafe

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

COOKIE = "browser"
YEAR = 365 * 86_400


def known_browser(request: HttpRequest, user: User) -> str:
    """Read the name of the browser; "" if it has not signed in to this account."""
    return request.get_signed_cookie(COOKIE, "", salt=_salt(user), max_age=YEAR) or ""


def remember_browser(request: HttpRequest, response: HttpResponse, user: User) -> None:
    response.set_signed_cookie(
        COOKIE,
        known_browser(request, user) or token_urlsafe(16),
        salt=_salt(user),
        max_age=YEAR,
        path=reverse("account_login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _salt(user: User) -> str:
    return f"browser of {user.pk}"
