"""Tell people of changes of their rights: by mail, and on the next page they open."""

from collections.abc import Callable

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.models import AccessChange, MailKind, Notice, Role, Use, shown_account
from league.services.quotas import QuotaUsed, count_use
from people.services.mails import Subscription, in_language_of, is_wanted, mail

Kind = AccessChange.Kind


def notify(user: User, change: AccessChange) -> None:
    """Leave a notice, and send it to the confirmed address of the account once the transaction has ended."""
    Notice.objects.create(user=user, change=change)
    address = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary").first()
    if address and is_wanted(user, change.club, MailKind.RIGHTS) and _may_mail(change.actor):
        stops = Subscription(user.pk, change.club_id, MailKind.RIGHTS)
        with in_language_of(change.club):
            mail(change.club, address.email, str(change.club), words_of(change), stops=stops)


def words_of(change: AccessChange) -> str:
    """Write a change as a sentence to the person it is about."""
    values = {
        "club": change.club.name,
        "by": shown_account(change.actor.username) if change.actor else _("The site"),
        "role": _role(change.after),
        "before": _role(change.before),
        "player": change.after.get("name", "") or change.before.get("name", ""),
    }
    return WORDS[Kind(change.kind)]() % values


def _may_mail(actor: User | None) -> bool:
    """Count a mail that somebody causes; False if it is more than the operator allows, and the notice has to do."""
    try:
        if actor:
            count_use(actor, Use.MAILS)
    except QuotaUsed:
        return False
    return True


def notify_owners(change: AccessChange, *, but: User | None = None) -> None:
    """Tell the owners of the club of a change, except for who made it."""
    owners = User.objects.filter(memberships__club=change.club, memberships__role=Role.OWNER)
    for owner in owners.exclude(pk=but.pk) if but else owners:
        notify(owner, change)


def _role(side: dict[str, int]) -> str:
    return str(Role(side["role"]).label) if "role" in side else ""


WORDS: dict[AccessChange.Kind, Callable[[], str]] = {
    Kind.MEMBER_ADDED: lambda: _("%(by)s has added you to %(club)s. Your role: %(role)s."),
    Kind.ROLE_CHANGED: lambda: _(
        "%(by)s has changed your role in %(club)s. It is %(role)s now, it was %(before)s."
    ),
    Kind.MEMBER_REMOVED: lambda: _("%(by)s has removed you from %(club)s."),
    Kind.HANDED_OVER: lambda: _("%(by)s has handed %(club)s over to you: you are its owner now."),
    Kind.PLAYER_CLAIMED: lambda: _("In %(club)s you are %(player)s now."),
    Kind.CLAIM_TAKEN_BACK: lambda: _("In %(club)s you are no longer %(player)s."),
    Kind.CLUB_CLOSED: lambda: _(
        "%(by)s has closed %(club)s: it is read as before, and nothing in it is changed."
    ),
    Kind.CLUB_REOPENED: lambda: _("%(by)s has opened %(club)s again."),
    Kind.CLUB_DELETED: lambda: _("%(by)s has deleted %(club)s. Its owners can bring it back for 30 days."),
    Kind.CLUB_RESTORED: lambda: _("%(by)s has brought %(club)s back."),
    Kind.CLUB_LISTED: lambda: _("%(club)s is in the directory of the site now."),
    Kind.CLUB_UNLISTED: lambda: _("The operator of the site has not taken %(club)s into the directory."),
    Kind.CLUB_HIDDEN: lambda: _(
        "The operator of the site has hidden %(club)s: only its members can read it. Ask there what is wrong."
    ),
    Kind.CLUB_SHOWN: lambda: _(
        "The operator of the site has shown %(club)s again: it is as public as before."
    ),
}
