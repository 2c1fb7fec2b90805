"""Signing in with another site: going there, coming back, and once more before something that matters."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount, SocialApp
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from requests import RequestException

from league.access import signed_in

# What allauth raises of an answer that is not of the form it expects.
NONSENSE = (ValueError, TypeError, LookupError, AttributeError, ImproperlyConfigured)
log = logging.getLogger(__name__)
View = Callable[..., HttpResponse]


def leaves(view: View) -> View:
    """Answer with a page that leads to the other site, where allauth redirects there.

    The policy of the site lets forms lead to the site itself only, and browsers apply it to redirects, too.
    """

    @wraps(view)
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        response = _or_an_error(view, request, **kwargs)
        there = response.headers.get("Location", "")
        if not urlsplit(there).netloc:
            return response
        page = render(request, "people/leaving.html", {"there": there, "host": urlsplit(there).hostname})
        page.headers["Refresh"] = f"0; url={there}"
        return page

    return never_cache(answer)


def comes_back(view: View) -> View:
    """Receive whom the other site sends back."""

    @wraps(view)
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return _or_an_error(view, request, **kwargs)

    return never_cache(answer)


def _or_an_error(view: View, request: HttpRequest, **kwargs: Any) -> HttpResponse:
    """Answer 404 for a provider that is not set, and say so if one does not answer, or with nonsense."""
    try:
        return view(request, **kwargs)
    except SocialApp.DoesNotExist as error:
        raise Http404 from error
    except (*NONSENSE, RequestException, IntegrityError):
        log.exception("a sign-in with another site has failed")
        return render(request, "socialaccount/authentication_error.html", status=502)


@require_safe
@never_cache
@signed_in
def sign_in_again(request: HttpRequest) -> HttpResponse:
    """Ask somebody without a password here to sign in again, before what others are asked the password for."""
    own = set(SocialAccount.objects.filter(user=request.user).values_list("provider", flat=True))
    providers = [each for each in get_adapter().list_providers(request) if each.sub_id in own]
    return render(request, "people/sign_in_again.html", {"providers": providers})
