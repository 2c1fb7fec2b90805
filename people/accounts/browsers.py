"""Browsers that have signed in to an account before, known by a signed cookie.

Their attempts are counted apart, so that a stranger who guesses passwords does not slow down the account's owner.
"""

from secrets import token_urlsafe
from urllib.parse import urljoin

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from league.site.cookies import cookie_name

COOKIE = cookie_name("browser", has_path=True)
YEAR = 365 * 86_400
MOST_ACCOUNTS = 20  # of one browser, on a computer that a club shares; the cookie then has about 300 letters


def known_browser(request: HttpRequest, user: User) -> str:
    """Read the name of the browser; "" if it has not signed in to this account."""
    name, accounts = _read(request)
    return name if str(user.pk) in accounts else ""


def remember_browser(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Add the account to those of the browser; too many push out the one that signed in longest ago."""
    name, accounts = _read(request)
    others = [account for account in accounts if account != str(user.pk)]
    response.set_signed_cookie(
        COOKIE,
        ".".join([name or token_urlsafe(16), str(user.pk), *others[: MOST_ACCOUNTS - 1]]),
        max_age=YEAR,
        path=urljoin(reverse("account_login"), ".."),  # signing in, and confirming the password afterwards
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    """Read the name of the browser and its accounts, the latest first."""
    name, *accounts = (request.get_signed_cookie(COOKIE, "", max_age=YEAR) or "").split(".")
    return name, accounts
