"""Rules of seasons and events, terms of events, points of entries and totals brought forward."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models import Club, Entry, Event, Player, Season
from payouts.engine.money import Prices
from payouts.engine.seasons.season import MAX_MULTIPLIER
from payouts.engine.seasons.season import SeasonRules as ScoringRules
from payouts.engine.structures.facts import EventFacts
from payouts.engine.structures.structure import PointsStructure

MAX_ATTENDANCE_POINTS = 100
MAX_BONUS = 1_000_000  # points of an entry
MAX_BONUS_REASON = 200
MAX_EVENTS = 1000  # the largest number in a season's rules
AMOUNT_DECIMALS = 3  # of an amount of money
PRICES = ("buy_in", "fee", "rebuy", "add_on", "bounty")  # of EventMoney, in the order of the engine
NO_NEGATIVE = MinValueValidator(0)
COUNT = (MaxValueValidator(MAX_EVENTS),)
COUNT_FROM_1 = (MinValueValidator(1), *COUNT)


def default_structure() -> dict[str, Any]:
    return PointsStructure().to_dict()


def default_tie_breaks() -> list[str]:
    return list(ScoringRules().tie_breaks)


def check_structure(stored: Any) -> None:
    """Validate a stored structure for the admin and full_clean; services check it by building it."""
    try:
        PointsStructure.from_dict(stored)
    except (ValueError, TypeError) as error:
        raise ValidationError(str(error)) from error


class PointsRules(models.Model):
    """The structure that determines points, stored as JSON."""

    # The value of PointsStructure.to_dict.
    structure = models.JSONField(
        _("points structure"), default=default_structure, validators=[check_structure]
    )

    class Meta:
        abstract = True

    @property
    def points_structure(self) -> PointsStructure:
        return PointsStructure.from_dict(self.structure)

    @property
    def pays_balances(self) -> bool:
        """Tell whether the points are the balances themselves, of which none is staked."""
        return self.points_structure.name == "balance"


class SeasonRules(PointsRules):
    season = models.OneToOneField(Season, models.CASCADE, related_name="rules", verbose_name=_("season"))
    attendance_points = models.PositiveSmallIntegerField(
        _("points for attendance"), default=1, validators=[MaxValueValidator(MAX_ATTENDANCE_POINTS)]
    )
    min_events = models.PositiveSmallIntegerField(
        _("minimum events for profit per tourney"), default=3, validators=COUNT
    )
    best_n = models.PositiveSmallIntegerField(
        _("best results of the season"), null=True, blank=True, validators=COUNT_FROM_1
    )
    best_n_per_month = models.PositiveSmallIntegerField(
        _("best results of a month"), null=True, blank=True, validators=COUNT_FROM_1
    )
    drop_worst = models.PositiveSmallIntegerField(_("worst results dropped"), default=0, validators=COUNT)
    missed_count_as_zero = models.BooleanField(_("missed events count as zero"), default=False)
    inactive_after = models.PositiveSmallIntegerField(
        _("days of play missed until inactive"), null=True, blank=True, default=12, validators=COUNT_FROM_1
    )
    tie_breaks = models.JSONField(_("tie-breaks"), default=default_tie_breaks, blank=True)

    class Meta:
        verbose_name = _("season rules")
        verbose_name_plural = _("season rules")
        constraints = (
            models.CheckConstraint(
                condition=Q(best_n__isnull=True) | Q(best_n__gte=1), name="season_rules_best_n_from_1"
            ),
            models.CheckConstraint(
                condition=Q(best_n_per_month__isnull=True) | Q(best_n_per_month__gte=1),
                name="season_rules_best_n_per_month_from_1",
            ),
            models.CheckConstraint(
                condition=Q(inactive_after__isnull=True) | Q(inactive_after__gte=1),
                name="season_rules_inactive_after_from_1",
            ),
        )

    def __str__(self) -> str:
        return f"{self.season}: {self.points_structure.formula}"

    @property
    def scoring(self) -> ScoringRules:
        """The rules of the standings, as the engine takes them."""
        return ScoringRules(
            attendance_points=Fraction(self.attendance_points),
            min_events=self.min_events,
            best_n=self.best_n,
            best_n_per_month=self.best_n_per_month,
            drop_worst=self.drop_worst,
            missed_count_as_zero=self.missed_count_as_zero,
            tie_breaks=tuple(self.tie_breaks),
            stake=0 if self.pays_balances else 1,
        )


class EventRules(PointsRules):
    """The structure an event was settled by, which stays when the season's rules change."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="rules", verbose_name=_("event"))

    class Meta:
        verbose_name = _("event rules")
        verbose_name_plural = _("event rules")

    def __str__(self) -> str:
        return f"{self.event}: {self.points_structure.formula}"


