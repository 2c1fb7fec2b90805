"""Stored standings, the state of each pool's recomputation, awards and seals.

Winners of awards are not stored: standings.awards.winners computes them from the standings at each read.
"""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models import Club, Event, Player, Pool, Season
from league.vocabulary import gettext_lazy
from ratings.engine.tier.params import REVISION


class Recomputation(models.Model):
    """The state of a pool's recomputation.

    rated_version is the data_version its rows were computed from, engine_revision that of the engine (tier.REVISION).
    """

    pool = models.OneToOneField(
        Pool, models.CASCADE, related_name="recomputation", verbose_name=_("rating pool")
    )
    rated_version = models.PositiveBigIntegerField(_("version computed"), default=0)
    engine_revision = models.PositiveIntegerField(_("revision of the rating engine"), default=0)
    rated_at = models.DateTimeField(_("computed"), null=True)
    n_done = models.PositiveIntegerField(_("events done"), default=0)
    n_events = models.PositiveIntegerField(_("events to do"), default=0)
    progressed_at = models.DateTimeField(_("last progress"), null=True)
    published_at = models.DateTimeField(_("last published"), null=True)
    # What standings.recomputation.costs estimates the next one from, and whether the pool waits for the worker of long
    # ones.
    mean_field = models.FloatField(_("entries an event"), null=True)
    seconds_per_entry = models.FloatField(_("seconds an entry"), null=True)
    took = models.FloatField(_("seconds the last one took"), null=True)
    is_long = models.BooleanField(_("long"), default=False)
    n_failures = models.PositiveIntegerField(_("failures in a row"), default=0)
    error = models.TextField(_("last error"), blank=True)

    class Meta:
        indexes = (
            models.Index(fields=("is_long",), condition=models.Q(is_long=True), name="recomputation_long"),
        )
        verbose_name = _("recomputation")
        verbose_name_plural = _("recomputations")

    def __str__(self) -> str:
        return f"{self.pool}: {self.rated_version}"

    def is_behind(self, pool: Pool) -> bool:
        """Tell whether the rows are older than the results, or were computed by another engine."""
        return self.rated_version < pool.data_version or self.engine_revision != REVISION


class Standing(models.Model):
    """A player's line in a season. Each order has a rank that is shown (ties share it, the unranked have none)
    and a position that is unique, 1 to n, so that any page is a range of an index.

    The database does not check that season and player exist: only the recomputation writes these rows, and it looks
    under the pool's lock whether they are still there.
    """

    is_computed = True

    season = models.ForeignKey(
        Season,
        models.CASCADE,
        db_constraint=False,
        db_index=False,  # the constraint of season and player has one
        related_name="standings",
        verbose_name=_("season"),
    )
    player = models.ForeignKey(
        Player, models.CASCADE, db_constraint=False, related_name="standings", verbose_name=_("player")
    )

    points = models.DecimalField(_("points"), max_digits=24, decimal_places=4)
    total = models.DecimalField(_("points with attendance"), max_digits=24, decimal_places=4)
    profit = models.DecimalField(_("profit per tourney"), max_digits=24, decimal_places=6)
    n_events = models.PositiveIntegerField(_("events"))
    n_entries = models.PositiveIntegerField(_("entries"))
    n_wins = models.PositiveIntegerField(_("wins"))
    n_brought = models.PositiveIntegerField(_("events brought forward"), default=0)

    # A player of whom only totals brought forward are known has no rate and no badge, and is in placement.
    # rate_before is the rate before the player's first event of the season, rate_from_third that before the third.
    rate_before = models.FloatField(_("rate before the season"), null=True)
    rate_from_third = models.FloatField(_("rate before the third event"), null=True)
    rate = models.FloatField(_("rate"), null=True)
    badge = models.CharField(_("badge"), max_length=2, blank=True)
    is_provisional = models.BooleanField(_("in placement"))
    is_inactive = models.BooleanField(_("inactive"), default=False)
    is_newcomer = models.BooleanField(_("newcomer"), default=False)
    last_change = models.FloatField(_("change at the season's last event"), null=True)
    last_rates = models.CharField(_("last rates"), max_length=60, blank=True)

    points_rank = models.PositiveIntegerField(null=True)
    points_position = models.PositiveIntegerField()
    points_moved = models.IntegerField(null=True)
    tier_rank = models.PositiveIntegerField(null=True)
    tier_position = models.PositiveIntegerField()
    tier_moved = models.IntegerField(null=True)
    profit_rank = models.PositiveIntegerField(null=True)
    profit_position = models.PositiveIntegerField()
    profit_moved = models.IntegerField(null=True)

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


class EventColumns(models.Model):
    """Results and rates of an event's entries in columns, a copy of their rows for the standings of the season.

    Where there is none, the recomputation reads the rows and makes it (standings.recomputation.columns).
    """

    is_computed = True

    event = models.OneToOneField(Event, models.CASCADE, related_name="columns", verbose_name=_("event"))
    results = models.BinaryField(_("results"))
    rates = models.BinaryField(_("rates"))

    class Meta:
        verbose_name = _("columns of an event")
        verbose_name_plural = _("columns of events")

    def __str__(self) -> str:
        return f"{self.event}: {len(self.results)}"


