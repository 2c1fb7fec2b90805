"""Sign-in with another site (Google, Discord, LINE, a server of OpenID Connect), where it differs from allauth."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.site.security_log import log_refusal
from people.services.mails import absolute, send

MOST_SHOWN = 200  # letters
SHOWN = ("email", "username", "preferred_username", "displayName")


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    def list_apps(
        self, request: HttpRequest | None, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """List the providers that the operator has set, without a look into allauth's own table, which is empty."""
        if not settings.SOCIALACCOUNT_PROVIDERS:
            return []
        apps: list[SocialApp] = super().list_apps(request, provider=provider, client_id=client_id)
        return apps

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Take the address and a proposal for the user name, but no real name.

        An address counts as confirmed where the provider says so plainly; some send the word "false". Who has no
        identifier is nobody: allauth would write "None", and all such people would be one.
        """
        uid = sociallogin.account.uid
        if uid in ("", "None") or not uid.isprintable():
            raise ValueError("the provider has sent no identifier")
        for address in sociallogin.email_addresses:
            address.verified = address.verified in (True, "true")
        user: User = super().populate_user(request, sociallogin, data)
        user.first_name = user.last_name = ""
        if user.username in (sociallogin.account.uid, user.email):
            user.username = ""
        return user

    def authenticate_by_email(self, sociallogin: SocialLogin) -> tuple[AbstractBaseUser, str] | None:
        """Find the account of an address that the provider has confirmed, and that was confirmed here, too.

        Whoever has only typed the address here may be anybody.
        """
        emails = [address.email.lower() for address in sociallogin.email_addresses if address.verified]
        known = EmailAddress.objects.filter(email__in=emails, verified=True).select_related("user").first()
        return (known.user, known.email) if known else None

    @transaction.atomic
    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Save a new account with its address and its way to sign in."""
        user: User = super().save_user(request, sociallogin, form)
        return user

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, exception: Exception | None = None, **_kwargs: Any
    ) -> None:
        log_refusal("sign-in-failed", request, provider=provider.sub_id, reason=type(exception).__name__)

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
            "Your account can be signed in to with %(provider)s from now on. Was it not you? Remove it there, and "
            "choose a new password: %(page)s"
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


def shown_data(extra_data: dict[str, Any]) -> dict[str, str]:
    """Choose what is kept of what a provider has said of a person: what tells two accounts there apart."""
    data = extra_data.get("userinfo") or extra_data.get("id_token") or extra_data
    shown = {
        key: "".join(filter(str.isprintable, str(data[key])))[:MOST_SHOWN] for key in SHOWN if data.get(key)
    }
    return {key: text for key, text in shown.items() if text}
