"""Skill ratings: the settings of a pool, each player's rating now, and the rating before and after each entry.

Settings are chosen by people; all other rows are computed.
"""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models import BEGINNING, Event, Player, Pool, Season


class SettingsOrigin(models.TextChoices):
    """Where the parameters of a revision come from."""

    TYPED = "typed", _("set by hand")
    ESTIMATE = "estimate", _("estimate from the results")
    QUICK_START = "quick-start", _("quick start")
    TAKEN_BACK = "taken-back", _("taken back")


class RatingSettings(models.Model):
    """A revision of a pool's settings: an event is rated by the newest revision that takes effect before it.

    A revision takes effect with the first day of `season`, or without a season with the first event of all. What people
    chose is never changed; the recomputation fills in the rest.
    """

    pool = models.ForeignKey(
        Pool, models.CASCADE, related_name="rating_settings", verbose_name=_("rating pool")
    )
    revision = models.PositiveIntegerField(_("revision"))
    # Every field of ratings.engine.tier.params.TierParams by its name; in a pool of kind profit, of ProfitParams.
    params = models.JSONField(_("parameters"))
    # Of a pool of kind profit: badges and the least R of each, the highest first; null for none.
    badge_bounds = models.JSONField(_("badges"), null=True, blank=True)
    season = models.ForeignKey(
        Season, models.RESTRICT, null=True, blank=True, related_name="+", verbose_name=_("from the season on")
    )
    # Of a pool of kind profit: when the season begins, every R moves to r0 + stretch (R - r0); empty for 1.
    stretch = models.FloatField(_("stretch"), null=True, blank=True)
    origin = models.CharField(
        _("from"), max_length=11, choices=SettingsOrigin.choices, default=SettingsOrigin.TYPED
    )
    # The moment from which the stored ratings take this revision into account; empty while it waits to be computed.
    applied_from = models.DateTimeField(_("applied from"), null=True, editable=False)
    # Whether it rated the last event: the rates and badges that players have now follow from it.
    is_in_force = models.BooleanField(_("in force"), default=False)
    changed_at = models.DateTimeField(_("changed"), auto_now_add=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("by"),
    )

    class Meta:
        ordering = ("pool", "-revision")
        verbose_name = _("rating settings")
        verbose_name_plural = _("rating settings")
        constraints = (
            models.UniqueConstraint(fields=("pool", "revision"), name="rating_settings_revision_once"),
            models.UniqueConstraint(
                fields=("pool",), condition=Q(is_in_force=True), name="rating_settings_one_in_force"
            ),
            models.CheckConstraint(
                condition=Q(stretch=None) | Q(stretch__gt=0.0, season__isnull=False),
                name="rating_settings_stretch_at_a_season",
            ),
        )

    def __str__(self) -> str:
        return f"{self.pool}: {self.revision}"

    @property
    def takes_effect_at(self) -> datetime:
        return self.season.starts_at if self.season else BEGINNING


