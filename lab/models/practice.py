"""What members decided at the practice table."""

from typing import ClassVar

from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models import Club


class PracticeDecision(models.Model):
    """One decision of a round; deleted with the account or the club, and after a year."""

    user = models.ForeignKey(User, models.CASCADE, related_name="practice_decisions", verbose_name=_("user"))
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("club")
    )
    round = models.CharField(_("round"), max_length=32)
    number = models.PositiveSmallIntegerField(_("hand"))
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    position = models.CharField(_("seat"), max_length=3)
    stack = models.FloatField(_("stack in big blinds"))
    hand = models.CharField(_("cards"), max_length=4)
    is_call = models.BooleanField(_("somebody had pushed"))
    is_played = models.BooleanField(_("pushed or called"))
    is_right = models.BooleanField(_("right"))
    lost_chips = models.FloatField(_("big blinds lost"))
    lost_points = models.FloatField(_("points lost"))

    class Meta:
        verbose_name = _("practice decision")
        verbose_name_plural = _("practice decisions")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "round", "number"], name="practice_decision_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["made_at"], name="practice_decision_made")]

    def __str__(self) -> str:
        return f"{self.hand} {self.position} {self.stack:g}"
