from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.season import Season


class MeetOrder(models.TextChoices):
    TOTAL = "total", _("total")
    PROFIT = "profit", _("profit per tourney")


class Meet(models.Model):
    """Several events of one day with overall standings (standings.points.meets)."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="meets", verbose_name=_("season"))
    day = models.DateField(_("day"))
    name = models.CharField(_("name"), max_length=80)
    ordered_by = models.CharField(
        _("ordered by"), max_length=8, choices=MeetOrder.choices, default=MeetOrder.TOTAL
    )

    class Meta:
        ordering = ("day", "pk")
        verbose_name = _("meet")
        verbose_name_plural = _("meets")
        constraints = (
            models.UniqueConstraint(fields=("season", "day", "name"), name="meet_name_once_per_day"),
            models.CheckConstraint(condition=Q(ordered_by__in=MeetOrder.values), name="meet_order_known"),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("standings:meet", args=[self.season.club.slug, self.season.slug, self.pk])
