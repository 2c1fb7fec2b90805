"""Limit how much an account may do on the site, by the rules of its operator (league.models.SiteRules)."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext

from league.models import Club, Membership, Player, Role, SiteRules, Use, UseOfDay
from league.services.errors import Refused
from league.site.security_log import log_refusal

KEPT_FOR = timedelta(days=7)


class QuotaUsed(Refused):
    """The account has done as much as the operator allows, which the security log notes."""

    def __init__(self, what: Use | str, text: str) -> None:
        super().__init__(text)
        log_refusal("quota-used", what=str(what))


@transaction.atomic
def count_use(user: User, what: Use, n: int = 1) -> None:
    """Count something that an account does today. Raise QuotaUsed if it is more than the operator allows."""
    if user.is_superuser:
        return
    most: int = getattr(SiteRules.current(), what)
    day = timezone.now().date()
    UseOfDay.objects.get_or_create(user=user, what=what, day=day)
    row = UseOfDay.objects.select_for_update().get(user=user, what=what, day=day)
    if row.n + n > most:
        raise QuotaUsed(what, _sentence(what, most))
    row.n += n
    row.save(update_fields=["n"])


def _sentence(what: Use, most: int) -> str:
    if what == Use.UPLOADS:
        text = ngettext(
            "One account may send %(n)d file a day. Send more from midnight UTC on, or ask the operator.",
            "One account may send %(n)d files a day. Send more from midnight UTC on, or ask the operator.",
            most,
        )
    elif what == Use.MAILS:
        text = ngettext(
            "One account may mail %(n)d invitation a day. Make a link without an address, and pass it on yourself.",
            "One account may mail %(n)d invitations a day. Make a link without an address, and pass it on yourself.",
            most,
        )
    else:
        text = ngettext(
            "One account may start %(n)d run a day. Start more from midnight UTC on, or ask the operator.",
            "One account may start %(n)d runs a day. Start more from midnight UTC on, or ask the operator.",
            most,
        )
    return text % {"n": most}


def require_room_for_club(owner: User) -> None:
    """Raise QuotaUsed if an account owns as many clubs as it may; the caller has locked its row."""
    most = SiteRules.current().clubs
    if not owner.is_superuser and Membership.objects.filter(user=owner, role=Role.OWNER).count() >= most:
        text = ngettext(
            "One account may own %(n)d club. Deleted clubs count until they are erased.",
            "One account may own %(n)d clubs. Deleted clubs count until they are erased.",
            most,
        )
        raise QuotaUsed("clubs", text % {"n": most})


def require_room_for_players(club: Club, n_new: int = 0) -> None:
    """Raise QuotaUsed if a club would have more players than it may."""
    most = SiteRules.current().players
    if Player.objects.filter(club=club).count() + n_new > most:
        text = ngettext(
            "A club may have %(n)d player, and this would be more.",
            "A club may have %(n)d players, and this would be more.",
            most,
        )
        raise QuotaUsed("players", text % {"n": most})


def forget_old_uses() -> None:
    UseOfDay.objects.filter(day__lt=timezone.now().date() - KEPT_FOR).delete()
