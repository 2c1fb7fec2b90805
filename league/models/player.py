"""Players of a club. A guest is marked as not belonging to the club; his results count like any other."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from reading.names.keys import MAX_NAME_LENGTH

MAX_KEY_LENGTH = 3 * MAX_NAME_LENGTH  # casefolding can lengthen a name (one letter to three)


class Player(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="players", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    key = models.CharField(max_length=MAX_KEY_LENGTH, editable=False)
    is_guest = models.BooleanField(_("guest"), default=False)
    # The name of a player who is shown under a pseudonym, which is in `name`; only organizers see it, in forms.
    real_name = models.CharField(
        _("hidden name"), max_length=MAX_NAME_LENGTH, blank=True, default="", editable=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
        verbose_name=_("account"),
    )
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)

    class Meta:
        ordering = ("key", "pk")
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = (
            models.UniqueConstraint(fields=("club", "key"), name="player_name_once_per_club"),
            models.UniqueConstraint(fields=("club", "user"), name="player_account_once_per_club"),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("standings:player", args=[self.club.slug, self.pk])


class PlayerAlias(models.Model):
    """Another name of a player, as it was typed once and answered."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="aliases", verbose_name=_("club"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="aliases", verbose_name=_("player"))
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    key = models.CharField(max_length=MAX_KEY_LENGTH, editable=False)
    created_at = models.DateTimeField(_("remembered"), auto_now_add=True)

    class Meta:
        ordering = ("key", "pk")
        verbose_name = _("other name")
        verbose_name_plural = _("other names")
        constraints = (models.UniqueConstraint(fields=("club", "key"), name="alias_once_per_club"),)

    def __str__(self) -> str:
        return self.name
