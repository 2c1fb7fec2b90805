"""Reports of readers to the operator, who hides clubs and shows them again."""

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from directory.models import Reason, Report
from league.models import AccessChange, Club
from league.services.errors import Refused
from people.services.access_changes import record_access_change
from people.services.members import lock_club
from people.services.notices import notify_owners

MOST_OPEN = 50  # of one club

Kind = AccessChange.Kind


@transaction.atomic
def report_club(
    club: Club, *, reason: Reason, text: str = "", page: str = "", user: User | AnonymousUser
) -> Report:
    """Tell the operator what is wrong with a club. The same report of the same account is stored once."""
    lock_club(club)
    waiting = Report.objects.filter(club=club, settled_at=None)
    by = user if isinstance(user, User) else None
    told = waiting.filter(user=by, reason=reason, text=text, page=page).first()
    if told:
        return told
    if waiting.count() >= MOST_OPEN:
        raise Refused(_("The operator has many reports of this club already, and has not read them yet."))
    return Report.objects.create(club=club, reason=reason, text=text, page=page, user=by)


def settle_reports(club: Club) -> int:
    """Mark the reports of a club as read. Idempotent."""
    return Report.objects.filter(club=club, settled_at=None).update(settled_at=timezone.now())


def open_reports_again(club: Club) -> int:
    """Take back the last settling of a club's reports, unless some wait. Idempotent."""
    reports = Report.objects.filter(club=club)
    if reports.filter(settled_at=None).exists():
        return 0
    return reports.filter(settled_at=reports.aggregate(last=Max("settled_at"))["last"]).update(
        settled_at=None
    )


@transaction.atomic
def hide_club(club: Club, *, actor: User) -> None:
    """Let only members read a club, until the operator shows it again; tell its owners. Idempotent."""
    club = lock_club(club)
    if club.hidden_at:
        return
    before = {"is_public": club.is_public}
    Club.objects.filter(pk=club.pk).update(hidden_at=timezone.now(), is_public=False)
    change = record_access_change(
        club, kind=Kind.CLUB_HIDDEN, actor=actor, before=before, after={"is_public": False}
    )
    notify_owners(change)
    settle_reports(club)


@transaction.atomic
def show_club(club: Club, *, actor: User) -> None:
    """Show a hidden club again, as public as it was before. Idempotent."""
    club = lock_club(club)
    if not club.hidden_at:
        return
    hidden = AccessChange.objects.filter(club=club, kind=Kind.CLUB_HIDDEN).first()
    was_public = bool(hidden and hidden.before.get("is_public"))
    Club.objects.filter(pk=club.pk).update(hidden_at=None, is_public=was_public)
    change = record_access_change(
        club, kind=Kind.CLUB_SHOWN, actor=actor, before={"is_public": False}, after={"is_public": was_public}
    )
    notify_owners(change)
