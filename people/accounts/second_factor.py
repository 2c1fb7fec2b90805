"""Ask for a second factor where the operator requires one (SECOND_FACTOR in docs/operations.md)."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from league.queries import has_two_factor

# Where a factor is set up, and what its page needs.
FREE = (
    "/accounts/", "/language/", "/theme/", "/static/", "/privacy/", "/terms/",
    "/healthz", "/readyz", "/metrics", "/.well-known/",
)  # fmt: skip
KEYS = "/accounts/api-keys/"
OF_OPERATORS = ("/admin/", "/operator/")


def required(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Show accounts without a factor where to set one up: a middleware."""

    def answer(request: HttpRequest) -> HttpResponse:
        if settings.SECOND_FACTOR == "clubs" or not _is_asked(request) or has_two_factor(request.user):
            return get_response(request)
        reason = _("This site requires two-factor sign-in here: set it up for your account first.")
        return render(
            request, "league/two_factor_required.html", {"reason": reason, "may_read": False}, status=403
        )

    return answer


def _is_asked(request: HttpRequest) -> bool:
    """Tell whether the operator requires a factor of this account at this address."""
    is_free = request.path.startswith(FREE) and not request.path.startswith(KEYS)
    if settings.SECOND_FACTOR == "everybody" and not is_free:
        return request.user.is_authenticated
    return request.path.startswith(OF_OPERATORS) and _is_operator(request.user)


def _is_operator(user: User | AnonymousUser) -> bool:
    return user.is_authenticated and (user.is_staff or user.is_superuser)
