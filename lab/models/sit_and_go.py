import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class SitAndGo(models.Model):
    """A sit-and-go that somebody plays against simulated players; whoever knows its address may play it."""

    token = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Grows with each post, so that a form sent twice is taken once.
    version = models.PositiveIntegerField(default=0)
    # lab.engine.holdem.sit_and_go.Game
    state = models.JSONField()
    played_at = models.DateTimeField(_("last played"), db_index=True)

    class Meta:
        verbose_name = _("sit-and-go")
        verbose_name_plural = _("sit-and-gos")

    def __str__(self) -> str:
        return str(self.token)
