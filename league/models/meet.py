from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.season import Season


class Meet(models.Model):
    """Several events of one day with overall standings (standings.points.meets)."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="meets", verbose_name=_("season"))
    day = models.DateField(_("day"))
    name = models.CharField(_("name"), max_length=80)

    class Meta:
        ordering = ("day", "pk")
        verbose_name = _("meet")
        verbose_name_plural = _("meets")
        constraints = (
            models.UniqueConstraint(fields=("season", "day", "name"), name="meet_name_once_per_day"),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("standings:meet", args=[self.season.club.slug, self.season.slug, self.pk])
