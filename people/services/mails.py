"""Mails in the name of a club: who wants them, how they are signed, and the link in each that ends them."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from allauth.account.models import EmailAddress
from allauth.core import context
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.models import Club, MailChoice, MailKind, Membership, Role
from league.vocabulary import in_words_of

log = logging.getLogger(__name__)
SALT = "league.mails.stop"
Choices = Mapping[tuple[int, MailKind], bool]  # by club and kind


class Subscriber(NamedTuple):
    """An account that wants a kind of mail, where it gets it, and the language in which it asked for it."""

    user_id: int
    address: str
    language: str


class Subscription(NamedTuple):
    """A kind of mail of a club to an account; all by value, so that its link outlives what it names."""

    user_id: int
    club_id: int
    kind: MailKind


def absolute(path: str) -> str:
    """Build the absolute URL of a path for a mail; use the request's host if no site address is configured."""
    if settings.SITE_ADDRESS or not context.request:
        return f"{settings.SITE_ADDRESS}{path}"
    return str(context.request.build_absolute_uri(path))


def choices_of(user: User) -> dict[tuple[Club, MailKind], bool]:
    """Read what an account gets of each of its clubs."""
    said = {
        (choice.club_id, MailKind(choice.kind)): choice.is_wanted
        for choice in MailChoice.objects.filter(user=user)
    }
    clubs = [each.club for each in Membership.objects.filter(user=user).select_related("club")]
    return {
        (club, kind): said.get((club.pk, kind), kind.is_sent_unasked)
        for club in sorted(clubs, key=lambda club: club.name)
        for kind in MailKind
    }


def is_wanted(user: User, club: Club, kind: MailKind) -> bool:
    said = MailChoice.objects.filter(user=user, club=club, kind=kind).first()
    return said.is_wanted if said else kind.is_sent_unasked


def subscribers(club: Club, kind: MailKind) -> list[Subscriber]:
    """List the members who have asked for a kind of mail and have a confirmed address, in the order of their ids."""
    asked = MailChoice.objects.filter(club=club, kind=kind, is_wanted=True, user__is_active=True)
    languages = dict(
        asked.filter(user__memberships__club=club).order_by("user_id").values_list("user_id", "language")
    )
    confirmed = EmailAddress.objects.filter(user__in=languages, verified=True).order_by("primary", "-pk")
    addresses = dict(confirmed.values_list("user_id", "email"))
    return [Subscriber(pk, addresses[pk], language) for pk, language in languages.items() if pk in addresses]


@transaction.atomic
def choose_mails(user: User, choices: Choices) -> None:
    """Store the mail preferences of an account for the clubs that it is a member of."""
    own = set(Membership.objects.filter(user=user).values_list("club_id", flat=True))
    for (club_id, kind), wanted in choices.items():
        if club_id in own:
            _store(Subscription(user.pk, club_id, kind), is_wanted=wanted, language=get_language() or "")


@transaction.atomic
def stop_mails(subscription: Subscription) -> None:
    """Unsubscribe an account from a kind of mail of a club; do nothing if either is gone."""
    if (
        User.objects.select_for_update().filter(pk=subscription.user_id).exists()
        and Club.objects.filter(pk=subscription.club_id).exists()
    ):
        _store(subscription, is_wanted=False)


def _store(subscription: Subscription, **said: object) -> None:
    MailChoice.objects.update_or_create(**subscription._asdict(), defaults=said)


def stop_token(subscription: Subscription) -> str:
    return signing.dumps(subscription, salt=SALT)


def read_stop_token(token: str) -> Subscription | None:
    """Parse the signed token of an unsubscribe link; None if it is invalid."""
    try:
        user_id, club_id, kind = signing.loads(token, salt=SALT)
        return Subscription(user_id, club_id, MailKind(kind))
    except (signing.BadSignature, ValueError):  # or of a kind that is not sent any more
        return None


@contextmanager
def in_language_of(club: Club) -> Iterator[None]:
    """Activate the club's language, if it has one, and its vocabulary, to write a mail."""
    with translation.override(club.language or get_language()), in_words_of(club):
        yield


def mail(club: Club, to: str, subject: str, text: str, *, stops: Subscription | None = None) -> None:
    """Send a mail in the name of a club, after the transaction."""
    transaction.on_commit(partial(send, compose(club, to, subject, text, stops=stops)))


def compose(
    club: Club, to: str, subject: str, text: str, *, stops: Subscription | None = None
) -> EmailMessage:
    """Write a mail in the name of a club, with the link that ends such mails. Answers go to the club's contact."""
    signature = ["-- ", club.name, club.contact or _way_to_owners(club)]
    headers = {}
    if stops:
        link = absolute(reverse("people:mail-stop", args=[stop_token(stops)]))
        signature.append(_("No more of these mails: %(link)s") % {"link": link})
        headers = {"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return EmailMessage(
        subject,
        "\n".join([text, "", *signature, ""]),
        from_email=f"{_header_text(club.name)} <{_bare(settings.DEFAULT_FROM_EMAIL)}>",
        to=[to],
        reply_to=[club.contact] if club.contact else None,
        headers=headers,
    )


def _way_to_owners(club: Club) -> str:
    """Name the owners and the page on which members see them, for a club that has given no contact."""
    owners = Membership.objects.filter(club=club, role=Role.OWNER).values_list("user__username", flat=True)
    where = absolute(reverse("people:people", args=[club.slug]))
    return _("Owners: %(names)s, %(where)s") % {"names": ", ".join(owners), "where": where}


def send(message: EmailMessage) -> None:
    """Send a mail. What was saved stays saved if the mail server does not answer: the page says the same."""
    try:
        message.send()
    except OSError as error:  # also errors of SMTP
        log.warning("a mail could not be sent: %s", error)


def _header_text(name: str) -> str:
    """Quote a name for the From line of a mail."""
    escaped = name.replace("\\", "").replace('"', "")
    return f'"{escaped}"'


def _bare(configured: str) -> str:
    """Take the bare address of a setting such as `Tierboard <site@example.org>`."""
    return configured.rpartition("<")[2].rstrip("> ")
