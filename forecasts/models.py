"""Computed rows: how good a pool's forecasts were, the same under other settings, odds of titles, shares of skill."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import Pool, Season


class PoolQuality(models.Model):
    """How good the forecasts of a pool's ratings were; `version` is the pool's version that it was computed from.

    `figures` are those of forecasts.quality. `seconds` is how long it took: large pools are computed less often.
    """

    is_computed = True

    pool = models.OneToOneField(Pool, models.CASCADE, related_name="quality", verbose_name=_("rating pool"))
    version = models.BigIntegerField(_("version computed"), default=-1)
    figures = models.JSONField(_("figures"), default=dict)
    seconds = models.FloatField(_("seconds"), default=0.0)
    computed_at = models.DateTimeField(_("computed"), null=True)
    # Estimates of what is left hold for a day; None where no season is open.
    stale_at = models.DateTimeField(_("to be computed again"), null=True)
    claimed_at = models.DateTimeField(_("last published"), null=True)

    class Meta:
        verbose_name = _("quality of ratings")
        verbose_name_plural = _("quality of ratings")

    def __str__(self) -> str:
        return f"{self.pool}: {self.version}"


class SettingsFit(models.Model):
    """What a pool's forecasts would have been under other settings, computed when an organizer asks for it."""

    is_computed = True

    pool = models.OneToOneField(
        Pool, models.CASCADE, related_name="settings_fit", verbose_name=_("rating pool")
    )
    version = models.BigIntegerField(_("version computed"), default=-1)
    tried = models.JSONField(_("settings tried"), default=list)
    is_asked = models.BooleanField(_("asked for"), default=False)
    computed_at = models.DateTimeField(_("computed"), null=True)
    claimed_at = models.DateTimeField(_("last published"), null=True)

    class Meta:
        verbose_name = _("fit of settings")
        verbose_name_plural = _("fits of settings")

    def __str__(self) -> str:
        return f"{self.pool}: {self.version}"


class TitleOdds(models.Model):
    """The chances of a season's final positions now and after earlier nights, and their scores once it has ended.

    `digest` is of everything that they follow from: the same data give the same chances.
    """

    is_computed = True

    season = models.OneToOneField(Season, models.CASCADE, related_name="title_odds", verbose_name=_("season"))
    digest = models.CharField(_("digest"), max_length=64, blank=True)
    figures = models.JSONField(_("figures"), default=dict)
    scores = models.JSONField(_("scores"), default=list)
    computed_at = models.DateTimeField(_("computed"), null=True)

    class Meta:
        verbose_name = _("odds of a title")
        verbose_name_plural = _("odds of titles")

    def __str__(self) -> str:
        return f"{self.season}"


class SeasonSkill(models.Model):
    """The share of skill in the differences of a season's tables.

    `digest` is of the finishing orders that it follows from; `figures` are those of forecasts.skill.
    """

    is_computed = True

    season = models.OneToOneField(Season, models.CASCADE, related_name="skill", verbose_name=_("season"))
    digest = models.CharField(_("digest"), max_length=64, blank=True)
    figures = models.JSONField(_("figures"), default=dict)
    computed_at = models.DateTimeField(_("computed"), null=True)

    class Meta:
        verbose_name = _("share of skill")
        verbose_name_plural = _("shares of skill")

    def __str__(self) -> str:
        return f"{self.season}"
