from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from league.models.event import Event
from league.models.season import Season


class Import(models.Model):
    """Files that were saved as results, and what it takes to undo that (entry.services.undo_imports)."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="imports", verbose_name=_("club"))
    files = models.CharField(_("files"), max_length=500)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("by"),
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)
    n_entries = models.PositiveIntegerField(_("entries"), default=0)
    # Ids of the players and of the other names that it created.
    players = models.JSONField(default=list, editable=False)
    aliases = models.JSONField(default=list, editable=False)
    # The data version of each pool after it, by id of the pool: a later result makes undoing it a correction.
    versions = models.JSONField(default=dict, editable=False)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("undone by"),
    )

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("import")
        verbose_name_plural = _("imports")

    def __str__(self) -> str:
        return self.files


class ImportedEvent(models.Model):
    """An event that an import entered, or corrected from what `before` holds."""

    record = models.ForeignKey(Import, models.CASCADE, related_name="events", verbose_name=_("import"))
    event = models.ForeignKey(Event, models.SET_NULL, null=True, related_name="+", verbose_name=_("event"))
    season = models.ForeignKey(Season, models.CASCADE, related_name="+", verbose_name=_("season"))
    label = models.CharField(_("name"), max_length=200)
    # After the import; a later version is a change since.
    version = models.PositiveIntegerField(_("version"))
    # The rows of the event before the import (league.services.kept_results); empty for a new one.
    before = models.JSONField(null=True, editable=False)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("imported event")
        verbose_name_plural = _("imported events")

    def __str__(self) -> str:
        return self.label
