"""Headers that neither Django nor a library of the site sends, and the end of old sessions."""

import time
from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse

# What no page uses is refused, to scripts of this site as well. Passkeys are used on this site alone.
REFUSED = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation",
    "gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
OWN = ("publickey-credentials-create", "publickey-credentials-get")
PERMISSIONS = ", ".join([*(f"{name}=()" for name in REFUSED), *(f"{name}=(self)" for name in OWN)])


def permissions_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers["Permissions-Policy"] = PERMISSIONS
        return response

    return answer


def api_over_https(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Refuse programs that send a key in the clear: a redirect would hide the mistake, and anybody reads the key."""

    def answer(request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and request.path.startswith("/api/") and not request.is_secure():
            return JsonResponse(
                {"detail": "Use https://. If you sent a key, end it: others may have seen it."}, status=403
            )
        return get_response(request)

    return answer


SIGNED_IN_AT = "signed_in_at"  # of a session, in seconds since 1970


def private_to_accounts(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let no browser keep what a signed-in person sees, and end sessions that began long ago."""

    def answer(request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return get_response(request)
        with suppress(DatabaseError):  # the page says what is wrong, and keeps what was typed
            request.account_id = int(request.session.get(SESSION_KEY, 0))  # type: ignore[attr-defined]  # for lines of the log
            began = request.session.get(SIGNED_IN_AT)
            if began is not None and time.time() - began > settings.SESSION_MOST_SECONDS:
                logout(request)
        response = get_response(request)
        # Also for the browser's Back button: a form that was sent must not come back filled in.
        if _is_of_account(request):
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return answer


def _is_of_account(request: HttpRequest) -> bool:
    """Tell whether somebody is signed in; where that cannot be read, they may be."""
    try:
        return request.user.is_authenticated
    except DatabaseError:
        return True
