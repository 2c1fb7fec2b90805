"""Mails about results to members who asked for them: decided once for each event, after a quiet time.

Whatever is interrupted goes on with the next sweep: what was decided is stored with its mails in one transaction, and
a mail is claimed before it is sent. If a worker is killed between the two, that mail is lost rather than sent twice.
"""

import logging
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone, translation

from league.models import Change, Club, Event, MailChoice, MailKind
from league.vocabulary import in_words_of
from noticeboard.models import Announcement, ResultMail
from noticeboard.result_sentences import result_subject, result_text
from people.services.mails import Subscriber, Subscription, compose, subscribers
from standings.queries import stale_pools

log = logging.getLogger(__name__)
QUIET = timedelta(
    hours=1
)  # after the last result or correction in a season, so that corrections are in the mail
NEW = timedelta(days=3)  # results that were entered longer ago are no news
RECENT = timedelta(days=14)  # nor are those of older events, such as an import of last year
KEPT = timedelta(days=30)  # what is stored of a mail
MOST_AT_ONCE = 30  # mails of one sweep: recomputations wait for the same worker
RESULT_KINDS = (
    Change.Kind.RESULT_ENTERED,
    Change.Kind.RESULT_CORRECTED,
    Change.Kind.RESULT_DELETED,
    Change.Kind.RESULT_RESTORED,
)


def make_due_mails() -> None:
    """Decide about events whose results are new, computed and quiet: one mail to each subscriber of their club."""
    wanted = MailChoice.objects.filter(kind=MailKind.RESULTS, is_wanted=True)
    for club in Club.objects.filter(pk__in=wanted.values("club"), deleted_at=None):
        if _due_events(club):
            _make_mails(club)


@transaction.atomic
def _make_mails(club: Club) -> None:
    Club.objects.select_for_update().get(pk=club.pk)  # two sweeps at one time decide one after the other
    events = _due_events(club)
    Announcement.objects.bulk_create(Announcement(event_id=pk) for pk in events)
    ResultMail.objects.bulk_create(
        ResultMail(club=club, user_id=reader.user_id, event_ids=events)
        for reader in subscribers(club, MailKind.RESULTS)
        if events
    )


def _due_events(club: Club) -> list[int]:
    """Find the events whose result mails are due, in rating order."""
    now = timezone.now()
    changes = Change.objects.filter(kind__in=RESULT_KINDS)
    busy = changes.filter(event__season=OuterRef("season"), at__gt=now - QUIET)
    entered = changes.filter(event=OuterRef("pk"), kind=Change.Kind.RESULT_ENTERED, at__gt=now - NEW)
    behind = Q(pool__in=stale_pools()) | Q(season__pool__in=stale_pools())
    due = Event.objects.filter(
        Exists(entered), ~Exists(busy), season__club=club, announcement=None, starts_at__gt=now - RECENT
    )
    return list(due.exclude(behind).in_rating_order().values_list("pk", flat=True))


def send_mails() -> None:
    """Send mails that were decided; what cannot be sent now is tried again while it is news."""
    unsent = ResultMail.objects.filter(sent_at=None, made_at__gt=timezone.now() - NEW).order_by("pk")
    readers: dict[int, dict[int, Subscriber]] = {}
    for mail in unsent.select_related("club", "user")[:MOST_AT_ONCE]:
        if mail.club_id not in readers:
            found = subscribers(mail.club, MailKind.RESULTS)
            readers[mail.club_id] = {reader.user_id: reader for reader in found}
        reader = readers[mail.club_id].get(mail.user_id)  # none if the member has ended them meanwhile
        is_claimed = ResultMail.objects.filter(pk=mail.pk, sent_at=None).update(sent_at=timezone.now())
        if is_claimed and reader and not _send(mail, reader):
            return


def _send(mail: ResultMail, reader: Subscriber) -> bool:
    """Send a mail; False if the mail server does not answer, and the mail is to be sent later."""
    events = _stored_events(mail)
    language = reader.language or mail.club.language or settings.LANGUAGE_CODE
    if not events or mail.club.deleted_at:
        return True
    with translation.override(language), in_words_of(mail.club), timezone.override(mail.club.tz):
        message = compose(
            mail.club,
            reader.address,
            result_subject(mail.club, events),
            result_text(events, mail.user),
            stops=Subscription(mail.user_id, mail.club_id, MailKind.RESULTS),
        )
        try:
            message.send()
        except OSError as error:  # also errors of SMTP
            log.warning("a mail of results could not be sent: %s", error)
            ResultMail.objects.filter(pk=mail.pk).update(sent_at=None)
            return False
    return True


def _stored_events(mail: ResultMail) -> list[Event]:
    """Read the events of a mail that are still there; of a meet the last one stands for all."""
    events = Event.objects.select_related("season__club", "season__pool", "pool__recomputation", "meet")
    by_meet = {
        event.meet_id or -event.pk: event for event in events.filter(pk__in=mail.event_ids).in_rating_order()
    }
    return list(by_meet.values())


def forget_old_mails() -> None:
    ResultMail.objects.filter(made_at__lt=timezone.now() - KEPT).delete()
