"""What the pages read: one row per player and season, with stored positions; and how far recomputation is."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import Player, Pool, Season


class Recomputation(models.Model):
    """Where a pool's recomputation stands. rated_version is the data_version its rows were computed from."""

    pool = models.OneToOneField(
        Pool, models.CASCADE, related_name="recomputation", verbose_name=_("rating pool")
    )
    rated_version = models.PositiveBigIntegerField(_("version computed"), default=0)
    rated_at = models.DateTimeField(_("computed"), null=True)
    n_done = models.PositiveIntegerField(_("events done"), default=0)
    n_events = models.PositiveIntegerField(_("events to do"), default=0)
    progressed_at = models.DateTimeField(_("last progress"), null=True)
    published_at = models.DateTimeField(_("last published"), null=True)
    n_failures = models.PositiveIntegerField(_("failures in a row"), default=0)
    error = models.TextField(_("last error"), blank=True)

    class Meta:
        verbose_name = _("recomputation")
        verbose_name_plural = _("recomputations")

    def __str__(self) -> str:
        return f"{self.pool}: {self.rated_version}"


class Standing(models.Model):
    """A player's line in a season. Each order has a rank that is shown (ties share it, the unranked have none)
    and a position that is unique, 1 to n, so that any page is a range of an index.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="standings", verbose_name=_("season"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="standings", verbose_name=_("player"))

    points = models.DecimalField(_("points"), max_digits=14, decimal_places=4)
    total = models.DecimalField(_("points with attendance"), max_digits=14, decimal_places=4)
    profit = models.DecimalField(_("profit per tourney"), max_digits=14, decimal_places=6)
    n_events = models.PositiveIntegerField(_("events"))
    n_entries = models.PositiveIntegerField(_("entries"))
    n_wins = models.PositiveIntegerField(_("wins"))
    n_brought = models.PositiveIntegerField(_("events brought forward"), default=0)

    # A player of whom only totals brought forward are known has no rating: no rate, no badge, in placement.
    rate = models.FloatField(_("rate"), null=True)
    badge = models.CharField(_("badge"), max_length=2, blank=True)
    is_provisional = models.BooleanField(_("in placement"))
    last_change = models.FloatField(_("change at the season's last event"), null=True)
    last_rates = models.CharField(_("last rates"), max_length=60, blank=True)

    points_rank = models.PositiveIntegerField(null=True)
    points_position = models.PositiveIntegerField()
    points_moved = models.IntegerField(null=True)
    tier_rank = models.PositiveIntegerField(null=True)
    tier_position = models.PositiveIntegerField()
    profit_rank = models.PositiveIntegerField(null=True)
    profit_position = models.PositiveIntegerField()

    class Meta:
        ordering = ("season", "points_position")
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        constraints = (models.UniqueConstraint(fields=("season", "player"), name="standing_once_per_player"),)
        indexes = (
            models.Index(fields=("season", "points_position"), name="standing_by_points"),
            models.Index(fields=("season", "tier_position"), name="standing_by_tier"),
            models.Index(fields=("season", "profit_position"), name="standing_by_profit"),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.total}"


class SeasonSummary(models.Model):
    """What the pages say about a season as a whole, so that none of them has to read every row of it."""

    season = models.OneToOneField(Season, models.CASCADE, related_name="summary", verbose_name=_("season"))
    n_players = models.PositiveIntegerField(_("players"))
    n_events = models.PositiveIntegerField(_("events"))
    # standings.season.SeasonFacts
    facts = models.JSONField(_("facts"), default=dict)

    class Meta:
        verbose_name = _("summary of a season")
        verbose_name_plural = _("summaries of seasons")

    def __str__(self) -> str:
        return f"{self.season}: {self.n_players}"
