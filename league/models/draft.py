from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.season import Season


class ImportDraft(models.Model):
    """An uploaded file that has not been saved as results yet."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="import_drafts", verbose_name=_("season"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("by"))
    file_name = models.CharField(_("file"), max_length=200)
    text = models.TextField(_("text"))
    created_at = models.DateTimeField(_("uploaded"), auto_now_add=True)
    # The reasons saving would be refused, and the state they were found in (league.services.imports).
    verdict = models.JSONField(null=True, editable=False)
    applied_at = models.DateTimeField(_("saved"), null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("uploaded file")
        verbose_name_plural = _("uploaded files")

    def __str__(self) -> str:
        return self.file_name
