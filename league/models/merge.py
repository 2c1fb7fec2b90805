from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from league.models.player import Player
from reading.names.keys import MAX_NAME_LENGTH


class PlayerMerge(models.Model):
    """A player who turned out to be another one, and what was the player's own (people.services.merges).

    The row of the player is gone from its table, so that no query has to leave it out; it comes back with its id.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="merges", verbose_name=_("club"))
    kept = models.ForeignKey(
        Player, models.CASCADE, related_name="merges", verbose_name=_("player who stays")
    )
    merged_id = models.PositiveBigIntegerField(_("id of the merged player"))
    name = models.CharField(_("merged name"), max_length=MAX_NAME_LENGTH)
    # people.services.merges.Belongings
    data = models.JSONField(editable=False)
    merged_at = models.DateTimeField(_("merged"), auto_now_add=True)
    merged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("merge of players")
        verbose_name_plural = _("merges of players")
        constraints = (models.UniqueConstraint(fields=("club", "merged_id"), name="merged_once"),)

    def __str__(self) -> str:
        return f"{self.name}: {self.kept}"
