from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, Pool


class GameKind(models.TextChoices):
    """What is played: mahjong fixes how many sit at a table, and alone can be entered by scores."""

    POKER = "poker", _("Poker")
    MAHJONG_4 = "mahjong-4", _("Mahjong, four players")
    MAHJONG_3 = "mahjong-3", _("Mahjong, three players")
    OTHER = "other", _("Another game")


# Players of a table, where the game fixes them.
SEATS = {GameKind.MAHJONG_4: 4, GameKind.MAHJONG_3: 3}


class EntryForm(models.TextChoices):
    """How the results of a game are entered."""

    ORDER = "order", _("finishing order")
    SCORES = "scores", _("tables with scores")
    BALANCES = "balances", _("a balance for each player")


class Game(models.Model):
    """A game that a club plays: which pool rates it by default, and how its results are entered.

    `scoring` holds the fields of scores.rules.ScoreRules for games with scores or balances.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="games", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=60)
    kind = models.CharField(_("game"), max_length=10, choices=GameKind.choices)
    entry_form = models.CharField(_("results"), max_length=8, choices=EntryForm.choices)
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="games", verbose_name=_("rating pool"))
    table_size = models.PositiveSmallIntegerField(_("seats at a table"), default=9)
    scoring = models.JSONField(_("rules of scoring"), null=True, blank=True)
    is_shut = models.BooleanField(_("shut"), default=False, help_text=_("A shut game takes no new events."))

    class Meta:
        ordering = ("club", "pk")
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = (
            models.UniqueConstraint(fields=("club", "name"), name="game_name_once_per_club"),
            models.CheckConstraint(condition=Q(kind__in=GameKind.values), name="game_kind_known"),
            models.CheckConstraint(condition=Q(entry_form__in=EntryForm.values), name="game_form_known"),
            models.CheckConstraint(condition=Q(table_size__range=(2, 10)), name="game_table_size_known"),
        )

    def __str__(self) -> str:
        return self.name
