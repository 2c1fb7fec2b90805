"""Changes of accounts into the histories of their clubs, and wrong codes into the security log."""

import time
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from allauth.account.signals import authentication_step_completed, user_logged_in
from allauth.core import context
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models.signals import post_delete, post_save, pre_delete, pre_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.hooks.signals import purging
from league.models import AccessChange, Invitation
from league.services.errors import Refused
from league.site.middleware import SIGNED_IN_AT
from league.site.security_log import log_refusal, log_security
from people.accounts.passwords import is_hashed_anew, is_saved, stored_password
from people.accounts.providers import name_of
from people.services.access_changes import record_access_change, record_in_clubs_of
from people.services.accounts import forget_ended_sessions
from people.services.invitations import JOINING, accept


@receiver(pre_save, sender=User)
def record_password(instance: User, update_fields: Collection[str] | None, **_kwargs: Any) -> None:
    """Record a password changed or disabled, by whatever page or command."""
    if is_saved(update_fields) and not is_hashed_anew(instance, update_fields):
        old = stored_password(instance)
        if old is not None and old != instance.password:
            record_in_clubs_of(instance, kind=AccessChange.Kind.PASSWORD_CHANGED, actor=_actor())


@receiver(pre_delete, sender=User)
def record_end_of_account(instance: User, **_kwargs: Any) -> None:
    for membership in instance.memberships.select_related("club"):
        record_access_change(
            membership.club,
            kind=AccessChange.Kind.MEMBER_REMOVED,
            actor=_actor(besides=instance),
            person=instance,
            before={"role": membership.role},
        )


@receiver(post_save, sender=Authenticator)
def record_second_factor(instance: Authenticator, *, created: bool, **_kwargs: Any) -> None:
    if created:
        _record_factor(instance, AccessChange.Kind.TWO_FACTOR_ADDED, "after")


@receiver(post_delete, sender=Authenticator)
def record_end_of_second_factor(instance: Authenticator, **_kwargs: Any) -> None:
    """Record a removed factor, whoever removed it."""
    _record_factor(instance, AccessChange.Kind.TWO_FACTOR_REMOVED, "before")


@receiver(user_logged_in)
def add_sign_in_elsewhere(
    request: HttpRequest, user: User, sociallogin: SocialLogin | None = None, **_kwargs: Any
) -> None:
    """Keep the way in of an account that was found by its address, once its owner is in, a second factor included."""
    if sociallogin and sociallogin.account.pk is None:
        # Somebody who signs in with two tabs has it already.
        with suppress(IntegrityError), transaction.atomic():
            sociallogin.connect(request, user)


@receiver(post_save, sender=SocialAccount)
def record_sign_in_elsewhere(instance: SocialAccount, *, created: bool, **_kwargs: Any) -> None:
    if created:
        record_in_clubs_of(
            instance.user,
            kind=AccessChange.Kind.SIGN_IN_ADDED,
            actor=_actor(),
            after={"with": name_of(instance)},
        )


@receiver(pre_delete, sender=SocialAccount)
def record_end_of_sign_in_elsewhere(instance: SocialAccount, **_kwargs: Any) -> None:
    record_in_clubs_of(
        instance.user,
        kind=AccessChange.Kind.SIGN_IN_REMOVED,
        actor=_actor(),
        before={"with": name_of(instance)},
    )


@receiver(user_logged_in)
def note_sign_in(request: HttpRequest, user: User, **_kwargs: Any) -> None:
    """Note when the session began, and write a line into the security log."""
    request.session[SIGNED_IN_AT] = time.time()
    log_security("sign-in", request, account=user.pk)


@receiver(authentication_step_completed)
def change_session_key(request: HttpRequest, *, reauthenticated: bool = False, **_kwargs: Any) -> None:
    """Give the session another key when its owner has confirmed who they are, as at a sign-in."""
    if reauthenticated:
        before = request.session.session_key
        request.session.cycle_key()
        UserSession.objects.filter(session_key=before).update(session_key=request.session.session_key)


@receiver(user_logged_in)
def accept_invitation(request: HttpRequest, user: User, **_kwargs: Any) -> None:
    """Accept the invitation that the session has kept since before the sign-up or sign-in."""
    token = request.session.pop(JOINING, None)
    found = Invitation.objects.select_related("club", "player").filter(token=token).first() if token else None
    if found is None:
        return
    try:
        accept(found, user=user)
        messages.success(request, _("Welcome to %(club)s.") % {"club": found.club})
    except Refused as error:
        messages.error(request, str(error))


@receiver(authentication_failed)
def log_wrong_code(request: HttpRequest, user: User, **_kwargs: Any) -> None:
    log_refusal("code-failed", request, account=user.pk)


@receiver(purging)
def purge_sessions(**_kwargs: Any) -> None:
    forget_ended_sessions()


def _record_factor(factor: Authenticator, kind: AccessChange.Kind, side: str) -> None:
    if factor.type != Authenticator.Type.RECOVERY_CODES:  # they come and go with the others
        details = {side: {"type": str(factor.type)}}
        record_in_clubs_of(factor.user, kind=kind, actor=_actor(), **details)


def _actor(besides: User | None = None) -> User | None:
    """Return the signed-in user of the current request unless it is `besides`, else None."""
    user = getattr(context.request, "user", None)
    return user if user and user.is_authenticated and user != besides else None
