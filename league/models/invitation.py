"""Invitations to a club, claims of players, and what a person is to be told."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.access_change import AccessChange
from league.models.club import Club, Role
from league.models.player import Player

MOST_USES = 20
TOKEN_BYTES = 16


def new_token() -> str:
    """Make the secret of an invitation's link: whoever has the link can use it."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> "InvitationQuerySet":
        return self.filter(revoked_at=None, ends_at__gt=timezone.now(), n_uses__lt=F("most_uses"))


class Invitation(models.Model):
    """A link that gives a role in a club to whoever opens it; with a player, also the claim of that player."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations", verbose_name=_("club"))
    role = models.PositiveSmallIntegerField(
        _("role"),
        choices=[(role.value, role.label) for role in Role if role > Role.PUBLIC],
        default=Role.MEMBER,
    )
    player = models.ForeignKey(
        Player,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="invitations",
        verbose_name=_("player"),
    )
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    # From the form, so that sending it twice makes one invitation.
    form_token = models.UUIDField(null=True, blank=True, unique=True, editable=False)
    email = models.EmailField(_("email"), blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    ends_at = models.DateTimeField(_("ends"))
    most_uses = models.PositiveSmallIntegerField(_("uses"), default=1)
    n_uses = models.PositiveSmallIntegerField(_("used"), default=0)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = (
            models.CheckConstraint(
                condition=Q(most_uses__range=(1, MOST_USES), n_uses__lte=F("most_uses")),
                name="invitation_uses_within_bounds",
            ),
        )

    def __str__(self) -> str:
        return f"{self.club}: {self.get_role_display()}"

    def get_absolute_url(self) -> str:
        return reverse("people:join", args=[self.token])

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and self.ends_at > timezone.now() and self.n_uses < self.most_uses


class Acceptance(models.Model):
    """The use of an invitation by an account, which counts once."""

    invitation = models.ForeignKey(
        Invitation, models.CASCADE, related_name="acceptances", verbose_name=_("invitation")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("account")
    )
    accepted_at = models.DateTimeField(_("accepted"), auto_now_add=True)

    class Meta:
        verbose_name = _("acceptance")
        verbose_name_plural = _("acceptances")
        constraints = (
            models.UniqueConstraint(fields=("invitation", "user"), name="invitation_accepted_once"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.invitation}"


class Claim(models.Model):
    """A member says that a player is them; an organizer answers."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="claims", verbose_name=_("player"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="claims", verbose_name=_("account")
    )
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("claim")
        verbose_name_plural = _("claims")
        constraints = (models.UniqueConstraint(fields=("player", "user"), name="claim_once"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.player}"


class Notice(models.Model):
    """A change of rights that the person it is about has not been told yet on a page."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices", verbose_name=_("account")
    )
    change = models.ForeignKey(AccessChange, models.CASCADE, related_name="+", verbose_name=_("change"))

    class Meta:
        ordering = ("pk",)
        verbose_name = _("notice")
        verbose_name_plural = _("notices")

    def __str__(self) -> str:
        return f"{self.user}: {self.change}"
