"""Pages of the site: language, theme and health."""

from datetime import UTC, timedelta

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from league.services.health import can_write, storage_problem
from league.site.cookies import THEME, THEMES
from league.site.security_log import log_refusal
from league.views.unsaved import not_saved

YEAR = 365 * 86_400


@require_safe
def health(_request: HttpRequest) -> HttpResponse:
    problem = storage_problem()
    return HttpResponse(
        problem or "ok", content_type="text/plain; charset=utf-8", status=503 if problem else 200
    )


@require_safe
def security_contact(_request: HttpRequest) -> HttpResponse:
    """Serve security.txt (RFC 9116), which expires after 180 days."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (timezone.now() + timedelta(days=180)).astimezone(UTC)
    lines = [f"Contact: {settings.SECURITY_CONTACT}", f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}"]
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")


@require_safe
def set_language(request: HttpRequest, code: str) -> HttpResponse:
    return _set_preference(request, settings.LANGUAGE_COOKIE_NAME, code, tuple(dict(settings.LANGUAGES)))


@require_safe
def set_theme(request: HttpRequest, name: str) -> HttpResponse:
    return _set_preference(request, THEME, name, THEMES)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render 400.html with the request, which Django's own handler omits: the page needs it for its links."""
    return render(request, "400.html", status=413 if isinstance(exception, RequestDataTooBig) else 400)


def rate_limited(request: HttpRequest) -> HttpResponse:
    """Render 429.html for a request that exceeds a rate limit of allauth, and log the refusal.

    allauth cannot count, and refuses, while nothing can be written: then that is what the page says.
    """
    if not can_write():
        return not_saved(request)
    log_refusal("request-refused", request, path=request.path)
    return render(request, "429.html", status=429)


def _set_preference(request: HttpRequest, cookie: str, value: str, known: tuple[str, ...]) -> HttpResponse:
    """Store a display preference in a cookie. GET suffices, as it changes only the look of the site."""
    if value not in known:
        raise Http404
    target = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
        target = "/"
    response = HttpResponseRedirect(target)
    response.set_cookie(
        cookie, value, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True
    )
    return response
