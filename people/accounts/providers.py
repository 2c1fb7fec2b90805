"""Sign-in with another site (Google, Discord, LINE, a server of OpenID Connect), where it differs from allauth."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthError
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.site.security_log import log_refusal
from people.services.mails import absolute, send

MOST_SHOWN = 200  # letters
SHOWN = ("email", "username", "preferred_username", "displayName")
# The fields in which a provider says who somebody is, and whether the address is confirmed.
IDENTIFIERS = {"google": "sub", "discord": "id", "line": "userId", "oidc": "sub"}
CONFIRMED = {"google": "email_verified", "discord": "verified", "oidc": "email_verified"}
CONNECT = "connect"  # allauth's word for adding a way to sign in


@reauthentication_required(app="allauth.socialaccount")
def has_just_confirmed(_request: HttpRequest) -> bool:
    """Raise ReauthenticationRequired unless somebody has just shown who they are."""
    return True


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    def list_apps(
        self, request: HttpRequest | None, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """List the providers that the operator has set, and none of allauth's own table."""
        if not settings.SOCIALACCOUNT_PROVIDERS:
            return []
        apps = super().list_apps(request, provider=provider, client_id=client_id)
        return [app for app in apps if app.pk is None]

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Take the address and a proposal for the user name, but no real name; forget the rest of what was said.

        Everything is read from what the provider has sent: allauth makes identifiers of nothing, and counts any word
        as a confirmation.
        """
        account = sociallogin.account
        said = what_is_said(account.extra_data)
        identifier = said.get(IDENTIFIERS[account.provider])
        if not isinstance(identifier, str) or not identifier.strip() or not identifier.isprintable():
            raise ValueError("the provider has not said who somebody is")
        # Of a letter outside of ASCII lower case can be another letter, and the address that of somebody else.
        has_confirmed = said.get(CONFIRMED.get(account.provider, "")) is True
        is_confirmed = has_confirmed and str(said.get("email")).isascii()
        for address in sociallogin.email_addresses:
            address.verified = is_confirmed
        user: User = super().populate_user(request, sociallogin, data)
        user.first_name = user.last_name = ""
        if user.username in (identifier, user.email) or not user.username.isprintable():
            user.username = ""
        account.extra_data = shown_data(said)
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Keep no token, and add a way to sign in for nobody who has not just shown who they are."""
        sociallogin.token = None
        if sociallogin.state.get("process") == CONNECT:
            try:
                has_just_confirmed(request)
            except ReauthenticationRequired as error:
                messages.error(request, _("That took too long: add it again."))
                raise ImmediateHttpResponse(redirect("socialaccount_connections")) from error

    def authenticate_by_email(self, sociallogin: SocialLogin) -> tuple[AbstractBaseUser, str] | None:
        """Find the account of an address that the provider has confirmed, and that was confirmed here, too.

        Whoever has only typed the address here may be anybody; so may somebody else at a provider with which the
        account is signed in to already: the address may have changed hands.
        """
        emails = [address.email for address in sociallogin.email_addresses if address.verified]
        known = EmailAddress.objects.filter(email__in=emails, verified=True).select_related("user").first()
        if known is None:
            return None
        others = SocialAccount.objects.filter(user=known.user, provider=sociallogin.account.provider)
        return None if others.exists() else (known.user, known.email)

    def validate_disconnect(self, account: SocialAccount, accounts: QuerySet[SocialAccount]) -> None:
        """Refuse to remove the last way to sign in of an account without a password."""
        left = [each for each in accounts.exclude(pk=account.pk) if is_offered(each)]
        if not left and not account.user.has_usable_password():
            raise self.validation_error("no_password")

    @transaction.atomic
    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Save a new account with its address and its way to sign in."""
        user: User = super().save_user(request, sociallogin, form)
        return user

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: str = "", exception: Any = None, **_kwargs: Any
    ) -> None:
        if error != AuthError.CANCELLED:
            reason = type(exception).__name__ if exception else error
            log_refusal("sign-in-failed", request, provider=provider.sub_id, reason=reason)

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any], **_kwargs: Any
    ) -> None:
        """Tell the owner of an account of a new way to sign in, and of one that is gone."""
        address = EmailAddress.objects.get_primary_email(user)
        if address:
            is_new = template_prefix.endswith("account_connected")
            send(_notice(address, name_of(context["account"]), is_new=is_new))


def _notice(address: str, provider: str, *, is_new: bool) -> EmailMessage:
    words = {"provider": provider, "page": absolute("/accounts/elsewhere/")}
    if is_new:
        subject = _("You can sign in with %(provider)s now") % words
        text = _(
            "Your account can be signed in to with %(provider)s from now on. Was it not you? Then somebody has your "
            "account there, or reads your mail: mend that first, then remove it here: %(page)s"
        )
    else:
        subject = _("%(provider)s does not sign you in any more") % words
        text = _("%(provider)s was removed from your account. Was it not you? Look at it there: %(page)s")
    return EmailMessage(subject, f"{text % words}\n", settings.DEFAULT_FROM_EMAIL, [address])


def is_offered(account: SocialAccount) -> bool:
    """Tell whether the operator still has the keys of an account's provider."""
    return bool(get_adapter().list_apps(None, provider=account.provider))


def name_of(account: SocialAccount) -> str:
    """Name the provider of an account, also after the operator has taken it away."""
    try:
        return str(account.get_provider().app.name)
    except SocialApp.DoesNotExist:
        return str(account.provider.title())


def what_is_said(extra_data: dict[str, Any]) -> dict[str, Any]:
    """Read what a provider has said of a person, which a server of OpenID Connect may do twice."""
    person, token = (extra_data.get(part) or {} for part in ("userinfo", "id_token"))
    if person and token and person.get("sub") != token.get("sub"):
        raise ValueError("the provider speaks of two people")
    return person or token or extra_data


def shown_data(said: dict[str, Any]) -> dict[str, str]:
    """Choose what is kept of what a provider has said of a person: what tells two accounts there apart."""
    shown = {
        key: "".join(filter(str.isprintable, str(said[key])))[:MOST_SHOWN] for key in SHOWN if said.get(key)
    }
    return {key: text for key, text in shown.items() if text}
