"""Runs of the season laboratory, and the chunks they are computed in."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from lab.engine.seasons.scenario import Scenario
from lab.engine.seasons.totals import Totals
from league.models import Club, Season

KEPT = timedelta(days=183)


def expiry() -> datetime:
    return timezone.now() + KEPT


class RunState(models.TextChoices):
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    CANCELLED = "cancelled", _("cancelled")
    FAILED = "failed", _("failed")


class LabRun(models.Model):
    """A simulated season: what is simulated, and once it is done the totals of all its seasons."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="lab_runs", verbose_name=_("club"))
    # The season whose players were taken, and for which a structure can be taken over.
    season = models.ForeignKey(
        Season, models.SET_NULL, null=True, related_name="lab_runs", verbose_name=_("season")
    )
    # Of the form that started it, so that sending the form twice starts one run.
    token = models.UUIDField(editable=False)
    # The value of Scenario.to_dict.
    scenario_settings = models.JSONField(_("settings"))
    n_seasons = models.PositiveIntegerField(_("seasons"))
    seed = models.PositiveBigIntegerField(_("seed"))
    state = models.CharField(_("state"), max_length=9, choices=RunState.choices, default=RunState.RUNNING)
    # Seasons done when the run ended.
    n_done = models.PositiveIntegerField(_("seasons done"), default=0)
    # The value of Totals.to_dict.
    totals = models.JSONField(_("totals"), null=True)
    error = models.TextField(_("last error"), blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    created_at = models.DateTimeField(_("started"), default=timezone.now)
    finished_at = models.DateTimeField(_("ended"), null=True)
    expires_at = models.DateTimeField(_("kept until"), default=expiry, db_index=True)

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("laboratory run")
        verbose_name_plural = _("laboratory runs")
        constraints = (
            models.UniqueConstraint(fields=("club", "token"), name="lab_run_once_per_form"),
            models.CheckConstraint(condition=Q(state__in=RunState.values), name="lab_run_state_known"),
            models.CheckConstraint(
                condition=Q(state=RunState.DONE, totals__isnull=False)
                | (~Q(state=RunState.DONE) & Q(totals__isnull=True)),
                name="lab_run_done_has_totals",
            ),
        )

    def __str__(self) -> str:
        return f"{self.club}: {self.n_seasons}"

    @cached_property
    def scenario(self) -> Scenario:
        return Scenario.from_dict(self.scenario_settings)

    @property
    def is_running(self) -> bool:
        return self.state == RunState.RUNNING

    def get_absolute_url(self) -> str:
        return reverse("lab:run", args=[self.club.slug, self.pk])


class LabChunk(models.Model):
    """Consecutive seasons of a run, computed in one task; deleted when the run ends."""

    run = models.ForeignKey(LabRun, models.CASCADE, related_name="chunks", verbose_name=_("laboratory run"))
    first = models.PositiveIntegerField(_("first season"))
    n_seasons = models.PositiveIntegerField(_("seasons"))
    # The value of Totals.to_dict; null until it is computed.
    result = models.JSONField(_("result"), null=True)
    claimed_at = models.DateTimeField(_("last published"), null=True)
    n_failures = models.PositiveSmallIntegerField(_("failures"), default=0)

    class Meta:
        ordering = ("run", "first")
        verbose_name = _("chunk of a laboratory run")
        verbose_name_plural = _("chunks of laboratory runs")
        constraints = (models.UniqueConstraint(fields=("run", "first"), name="lab_chunk_once"),)

    def __str__(self) -> str:
        return f"{self.run_id}: {self.first}"

    @property
    def totals(self) -> Totals:
        """The totals of a chunk that is computed."""
        assert self.result is not None
        return Totals.from_dict(self.result)
