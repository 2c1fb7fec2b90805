"""Sign-in and sign-up where the site differs from allauth: waits after failures, no sign that an address is known."""

import hashlib
import ipaddress
import time
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.userkit import filter_users_by_email, filter_users_by_username
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.core import ratelimit
from allauth.core.exceptions import ReauthenticationRequired
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Invitation, SignUp, SiteRules
from league.site.middleware import SIGNED_IN_AT
from league.site.security_log import log_refusal, masked
from people.accounts.browsers import known_browser, remember_browser
from people.accounts.waits import begin_attempt, forget_failures, take_back
from people.services.invitations import JOINING
from people.services.mails import absolute


class AccountAdapter(DefaultAccountAdapter):
    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the visitor's IP address; convert an IPv4-mapped IPv6 address to IPv4.

        All IPv4 addresses in that form are in one network of IPv6, which limits count as one visitor.
        """
        address = ipaddress.ip_address(super().get_client_ip(request))
        return str(getattr(address, "ipv4_mapped", None) or address)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Tell whether the rules of the site let this visitor make an account."""
        rule = SiteRules.current().sign_up
        if rule == SignUp.INVITED:
            invitation = Invitation.objects.filter(token=request.session.get(JOINING)).first()
            return invitation is not None and invitation.is_open
        return rule == SignUp.ANYBODY

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse an attempt that comes too early, without looking at the password."""
        self.counters = Counters(request, credentials)
        if not self.counters.is_known and not self._consume(request, dry_run=True):
            log_refusal("sign-in-refused", request, **self.counters.subject)
            raise self.validation_error("too_many_login_attempts")
        if seconds := begin_attempt(self.counters.all):
            log_refusal("sign-in-refused", request, **self.counters.subject, seconds=seconds)
            text = ngettext(
                "Too many failed sign-ins. Try again in %(n)d second.",
                "Too many failed sign-ins. Try again in %(n)d seconds.",
                seconds,
            )
            raise ValidationError(text % {"n": seconds}, code="too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user:
            counter = self.counters.by_user[user.pk]
            forget_failures(counter)
            # Other accounts with the same address, which anybody can open, keep their earlier failures.
            take_back(other for other in self.counters.all if other != counter)
        return user

    def authentication_failed(self, request: HttpRequest, **_credentials: Any) -> None:
        self._consume(request)
        log_refusal("sign-in-failed", request, **self.counters.subject)

    def _consume(self, request: HttpRequest, *, dry_run: bool = False) -> bool:
        return bool(ratelimit.consume(request, action="password_failed", dry_run=dry_run))

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Ask accounts without a password, too: allauth would let them pass, here they sign in again elsewhere."""
        user = self.request.user
        if not user.is_authenticated or self._asks_here(user) or not self._signs_in_elsewhere(user):
            return bool(super().is_reauthentication_required(app=app, **kwargs))
        since = time.time() - self.request.session.get(SIGNED_IN_AT, 0)
        if since > app_settings.REAUTHENTICATION_TIMEOUT:
            raise ReauthenticationRequired
        return False

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """List the pages on which somebody confirms who they are: the other site, where nothing else is set up."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if methods or not user.is_authenticated or not self._signs_in_elsewhere(user):
            return methods
        return [
            {"id": "elsewhere", "description": _("Sign in again"), "url": reverse("sign_in_again")},
        ]

    def _asks_here(self, user: User) -> bool:
        return bool(super().get_reauthentication_methods(user))

    @staticmethod
    def _signs_in_elsewhere(user: User) -> bool:
        return bool(SocialAccount.objects.filter(user=user).exists())

    @transaction.atomic
    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Save the password and the lines about it in the clubs' histories."""
        super().set_password(user, password)

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **kwargs)
        remember_browser(request, response, user)
        return response

    def render_mail(
        self, template_prefix: str, email: str | list[str], context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """Write a mail about the account with links to the site's own address, whatever the visitor called it."""
        values = at_site_address(context)
        message: EmailMessage = super().render_mail(template_prefix, email, values, headers)
        return message

    def respond_user_inactive(self, request: HttpRequest, user: AbstractBaseUser) -> HttpResponse:
        log_refusal("sign-in-refused", request, account=user.pk, inactive=True)
        response: HttpResponse = super().respond_user_inactive(request, user)
        return response

    def send_confirmation_mail(
        self,
        request: HttpRequest,
        emailconfirmation: EmailConfirmation,
        signup: bool,
    ) -> None:
        """Notify the owner of a confirmed e-mail address that is used to sign up, instead of sending a link."""
        email = emailconfirmation.email_address.email
        if signup and EmailAddress.objects.filter(email=email, verified=True).exists():
            self.send_account_already_exists_mail(email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)


def at_site_address(values: dict[str, Any]) -> dict[str, Any]:
    """Rewrite the URLs among a mail's values to the configured site, and name the site in the mail."""
    request = values.get("request")
    seen, own = request.build_absolute_uri("/") if request else "", absolute("/")
    links = {
        name: own + value.removeprefix(seen)
        if seen and isinstance(value, str) and value.startswith(seen)
        else value
        for name, value in values.items()
    }
    return links | {"current_site": SimpleNamespace(name="Tierboard", domain=urlsplit(own).netloc)}


class Counters:
    """The counters of one attempt: of each account that the typed name or address can mean, or of what was typed."""

    def __init__(self, request: HttpRequest, credentials: dict[str, Any]) -> None:
        self.typed = [str(credentials[name]) for name in ("email", "username") if credentials.get(name)]
        users = set(filter_users_by_username(*self.typed)) if self.typed else set()
        for name in self.typed:
            users |= set(filter_users_by_email(name, prefer_verified=True, for_login=True))
        browsers = {user.pk: known_browser(request, user) for user in users}
        self.by_user = {pk: f"{pk}:{browser}" for pk, browser in browsers.items()}
        self.is_known = bool(browsers) and all(browsers.values())

    @property
    def all(self) -> list[str]:
        digests = {hashlib.sha256(name.lower().encode()).hexdigest() for name in self.typed}
        return list(self.by_user.values()) or [f"nobody:{digest}" for digest in digests]

    @property
    def subject(self) -> dict[str, Any]:
        """Describe the account for the security log: an account, or part of what was typed."""
        if self.by_user:
            return {"account": min(self.by_user)}
        return {"typed": masked(self.typed[0])}
