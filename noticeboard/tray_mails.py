"""Mails to those who run a club about what waits: only when something is new, and at most once a day."""

import logging
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import timezone, translation

from league.models import Club, MailChoice, MailKind, Membership, Role
from league.vocabulary import gettext as _
from league.vocabulary import in_words_of, ngettext
from noticeboard.models import TrayMail
from noticeboard.tray import Item, items_of
from people.services.mails import Subscriber, Subscription, absolute, compose, subscribers

log = logging.getLogger(__name__)
ONCE = timedelta(hours=20)  # between two mails: a day, whatever the hour of the sweep


def send_tray_mails() -> None:
    """Send tray mails to all members who have subscribed to them."""
    wanted = MailChoice.objects.filter(kind=MailKind.TRAY, is_wanted=True)
    for club in Club.objects.filter(pk__in=wanted.values("club"), deleted_at=None, closed_at=None):
        for reader in subscribers(club, MailKind.TRAY):
            _tell(club, reader)


def _tell(club: Club, reader: Subscriber) -> None:
    member = Membership.objects.select_related("user").filter(club=club, user=reader.user_id).first()
    last = TrayMail.objects.filter(club=club, user=reader.user_id).first()
    if member is None or (last and last.sent_at > timezone.now() - ONCE):
        return
    language = reader.language or club.language or settings.LANGUAGE_CODE
    with translation.override(language), in_words_of(club), timezone.override(club.tz):
        items = items_of(club, member.user, Role(member.role))
        told = set(last.keys) if last else set()
        if all(item.key in told for item in items):
            return
        stored, _is_new = TrayMail.objects.update_or_create(
            club=club,
            user=member.user,
            defaults={"sent_at": timezone.now(), "keys": [item.key for item in items]},
        )
        try:
            _compose(club, reader, items).send()
        except OSError as error:  # also errors of SMTP; the next sweep tells it
            log.warning("a mail about what waits could not be sent: %s", error)
            TrayMail.objects.filter(pk=stored.pk).delete()


def _compose(club: Club, reader: Subscriber, items: list[Item]) -> EmailMessage:
    n = len(items)
    subject = ngettext("%(club)s: %(n)d thing waits", "%(club)s: %(n)d things wait", n) % {
        "club": club.name,
        "n": n,
    }
    lines = [f"{item.text} {item.reason}".strip() for item in items]
    address = absolute(reverse("noticeboard:run", args=[club.slug]))
    text = "\n".join([*lines, "", _("Answer here: %(address)s") % {"address": address}])
    return compose(
        club, reader.address, subject, text, stops=Subscription(reader.user_id, club.pk, MailKind.TRAY)
    )
