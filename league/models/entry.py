from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models.event import Event
from league.models.player import Player


class Entry(models.Model):
    """One buy-in of a player. number > 1 is a re-entry; place is this entry's place among all entries.

    Knock-outs are those made with this entry. Cost is in the unit of the event's buy-in, add-ons included: a player
    paid the sum of the recorded costs, or the buy-in for each entry if none is recorded.

    Of a game with scores, `score` is in points as they are counted at the table; balance and penalty are in thousands
    of them, after the rules of the event. The balance is what remains of all: it contains chips and penalty.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="entries", verbose_name=_("event"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries", verbose_name=_("player"))
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    place = models.PositiveIntegerField(_("place"))
    is_last = models.BooleanField(_("the player's last entry"), default=True)
    registered_at = models.DateTimeField(_("registered"), null=True, blank=True)
    busted_at = models.DateTimeField(_("out"), null=True, blank=True)
    knockouts = models.PositiveSmallIntegerField(_("knock-outs"), null=True, blank=True)
    cost = models.DecimalField(_("cost"), max_digits=12, decimal_places=3, null=True, blank=True)
    score = models.DecimalField(_("score"), max_digits=12, decimal_places=1, null=True, blank=True)
    balance = models.DecimalField(_("balance"), max_digits=12, decimal_places=3, null=True, blank=True)
    chips = models.SmallIntegerField(_("chips"), null=True, blank=True)
    penalty = models.DecimalField(_("penalty"), max_digits=12, decimal_places=3, null=True, blank=True)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)

    class Meta:
        ordering = ("event", "place", "pk")
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = (
            models.UniqueConstraint(
                fields=("event", "player", "number"), name="entry_number_once_per_player"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="entry_number_from_1"),
            models.CheckConstraint(condition=Q(place__gte=1), name="entry_place_from_1"),
            models.CheckConstraint(
                condition=Q(registered_at__isnull=True)
                | Q(busted_at__isnull=True)
                | Q(busted_at__gte=F("registered_at")),
                name="entry_out_after_registered",
            ),
            models.CheckConstraint(condition=Q(cost__isnull=True) | Q(cost__gte=0), name="entry_cost_from_0"),
        )

    def __str__(self) -> str:
        return f"{self.player} #{self.number}: {self.place}"
