from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Pool
from league.models.game import Game
from league.models.meet import Meet
from league.models.season import Season


class EventQuerySet(models.QuerySet["Event"]):
    def in_rating_order(self) -> "EventQuerySet":
        return self.order_by("starts_at", "pk")


class Event(models.Model):
    """A tournament, or one game at one table; the games of a night share a meet and differ in round and table."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="events", verbose_name=_("season"))
    meet = models.ForeignKey(
        Meet, models.SET_NULL, null=True, blank=True, related_name="events", verbose_name=_("meet")
    )
    pool = models.ForeignKey(
        Pool, models.PROTECT, db_index=False, related_name="events", verbose_name=_("rating pool")
    )
    # Without a game it is an event with a finishing order.
    game = models.ForeignKey(
        Game, models.PROTECT, null=True, blank=True, related_name="events", verbose_name=_("game")
    )
    name = models.CharField(_("name"), max_length=80, blank=True)
    # The identifier in an imported file; importing the same identifier again corrects this event.
    key = models.CharField(_("identifier"), max_length=80, blank=True)
    # From the entry form, so that sending the same form twice saves one event.
    form_token = models.UUIDField(null=True, blank=True, unique=True, editable=False)
    starts_at = models.DateTimeField(_("start"))
    ends_at = models.DateTimeField(_("end"), null=True, blank=True)
    closes_at = models.DateTimeField(_("registration closes"), null=True, blank=True)
    table_size = models.PositiveSmallIntegerField(_("seats at a table"), default=9)
    final_table_size = models.PositiveSmallIntegerField(_("seats at the final table"), default=9)
    round = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    # The rules that its scores were turned into balances with: those of the game may have changed since.
    scoring = models.JSONField(_("rules of scoring"), null=True, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects: ClassVar[EventQuerySet] = EventQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ("starts_at", "pk")
        verbose_name = _("event")
        verbose_name_plural = _("events")
        indexes = (models.Index(fields=("pool", "starts_at"), name="event_rating_order"),)
        constraints = (
            models.UniqueConstraint(
                fields=("season", "key"), condition=~Q(key=""), name="event_identifier_once_per_season"
            ),
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(ends_at__gte=F("starts_at")),
                name="event_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=Q(table_size__range=(2, 10), final_table_size__range=(2, 10)),
                name="event_table_sizes_known",
            ),
        )

    def __str__(self) -> str:
        return self.name or f"{self.season} {self.starts_at.astimezone(self.season.club.tz):%Y-%m-%d}"

    def get_absolute_url(self) -> str:
        return reverse("standings:event", args=[self.season.club.slug, self.pk])
