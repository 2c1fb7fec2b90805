from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.change import Recorded
from league.models.club import Club


class AccessChange(Recorded):
    """One line of a club's history of rights, which only its owners see.

    It touches no results: no version rises and nothing is computed again. `person` is the user name at the time, so
    that the line still says whom it was about after the account is deleted.
    """

    class Kind(models.TextChoices):
        MEMBER_ADDED = "member-added", _("member added")
        ROLE_CHANGED = "role-changed", _("role changed")
        MEMBER_REMOVED = "member-removed", _("member removed")
        MEMBER_LEFT = "member-left", _("member left")
        HANDED_OVER = "handed-over", _("club handed over")
        INVITATION_MADE = "invitation-made", _("invitation made")
        INVITATION_REVOKED = "invitation-revoked", _("invitation revoked")
        PLAYER_CLAIMED = "player-claimed", _("player claimed")
        CLAIM_TAKEN_BACK = "claim-taken-back", _("claim taken back")
        KEY_MADE = "key-made", _("API key made")
        KEY_REVOKED = "key-revoked", _("API key revoked")
        PASSWORD_CHANGED = "password-changed", _("password changed")
        TWO_FACTOR_ADDED = "two-factor-added", _("second factor set up")
        TWO_FACTOR_REMOVED = "two-factor-removed", _("second factor removed")
        SIGN_IN_ADDED = "sign-in-added", _("sign-in with another site added")
        SIGN_IN_REMOVED = "sign-in-removed", _("sign-in with another site removed")
        CLUB_CLOSED = "club-closed", _("club closed")
        CLUB_REOPENED = "club-reopened", _("club opened again")
        CLUB_DELETED = "club-deleted", _("club deleted")
        CLUB_RESTORED = "club-restored", _("club brought back")
        CLUB_IMPORTED = "club-imported", _("club made from an archive")
        LISTING_ASKED = "listing-asked", _("place in the directory asked for")
        CLUB_LISTED = "club-listed", _("club put into the directory")
        CLUB_UNLISTED = "club-unlisted", _("club taken out of the directory")
        CLUB_HIDDEN = "club-hidden", _("club hidden by the operator of the site")
        CLUB_SHOWN = "club-shown", _("club shown again by the operator of the site")
        HOOK_MADE = "hook-made", _("webhook made")
        HOOK_CHANGED = "hook-changed", _("webhook changed")
        HOOK_REMOVED = "hook-removed", _("webhook removed")
        RULES_OF_ACCESS = "rules-of-access", _("rules of access changed")

    club = models.ForeignKey(Club, models.CASCADE, related_name="access_changes", verbose_name=_("club"))
    kind = models.CharField(_("what"), max_length=20, choices=Kind.choices)
    person = models.CharField(_("person"), max_length=150, blank=True)

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("change of access")
        verbose_name_plural = _("changes of access")

    def __str__(self) -> str:
        return f"{self.club}: {self.get_kind_display()} {self.person}"
