from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from league.models.season import Season


class FormerAddress(models.Model):
    """An address that a club, or a season of it, had before: links to it lead to the present one."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="former_addresses", verbose_name=_("club"))
    # Empty if it was the address of the club itself.
    season = models.ForeignKey(
        Season,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="former_addresses",
        verbose_name=_("season"),
    )
    slug = models.SlugField(_("address"), max_length=50)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("former address")
        verbose_name_plural = _("former addresses")
        constraints = (
            models.UniqueConstraint(
                fields=("slug",), condition=Q(season=None), name="former_address_of_one_club"
            ),
        )

    def __str__(self) -> str:
        return self.slug
