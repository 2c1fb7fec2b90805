"""Events that a club plans, and who says to come. They have no results, and touch none."""

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.season import Season


class PlannedEvent(models.Model):
    season = models.ForeignKey(
        Season, models.CASCADE, related_name="planned_events", verbose_name=_("season")
    )
    starts_at = models.DateTimeField(_("start"))
    name = models.CharField(_("name"), max_length=80, blank=True)
    place = models.CharField(_("place"), max_length=120, blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)
    # Where one of a season is the last, the number of those that are left is known.
    is_last = models.BooleanField(_("last event of the season"), default=False)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        ordering = ("starts_at", "pk")
        verbose_name = _("planned event")
        verbose_name_plural = _("planned events")
        constraints = (
            models.UniqueConstraint(fields=("season", "starts_at"), name="planned_event_once_per_start"),
            models.UniqueConstraint(
                fields=("season",), condition=Q(is_last=True), name="planned_event_last_once_per_season"
            ),
        )

    def __str__(self) -> str:
        return self.name or f"{self.season} {self.day:%Y-%m-%d}"

    @property
    def day(self) -> date:
        """The day by the clock of the club."""
        return self.starts_at.astimezone(self.season.club.tz).date()


class Rsvp(models.Model):
    """Whether a member comes to a planned event."""

    class Answer(models.TextChoices):
        YES = "yes", pgettext_lazy("comes", "yes")
        MAYBE = "maybe", pgettext_lazy("comes", "maybe")
        NO = "no", pgettext_lazy("comes", "no")

    planned_event = models.ForeignKey(
        PlannedEvent, models.CASCADE, related_name="rsvps", verbose_name=_("planned event")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("account")
    )
    answer = models.CharField(_("answer"), max_length=5, choices=Answer.choices)
    said_at = models.DateTimeField(_("said"), auto_now=True)

    class Meta:
        ordering = ("said_at", "pk")
        verbose_name = _("answer to a planned event")
        verbose_name_plural = _("answers to planned events")
        constraints = (
            models.UniqueConstraint(fields=("planned_event", "user"), name="rsvp_once_per_account"),
            models.CheckConstraint(condition=Q(answer__in=["yes", "maybe", "no"]), name="rsvp_answer_known"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.get_answer_display()}, {self.planned_event}"
