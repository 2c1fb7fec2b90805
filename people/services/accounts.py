"""Delete an account. Personal data is erased; its work for clubs stays, credited to "a former account"."""

from datetime import timedelta
from functools import partial
from typing import NamedTuple

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import SET_NULL, Count, ForeignObjectRel, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import FORMER, AccessChange, Club, Invitation, Player, Role
from league.services.errors import Refused
from people.services.access_changes import record_access_change
from people.services.clubs import soft_delete_club
from people.services.mails import send


class OwnedClub(NamedTuple):
    """A club that would be without an owner, and how many other members it has."""

    club: Club
    n_others: int


def clubs_of_one_owner(user: User) -> list[OwnedClub]:
    own = Club.objects.filter(memberships__user=user, memberships__role=Role.OWNER, deleted_at=None)
    is_owner = Q(memberships__role=Role.OWNER)
    counted = Club.objects.filter(pk__in=own.values("pk")).annotate(
        n_owners=Count("memberships", filter=is_owner)
    )
    alone = counted.filter(n_owners=1).order_by("name", "pk")
    return [OwnedClub(club, club.memberships.count() - 1) for club in alone]


@transaction.atomic
def delete_account(user: User, *, with_clubs: bool = False) -> None:
    """Delete an account and notify its e-mail address. Idempotent.

    Results stay under the names of its players, who belong to no account any more. `with_clubs` agrees to delete the
    clubs that have no other member.
    """
    # Every other write locks a club before it refers to an account: the same order here, so that none waits for us.
    own = Club.objects.filter(memberships__user=user)
    list(Club.objects.select_for_update().filter(pk__in=own.values("pk")).order_by("pk"))
    if not User.objects.select_for_update().filter(pk=user.pk).exists():
        return
    clubs = clubs_of_one_owner(user)
    if kept := [club.name for club, n_others in clubs if n_others or not with_clubs]:
        raise Refused(_("Hand over or delete your clubs first: %(clubs)s.") % {"clubs": ", ".join(kept)})
    for club, _n_others in clubs:
        soft_delete_club(club, actor=user)
    address = _address(user)
    _forget_name(user)
    _end_sessions(user)
    User.objects.get(pk=user.pk).delete()
    if address:
        transaction.on_commit(partial(send, _goodbye(address)))


def _forget_name(user: User) -> None:
    """Replace the account by "a former account" in the histories of its clubs."""
    former, _is_new = User.objects.get_or_create(
        username=FORMER, defaults={"is_active": False, "password": "!"}
    )
    for membership in user.memberships.select_related("club"):
        role = {"role": membership.role}
        kind = AccessChange.Kind.MEMBER_LEFT
        record_access_change(membership.club, kind=kind, actor=former, person=former, before=role)
    user.memberships.all().delete()
    for relation in User._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or getattr(relation, "on_delete", None) is not SET_NULL:
            continue
        if relation.related_model is not Player:
            name, rows = relation.remote_field.name, relation.related_model._base_manager
            rows.filter(**{name: user}).update(**{name: former})
    AccessChange.objects.filter(person=user.username).update(person=FORMER)
    for email in _addresses(user):
        Invitation.objects.filter(email__iexact=email).update(email="")


def _end_sessions(user: User) -> None:
    keys = UserSession.objects.filter(user=user).values_list("session_key", flat=True)
    Session.objects.filter(session_key__in=list(keys)).delete()


def forget_ended_sessions() -> None:
    """Delete the IP addresses and user agents stored for sessions that have ended."""
    lately = timezone.now() - timedelta(
        hours=1
    )  # The session of a sign-in is stored at the end of its request.
    stored = Session.objects.values("session_key")
    UserSession.objects.filter(last_seen_at__lt=lately).exclude(session_key__in=stored).delete()


def _addresses(user: User) -> set[str]:
    stored = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return {*stored, user.email} - {""}


def _address(user: User) -> str:
    """Find the e-mail address of an account: the confirmed one, or else the one given at sign-up."""
    confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary").first()
    return confirmed.email if confirmed else user.email


def _goodbye(address: str) -> EmailMessage:
    text = _(
        "Your account was deleted. Its sessions and API keys have ended. "
        "Results of your evenings stay in your clubs under the player's name."
    )
    return EmailMessage(_("Your account was deleted"), f"{text}\n", settings.DEFAULT_FROM_EMAIL, [address])