class EventTerms(models.Model):
    """Terms of an event that differ from the defaults; most events have no row."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="terms", verbose_name=_("event"))
    multiplier = models.DecimalField(
        _("multiplier"),
        max_digits=7,
        decimal_places=3,
        default=Decimal(1),
        validators=[NO_NEGATIVE, MaxValueValidator(MAX_MULTIPLIER)],
    )
    is_final = models.BooleanField(_("final"), default=False)
    total = models.DecimalField(
        _("points put up"), max_digits=12, decimal_places=3, null=True, blank=True, validators=[NO_NEGATIVE]
    )
    buy_in = models.DecimalField(
        _("buy-in"), max_digits=12, decimal_places=3, default=Decimal(1), validators=[NO_NEGATIVE]
    )
    paid = models.PositiveSmallIntegerField(_("paid places"), default=1, validators=[MinValueValidator(1)])

    class Meta:
        verbose_name = _("terms of an event")
        verbose_name_plural = _("terms of events")
        constraints = (
            models.CheckConstraint(
                condition=Q(multiplier__gte=0, multiplier__lte=MAX_MULTIPLIER), name="event_terms_multiplier"
            ),
            models.CheckConstraint(
                condition=Q(total__isnull=True) | Q(total__gte=0), name="event_terms_total_from_0"
            ),
            models.CheckConstraint(condition=Q(buy_in__gte=0), name="event_terms_buy_in_from_0"),
            models.CheckConstraint(condition=Q(paid__gte=1), name="event_terms_paid_from_1"),
        )

    def __str__(self) -> str:
        return f"{self.event}: x{self.multiplier}"

    @property
    def facts(self) -> EventFacts:
        return EventFacts(buy_in=Fraction(self.buy_in), paid=self.paid)


class EntryPoints(models.Model):
    """The points of one entry, exact: a shared place can be worth 5/3."""

    is_computed = True

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


class EntryBonus(models.Model):
    """Points of an entry beside those of its place, and what for: a high hand, help at the door."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="bonus", verbose_name=_("entry"))
    points = models.IntegerField(_("bonus points"))
    reason = models.CharField(_("reason"), max_length=MAX_BONUS_REASON, blank=True)

    class Meta:
        verbose_name = _("bonus points")
        verbose_name_plural = _("bonus points")

    def __str__(self) -> str:
        return f"{self.entry}: {self.points:+}"


