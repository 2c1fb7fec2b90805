from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.club import Club

KEPT_FOR = timedelta(days=30)


class BinItemQuerySet(models.QuerySet["BinItem"]):
    def expired(self) -> "BinItemQuerySet":
        return self.filter(deleted_at__lte=timezone.now() - KEPT_FOR)


class BinItem(models.Model):
    """Rows that were deleted together, from which they can be restored (league.services.bin).

    The rows themselves are gone from their tables, so that no query has to leave them out.
    """

    class Kind(models.TextChoices):
        EVENT = "event", _("event")
        NIGHT = "night", _("night")
        SEASON = "season", _("season")
        PLAYER = "player", _("player")
        AWARD = "award", _("award")

    club = models.ForeignKey(Club, models.CASCADE, related_name="bin_items", verbose_name=_("club"))
    kind = models.CharField(_("what"), max_length=10, choices=Kind.choices)
    label = models.CharField(_("name"), max_length=200)
    # What the page of the bin says about it; players by id, so that a withdrawn name never shows.
    facts = models.JSONField(default=dict, editable=False)
    # league.services.kept_rows.KeptRows
    data = models.JSONField(editable=False)
    deleted_at = models.DateTimeField(_("deleted"), default=timezone.now)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )

    objects = BinItemQuerySet.as_manager()

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("deleted item")
        verbose_name_plural = _("deleted items")

    def __str__(self) -> str:
        return self.label

    @property
    def days_left(self) -> int:
        """Whole days until it is gone for good; 0 on its last day."""
        return max(0, (self.deleted_at + KEPT_FOR - timezone.now()).days)