class BroughtRating(models.Model):
    """A player's rating of an older system: what the player starts with instead of a newcomer's.

    In a pool of kind profit `mu` is R and there is no `sigma`. `n_entries` counts the entries or games behind the
    rating, which end the placement earlier.
    """

    pool = models.ForeignKey(
        Pool, models.CASCADE, related_name="brought_ratings", verbose_name=_("rating pool")
    )
    player = models.ForeignKey(
        Player, models.CASCADE, related_name="brought_ratings", verbose_name=_("player")
    )
    day = models.DateField(_("rating of the day"))
    mu = models.FloatField(_("mean of skill"))
    sigma = models.FloatField(_("uncertainty"), null=True)
    n_entries = models.PositiveIntegerField(_("entries behind it"), default=0)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("rating brought forward")
        verbose_name_plural = _("ratings brought forward")
        constraints = (
            models.UniqueConstraint(fields=("pool", "player"), name="brought_rating_once_per_player"),
            models.CheckConstraint(
                condition=Q(sigma=None) | Q(sigma__gt=0.0), name="brought_rating_sigma_above_0"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.0f}"


class PlayerRating(models.Model):
    """A player's rating now: skill, and the rate and badge shown for it."""

    is_computed = True

    pool = models.ForeignKey(Pool, models.CASCADE, related_name="ratings", verbose_name=_("rating pool"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings", verbose_name=_("player"))
    mu = models.FloatField(_("mean of skill"))
    sigma = models.FloatField(_("uncertainty"))
    rate = models.FloatField(_("rate"))
    badge = models.CharField(_("badge"), max_length=2)
    n_entries = models.PositiveIntegerField(_("rated entries"))
    is_provisional = models.BooleanField(_("in placement"))
    last_at = models.DateTimeField(_("last event"))

    class Meta:
        ordering = ("pool", "player")
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = (models.UniqueConstraint(fields=("pool", "player"), name="rating_once_per_player"),)

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.0f} ± {self.sigma:.0f}"


class RatedEntry(models.Model):
    """An entry's rating before and after, and every figure its explanation needs.

    Columns named like fields of ratings.engine.tier.explanation.Figures hold those figures. `carried_mu`,
    `carried_sigma`, `n_carried` and `last_at` are the player's state before the entry, without drift and the start of a
    season.

    The rows of a deleted or moved event stay until a recomputation replaces them: it starts from the carried state,
    and `starts_at` keeps the order in which they were rated. Hence there is no constraint on the event. Pool and player
    have none either, and no row is checked to be the only one of its entry: only the recomputation writes these rows,
    from stored entries under the pool's lock, and the checks took the database two fifths of the time.
    """

    is_computed = True

    pool = models.ForeignKey(
        Pool,
        models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="rated_entries",
        verbose_name=_("rating pool"),
    )
    event = models.ForeignKey(
        Event,
        models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="rated_entries",
        verbose_name=_("event"),
    )
    player = models.ForeignKey(
        Player,
        models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="rated_entries",
        verbose_name=_("player"),
    )
    number = models.PositiveSmallIntegerField(_("number"))
    starts_at = models.DateTimeField(_("start"))
    last_at = models.DateTimeField(_("event before"), null=True)
    n_carried = models.PositiveIntegerField(_("rated entries carried in"))
    carried_mu = models.FloatField()
    carried_sigma = models.FloatField()

    place = models.PositiveIntegerField(_("place among all entries"))
    n_entries = models.PositiveIntegerField(_("entries"))
    field_place = models.PositiveIntegerField(_("place among players"))
    field_size = models.PositiveIntegerField(_("players"))
    expected_place = models.FloatField(_("expected place"))
    n_before = models.PositiveIntegerField(_("rated entries before"))
    prior_mu = models.FloatField()
    prior_sigma = models.FloatField()
    whole_mu = models.FloatField()
    whole_sigma = models.FloatField()
    partial_mu = models.FloatField(null=True)
    partial_sigma = models.FloatField(null=True)
    partial_place = models.PositiveIntegerField()
    partial_size = models.PositiveIntegerField()
    is_partial_taken = models.BooleanField()
    minutes = models.FloatField()
    is_mean_time = models.BooleanField(default=False)  # of rows computed before there was one
    hours = models.FloatField()
    evidence = models.FloatField()
    table_size = models.PositiveSmallIntegerField()
    weight = models.FloatField()
    weight_row = models.PositiveSmallIntegerField()
    balance = models.FloatField(default=0.0)  # of rows computed before there was one
    n_entered = models.PositiveIntegerField()
    n_bust = models.PositiveIntegerField()
    late_part1 = models.FloatField()
    late_part2 = models.FloatField()
    penalty = models.FloatField()
    posterior_mu = models.FloatField()
    posterior_sigma = models.FloatField()

    # Rates before and after the entry, and the badge after it, by the settings in force.
    prior_rate = models.FloatField()
    posterior_rate = models.FloatField()
    badge = models.CharField(max_length=2)
    is_provisional = models.BooleanField()

    class Meta:
        ordering = ("pool", "starts_at", "event", "number", "place", "player")
        verbose_name = _("rated entry")
        verbose_name_plural = _("rated entries")
        indexes = (
            # An event that moves to another pool has rows in both, until the old pool is recomputed too.
            models.Index(fields=("event",), name="rated_entry_event"),
            models.Index(fields=("pool", "starts_at", "event"), name="rated_entry_order"),
            models.Index(fields=("player", "starts_at"), name="rated_entry_player"),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.prior_mu:.0f} to {self.posterior_mu:.0f}"


class ProfitRating(models.Model):
    """A player's R now, in a pool of kind profit."""

    is_computed = True

    pool = models.ForeignKey(
        Pool, models.CASCADE, related_name="profit_ratings", verbose_name=_("rating pool")
    )
    player = models.ForeignKey(
        Player, models.CASCADE, related_name="profit_ratings", verbose_name=_("player")
    )
    r = models.FloatField("R")
    n_games = models.PositiveIntegerField(_("rated games"))
    badge = models.CharField(_("badge"), max_length=2, blank=True)
    is_provisional = models.BooleanField(_("in placement"))
    last_at = models.DateTimeField(_("last event"))

    class Meta:
        ordering = ("pool", "player")
        verbose_name = _("profit rating")
        verbose_name_plural = _("profit ratings")
        constraints = (
            models.UniqueConstraint(fields=("pool", "player"), name="profit_rating_once_per_player"),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.r:.0f}"


class RatedGame(models.Model):
    """A game of a pool of kind profit: a player's R before and after it, and every figure its explanation needs.

    `r_before`, `n_before` and `last_at` are the player's state before the game. Rows of a deleted or moved event stay
    until a recomputation replaces them, as those of RatedEntry.
    """

    is_computed = True

    # Without constraints, whose checks take as long as writing: pools and players are deleted by Django alone.
    pool = models.ForeignKey(
        Pool,
        models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="rated_games",
        verbose_name=_("rating pool"),
    )
    event = models.ForeignKey(
        Event,
        models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="rated_games",
        verbose_name=_("event"),
    )
    player = models.ForeignKey(
        Player,
        models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="rated_games",
        verbose_name=_("player"),
    )
    starts_at = models.DateTimeField(_("start"))
    last_at = models.DateTimeField(_("event before"), null=True)
    n_before = models.PositiveIntegerField(_("rated games before"))
    r_before = models.FloatField()
    r_after = models.FloatField()

    place = models.PositiveSmallIntegerField(_("place"))
    n_players = models.PositiveSmallIntegerField(_("players"))
    balance = models.FloatField(null=True)
    result_part = models.FloatField()
    pull_part = models.FloatField()
    table_mean = models.FloatField()
    stable_r = models.FloatField(null=True)  # nothing pulls R to the table where the pull is 0
    expected_place = models.FloatField()
    badge = models.CharField(max_length=2, blank=True)
    is_provisional = models.BooleanField()

    class Meta:
        ordering = ("pool", "starts_at", "event", "place", "player")
        verbose_name = _("rated game")
        verbose_name_plural = _("rated games")
        indexes = (
            models.Index(fields=("event",), name="rated_game_event"),
            models.Index(fields=("pool", "starts_at", "event"), name="rated_game_order"),
            models.Index(fields=("player", "starts_at"), name="rated_game_player"),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.r_before:.0f} to {self.r_after:.0f}"
