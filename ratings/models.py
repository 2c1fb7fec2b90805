"""Skill ratings: what each player is rated now, and what each event did to him. All rows are computed."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import Event, Player, Pool


class PlayerRating(models.Model):
    pool = models.ForeignKey(Pool, models.CASCADE, related_name="ratings", verbose_name=_("rating pool"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings", verbose_name=_("player"))
    mu = models.FloatField(_("mean of skill"))
    sigma = models.FloatField(_("uncertainty"))
    n_events = models.PositiveIntegerField(_("rated events"))
    last_at = models.DateTimeField(_("last event"))

    class Meta:
        ordering = ("pool", "player")
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = (models.UniqueConstraint(fields=("pool", "player"), name="rating_once_per_player"),)

    def __str__(self) -> str:
        return f"{self.player}: {self.mu:.0f} ± {self.sigma:.0f}"


class RatedEntry(models.Model):
    """A player's rating before and after one event.

    These rows outlive a deleted or moved event until the recomputation that replaces them: their priors are
    where it starts, and `starts_at` is the order they were rated in. Hence no constraint on the event.
    """

    pool = models.ForeignKey(
        Pool, models.CASCADE, related_name="rated_entries", verbose_name=_("rating pool")
    )
    event = models.ForeignKey(
        Event, models.DO_NOTHING, db_constraint=False, related_name="rated_entries", verbose_name=_("event")
    )
    player = models.ForeignKey(Player, models.CASCADE, related_name="rated_entries", verbose_name=_("player"))
    starts_at = models.DateTimeField(_("start"))
    place = models.PositiveIntegerField(_("place among players"))
    field_size = models.PositiveIntegerField(_("players"))
    n_before = models.PositiveIntegerField(_("rated events before"))
    last_at = models.DateTimeField(_("event before"), null=True)
    prior_mu = models.FloatField()
    prior_sigma = models.FloatField()
    posterior_mu = models.FloatField()
    posterior_sigma = models.FloatField()

    class Meta:
        ordering = ("pool", "starts_at", "event", "place", "player")
        verbose_name = _("rated entry")
        verbose_name_plural = _("rated entries")
        constraints = (
            models.UniqueConstraint(fields=("event", "player"), name="rated_entry_once_per_player"),
        )
        indexes = (
            models.Index(fields=("pool", "starts_at", "event"), name="rated_entry_order"),
            models.Index(fields=("player", "starts_at"), name="rated_entry_player"),
        )

    def __str__(self) -> str:
        return f"{self.player}: {self.prior_mu:.0f} to {self.posterior_mu:.0f}"
