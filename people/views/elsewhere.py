"""Signing in with another site: going there, coming back, and once more before something that matters."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode, urlsplit

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount, SocialApp
from django.core.exceptions import DisallowedRedirect, ImproperlyConfigured
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.response import SimpleTemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from requests import RequestException

from league.access import signed_in
from league.site.security_log import log_refusal
from people.accounts.providers import CONNECT, has_just_confirmed

# What allauth raises of an answer that is not of the form it expects.
NONSENSE = (
    ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, ImproperlyConfigured,
    DisallowedRedirect,
)  # fmt: skip
PROCESSES = ("login", CONNECT)
log = logging.getLogger(__name__)
View = Callable[..., HttpResponse]


def leaves(view: View) -> View:
    """Answer with a page that leads to the other site, where allauth redirects there.

    The policy of the site lets forms lead to the site itself only, and browsers apply it to redirects, too.
    """

    @require_http_methods(["GET", "POST"])
    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        _keep_what_may_be_asked(request)
        if request.GET["process"] == CONNECT:
            # Before somebody leaves: what came back later would be added when the owner types the password.
            has_just_confirmed(request)
        response = _or_an_error(view, request, **kwargs)
        there = response.headers.get("Location")
        if there is None:
            return response
        address = urlsplit(there)
        if address.scheme not in ("https", "http") or not address.hostname:
            return _failed(request)
        page = render(request, "people/leaving.html", {"there": there, "host": address.hostname})
        page.headers["Refresh"] = f"0; url={there}"
        return page

    return answer


def _keep_what_may_be_asked(request: HttpRequest) -> None:
    """Leave in the query what the site's own buttons put there: allauth would pass on the rest to the other site."""
    asked = {name: request.POST.get(name) or request.GET.get(name) for name in ("process", "next")}
    asked["process"] = asked["process"] or "login"
    if asked["process"] not in PROCESSES:
        raise Http404
    request.GET = QueryDict(urlencode({name: value for name, value in asked.items() if value}))


def comes_back(view: View) -> View:
    """Receive whom the other site sends back."""

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return _or_an_error(view, request, **kwargs)

    return answer


def _or_an_error(view: View, request: HttpRequest, **kwargs: Any) -> HttpResponse:
    """Answer 404 for a provider that is not set, and say so if one does not answer, or with nonsense."""
    try:
        response = view(request, **kwargs)
        return response.render() if isinstance(response, SimpleTemplateResponse) else response
    except SocialApp.DoesNotExist as error:
        raise Http404 from error
    except (*NONSENSE, RequestException, IntegrityError) as error:
        log.exception("a sign-in with another site has failed")
        log_refusal("sign-in-failed", request, reason=type(error).__name__)
        return _failed(request)


def _failed(request: HttpRequest) -> HttpResponse:
    return render(request, "socialaccount/authentication_error.html", status=502)


@require_safe
@never_cache
@signed_in
def sign_in_again(request: HttpRequest) -> HttpResponse:
    """Ask somebody without a password here to sign in again, before what others are asked the password for."""
    own = set(SocialAccount.objects.filter(user=request.user).values_list("provider", flat=True))
    providers = [each for each in get_adapter().list_providers(request) if each.sub_id in own]
    return render(request, "people/sign_in_again.html", {"providers": providers})