class BroughtTotals(models.Model):
    """A player's totals from events of the season that are not in the records: they count in full."""

    season = models.ForeignKey(
        Season, models.CASCADE, related_name="totals_brought_forward", verbose_name=_("season")
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="totals_brought_forward", verbose_name=_("player")
    )
    numerator = models.BigIntegerField(_("points, numerator"))
    denominator = models.PositiveBigIntegerField(_("points, denominator"), default=1)
    n_events = models.PositiveIntegerField(_("events"))
    n_entries = models.PositiveIntegerField(_("entries"))
    n_wins = models.PositiveIntegerField(_("wins"), default=0)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("totals brought forward")
        verbose_name_plural = _("totals brought forward")
        constraints = (
            models.UniqueConstraint(fields=("season", "player"), name="brought_totals_once_per_player"),
            models.CheckConstraint(condition=Q(denominator__gte=1), name="brought_totals_denominator"),
            models.CheckConstraint(
                condition=Q(n_events__gte=1, n_entries__gte=models.F("n_events")),
                name="brought_totals_entries_from_events",
            ),
            models.CheckConstraint(
                condition=Q(n_wins__lte=models.F("n_events")), name="brought_totals_wins_to_events"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.points}"

    @property
    def points(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)


class ClubMoney(models.Model):
    """How a club writes money, and whether its pages show what players won and lost; most clubs have no row."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="money", verbose_name=_("club"))
    currency = models.CharField(_("currency"), max_length=8, blank=True)
    decimals = models.PositiveSmallIntegerField(
        _("decimals"), default=0, validators=[MaxValueValidator(AMOUNT_DECIMALS)]
    )
    shows_net = models.BooleanField(_("net money on the pages of players"), default=False)
    helpers_take = models.BooleanField(_("helpers take money at the door"), default=False)

    class Meta:
        verbose_name = _("money of a club")
        verbose_name_plural = _("money of clubs")
        constraints = (
            models.CheckConstraint(condition=Q(decimals__lte=AMOUNT_DECIMALS), name="club_money_decimals"),
        )

    def __str__(self) -> str:
        return f"{self.club}: {self.currency}"

    @property
    def smallest(self) -> Fraction:
        """The smallest amount that can be paid."""
        return Fraction(1, 10**self.decimals)


class PayoutKind(models.TextChoices):
    PERCENTAGES = "percentages", _("percentages of the prize pool by place")
    AMOUNTS = "amounts", _("amounts by place")
    AGREED = "agreed", _("typed for each player, as after a deal")


def _amount(name: Any, **options: Any) -> "models.DecimalField[Any, Any]":
    """Make a field of an amount in the club's currency."""
    return models.DecimalField(
        name, max_digits=12, decimal_places=AMOUNT_DECIMALS, validators=[NO_NEGATIVE], **options
    )


class EventMoney(models.Model):
    """Prices, prize pool and payouts of an event; `result_version` is that of the result they were computed for."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="money", verbose_name=_("event"))
    buy_in = _amount(_("buy-in"), default=Decimal(0))
    fee = _amount(_("fee"), default=Decimal(0))
    rebuy = _amount(_("price of a rebuy"), default=Decimal(0))
    add_on = _amount(_("price of an add-on"), default=Decimal(0))
    bounty = _amount(_("bounty"), default=Decimal(0))
    stated_pool = _amount(_("stated prize pool"), null=True, blank=True)
    guarantee = _amount(_("guarantee"), null=True, blank=True)
    payout_kind = models.CharField(
        _("payouts as"), max_length=12, choices=PayoutKind.choices, default=PayoutKind.PERCENTAGES
    )
    # Exact texts of percentages or amounts, the first place first; empty if prizes are typed for each player.
    payouts = models.JSONField(_("payouts"), default=list, blank=True)
    round_to = _amount(_("payouts rounded to"), default=Decimal(1))
    version = models.PositiveIntegerField(default=1, editable=False)
    result_version = models.PositiveIntegerField(editable=False)

    class Meta:
        verbose_name = _("money of an event")
        verbose_name_plural = _("money of events")
        constraints = (
            models.CheckConstraint(
                condition=Q(buy_in__gte=0, fee__gte=0, rebuy__gte=0, add_on__gte=0, round_to__gt=0),
                name="event_money_prices_from_0",
            ),
            models.CheckConstraint(condition=Q(bounty__gte=0), name="event_money_bounty_from_0"),
            models.CheckConstraint(
                condition=Q(stated_pool__isnull=True) | Q(guarantee__isnull=True),
                name="event_money_pool_stated_or_guaranteed",
            ),
            models.CheckConstraint(
                condition=Q(payout_kind__in=PayoutKind.values), name="event_money_payout_kind_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.event}: {self.get_payout_kind_display()}"

    @property
    def prices(self) -> Prices:
        """Return the prices of an entry, a rebuy and an add-on."""
        return Prices(*(Fraction(getattr(self, name)) for name in PRICES))


class EntryMoney(models.Model):
    """Rebuys and add-ons of an entry, its prize, what was given and what was paid out; None if nothing was yet."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="money", verbose_name=_("entry"))
    rebuys = models.PositiveSmallIntegerField(_("rebuys"), default=0)
    add_ons = models.PositiveSmallIntegerField(_("add-ons"), default=0)
    prize = _amount(_("prize"), default=Decimal(0))
    given = _amount(_("given"), null=True, blank=True)
    paid = _amount(_("paid out"), null=True, blank=True)

    class Meta:
        verbose_name = _("money of an entry")
        verbose_name_plural = _("money of entries")
        constraints = (
            models.CheckConstraint(condition=Q(prize__gte=0), name="entry_money_prize_from_0"),
            models.CheckConstraint(
                condition=Q(paid__isnull=True) | Q(paid__gte=0), name="entry_money_paid_from_0"
            ),
            models.CheckConstraint(
                condition=Q(given__isnull=True) | Q(given__gte=0), name="entry_money_given_from_0"
            ),
        )

    def __str__(self) -> str:
        return f"{self.entry}: {self.prize}"
