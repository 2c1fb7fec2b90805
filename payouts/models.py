"""Points: the rules of a season, the rules an event was settled by, and the points of each entry."""

from fractions import Fraction

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models import Entry, Event, Season


class Structure(models.TextChoices):
    VP_KID = "vp_kid", "VP_KID: 100, 60, 40, 25, 100/n"
    INVERSE = "inverse", _("Inverse: 100/n")


class Ties(models.TextChoices):
    BETTER = "better", _("the better place")
    WORSE = "worse", _("the worse place")


class PointsRules(models.Model):
    """How an event's points are found."""

    structure = models.CharField(
        _("points structure"), max_length=20, choices=Structure, default=Structure.VP_KID
    )
    ties = models.CharField(
        _("equal quotients go to"),
        max_length=6,
        choices=Ties,
        default=Ties.BETTER,
        help_text=_("Who gets a seat when two places have the same claim to it."),
    )

    class Meta:
        abstract = True


class SeasonRules(PointsRules):
    season = models.OneToOneField(Season, models.CASCADE, related_name="rules", verbose_name=_("season"))
    attendance_points = models.PositiveSmallIntegerField(
        _("points for attendance"),
        default=1,
        validators=[MaxValueValidator(100)],
        help_text=_("Added for each event played."),
    )
    min_events = models.PositiveSmallIntegerField(
        _("least events for profit per tourney"),
        default=3,
        validators=[MaxValueValidator(1000)],
        help_text=_("With fewer, a player is listed but not ranked by profit."),
    )

    class Meta:
        verbose_name = _("season rules")
        verbose_name_plural = _("season rules")

    def __str__(self) -> str:
        return f"{self.season}: {self.structure}"


class EventRules(PointsRules):
    """The rules an event was settled by: they stay when the season's rules change."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="rules", verbose_name=_("event"))

    class Meta:
        verbose_name = _("event rules")
        verbose_name_plural = _("event rules")

    def __str__(self) -> str:
        return f"{self.event}: {self.structure}"


class EntryPoints(models.Model):
    """The points of one entry, exact: a shared place can be worth 5/3."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="points", verbose_name=_("entry"))
    numerator = models.BigIntegerField(_("points, numerator"))
    denominator = models.PositiveBigIntegerField(_("points, denominator"), default=1)

    class Meta:
        verbose_name = _("points of an entry")
        verbose_name_plural = _("points of entries")
        constraints = (
            models.CheckConstraint(condition=Q(denominator__gte=1), name="entry_points_denominator"),
        )

    def __str__(self) -> str:
        return str(self.points)

    @property
    def points(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)