class NextEvent(models.Model):
    """Rates that each place of a pool's next event would bring, if it is like the last ones.

    The engine finds them with every recomputation, so that no page has to load it.
    """

    is_computed = True

    pool = models.OneToOneField(
        Pool, models.CASCADE, related_name="next_event", verbose_name=_("rating pool")
    )
    n_players = models.PositiveIntegerField(_("players"))
    places = models.JSONField(_("places"))  # those that were tried, rising
    rates = models.JSONField(_("rates"))  # after each of these places, by player

    class Meta:
        verbose_name = _("next event")
        verbose_name_plural = _("next events")

    def __str__(self) -> str:
        return f"{self.pool}: {self.n_players}"


class SeasonSummary(models.Model):
    """Facts about a season as a whole, stored so that no page has to read all its rows."""

    is_computed = True

    season = models.OneToOneField(Season, models.CASCADE, related_name="summary", verbose_name=_("season"))
    n_players = models.PositiveIntegerField(_("players"))
    n_events = models.PositiveIntegerField(_("events"))
    # standings.recomputation.summary.SeasonFacts
    facts = models.JSONField(_("facts"), default=dict)

    class Meta:
        verbose_name = _("summary of a season")
        verbose_name_plural = _("summaries of seasons")

    def __str__(self) -> str:
        return f"{self.season}: {self.n_players}"


class AwardKind(models.TextChoices):
    """What an award is for: all but the last are names in payouts.engine.seasons.awards.AWARDS."""

    FIRST_THREE = "first_three", _("First three on points")
    BEST_PROFIT = "best_profit", _("Best profit per tourney")
    MOST_ATTENDANCE = "most_attendance", _("Best attendance")
    BEST_NEWCOMER = "best_newcomer", _("Best newcomer")
    MOST_IMPROVED = "most_improved", _("Most improved")
    MOST_WINS = "most_wins", gettext_lazy("Most wins")
    MOST_KNOCKOUTS = "most_knockouts", _("Most knock-outs")
    CHOSEN = "chosen", _("Chosen by the organizers")


class Award(models.Model):
    """An award of a season; `position` orders them on the page."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="awards", verbose_name=_("season"))
    position = models.PositiveSmallIntegerField(_("position"))
    kind = models.CharField(_("award for"), max_length=20, choices=AwardKind.choices)
    title = models.CharField(_("title"), max_length=80, blank=True)
    min_events = models.PositiveSmallIntegerField(
        _("least events"), default=1, validators=[MinValueValidator(1), MaxValueValidator(1000)]
    )
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="awards", verbose_name=_("player")
    )
    version = models.PositiveIntegerField(_("version"), default=1)

    class Meta:
        ordering = ("season", "position")
        verbose_name = _("award")
        verbose_name_plural = _("awards")
        constraints = (
            models.UniqueConstraint(fields=("season", "position"), name="award_position_once_per_season"),
            models.CheckConstraint(condition=Q(kind__in=AwardKind.values), name="award_kind_known"),
            models.CheckConstraint(
                condition=(Q(kind="chosen", player__isnull=False) & ~Q(title=""))
                | (~Q(kind="chosen") & Q(player__isnull=True)),
                name="award_chosen_has_title_and_player",
            ),
        )

    def __str__(self) -> str:
        return self.title or str(AwardKind(self.kind).label)


class SeasonSeal(models.Model):
    """The canonical export of a sealed season and its checksum (standings.seals.document)."""

    season = models.OneToOneField(Season, models.CASCADE, related_name="seal", verbose_name=_("season"))
    text = models.TextField(_("sealed export"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    sealed_at = models.DateTimeField(_("sealed at"), auto_now_add=True)
    sealed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("by"),
    )

    class Meta:
        verbose_name = _("seal of a season")
        verbose_name_plural = _("seals of seasons")

    def __str__(self) -> str:
        return f"{self.season}: {self.sha256[:8]}"


class ArchiveDraft(models.Model):
    """An uploaded archive of a club, until the club is made or a day has passed (standings.archive)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("by"))
    data = models.BinaryField(_("content"))
    # What its page shows of it, worked out once: unpacked, a small file can be large.
    summary = models.JSONField(_("summary"), default=dict, editable=False)
    uploaded_at = models.DateTimeField(_("uploaded"), auto_now_add=True)
    # A large archive becomes a club in the worker: name, address and language of who has asked, and what went wrong.
    asked = models.JSONField(_("asked for"), default=dict, editable=False)
    asked_at = models.DateTimeField(_("asked"), null=True, editable=False)
    error = models.TextField(_("error"), blank=True, editable=False)
    # The club that was made of it: a form that is sent twice makes one.
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("club")
    )

    class Meta:
        verbose_name = _("uploaded archive")
        verbose_name_plural = _("uploaded archives")

    def __str__(self) -> str:
        return f"{self.user}: {self.uploaded_at:%Y-%m-%d %H:%M}"


class KeptKeys(models.Model):
    """Keys of the league file that a club was made from which the format does not have: they go into its next file."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="kept_keys", verbose_name=_("club"))
    keys = models.JSONField(_("unknown keys"))  # by the place of the object that had them

    class Meta:
        verbose_name = _("kept keys of a league file")
        verbose_name_plural = _("kept keys of league files")

    def __str__(self) -> str:
        return str(self.club)


class Following(models.Model):
    """The ids of the players of a club that an account follows, the latest last; deleted players are skipped."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="followings", verbose_name=_("account")
    )
    club = models.ForeignKey(Club, models.CASCADE, related_name="+", verbose_name=_("club"))
    players = models.JSONField(_("players"), default=list)

    class Meta:
        verbose_name = _("followed players")
        verbose_name_plural = _("followed players")
        constraints = (models.UniqueConstraint(fields=("user", "club"), name="following_once_per_club"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.club}"
