from datetime import date, datetime, time

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, Pool


class Season(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons", verbose_name=_("club"))
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="seasons", verbose_name=_("rating pool"))
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=50)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    is_closed = models.BooleanField(
        _("closed"), default=False, help_text=_("A closed season takes no new results and no corrections.")
    )
    # A sealed season takes no changes; standings.models.SeasonSeal stores what it was.
    is_sealed = models.BooleanField(_("sealed"), default=False, editable=False)

    class Meta:
        ordering = ("-starts_on", "-pk")
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        constraints = (
            models.UniqueConstraint(fields=("club", "slug"), name="season_address_once_per_club"),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")),
                name="season_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=Q(is_sealed=False) | Q(is_closed=True), name="season_sealed_is_closed"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def starts_at(self) -> datetime:
        """The first moment of the first day, by the clock of the club."""
        return datetime.combine(self.starts_on, time(), tzinfo=self.club.tz)

    def holds(self, day: date) -> bool:
        return self.starts_on <= day and (self.ends_on is None or day <= self.ends_on)

    def get_absolute_url(self) -> str:
        return reverse("standings:leaderboard", args=[self.club.slug, self.slug])
