"""Players of a club. A guest is marked as not belonging to the club; his results count like any other."""

import unicodedata

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club

MAX_NAME_LENGTH = 60


def name_key(name: str) -> str:
    """Make the key that equal names share: width, case and extra spaces make no difference."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


class Player(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="players", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    # Casefolding can lengthen a name (one letter to three).
    key = models.CharField(max_length=3 * MAX_NAME_LENGTH, editable=False)
    is_guest = models.BooleanField(_("guest"), default=False)
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
