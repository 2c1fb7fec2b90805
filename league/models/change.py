from datetime import UTC, datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from league.models.bin import BinItem
from league.models.club import Pool
from league.models.event import Event

MAX_REASON = 200
# The user name that takes the place of a deleted account's. Nobody can sign up with it (people.accounts.usernames).
FORMER = gettext_noop("a former account")
# Before any event, so that everything is rated again.
BEGINNING = datetime(1, 1, 1, tzinfo=UTC)


def shown_account(username: str) -> str:
    """Write a user name; the one of deleted accounts in the reader's language."""
    return gettext(FORMER) if username == FORMER else username


class Recorded(models.Model):
    """Who changed something, when, from what to what."""

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("by"),
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)
    before = models.JSONField(_("before"), default=dict, blank=True)
    after = models.JSONField(_("after"), default=dict, blank=True)

    class Meta:
        abstract = True


class Change(Recorded):
    """One line of a pool's history: what was changed, by whom, from what to what.

    `version` is the pool's data_version after the change. `rated_from` is the start of the first event whose
    ratings the change can affect; empty if it affects none (a new name, another points structure).
    """

    class Kind(models.TextChoices):
        RESULT_ENTERED = "result-entered", _("result entered")
        RESULT_CORRECTED = "result-corrected", _("result corrected")
        RESULT_DELETED = "result-deleted", _("result deleted")
        RESULT_RESTORED = "result-restored", _("result brought back")
        EVENT_MOVED = "event-moved", _("event moved to another season")
        RULES_CHANGED = "rules-changed", _("points rules changed")
        TERMS_CHANGED = "terms-changed", _("terms of an event changed")
        MONEY_CHANGED = "money-changed", _("money of an event changed")
        TOTALS_BROUGHT = "totals-brought", _("totals brought forward")
        RATINGS_CHANGED = "ratings-changed", _("rating settings changed")
        RATINGS_BROUGHT = "ratings-brought", _("ratings brought forward")
        SEASON_OPENED = "season-opened", _("season opened")
        SEASON_CHANGED = "season-changed", _("season changed")
        SEASON_DELETED = "season-deleted", _("season deleted")
        SEASON_RESTORED = "season-restored", _("season brought back")
        SEASON_SEALED = "season-sealed", _("season sealed")
        SEASON_UNSEALED = "season-unsealed", _("season's seal broken")
        MEET_CHANGED = "meet-changed", _("meet changed")
        SCHEDULE_CHANGED = "schedule-changed", _("planned event changed")
        AWARDS_CHANGED = "awards-changed", _("season awards changed")
        PLAYERS_ADDED = "players-added", _("players added")
        PLAYER_RENAMED = "player-renamed", _("player renamed")
        PLAYERS_MERGED = "players-merged", _("players merged")
        PLAYERS_UNMERGED = "players-unmerged", _("merge of players undone")
        PLAYER_DELETED = "player-deleted", _("player deleted")
        PLAYER_RESTORED = "player-restored", _("player brought back")
        NAMES_CHANGED = "names-changed", _("other names of players changed")
        CLUB_CHANGED = "club-changed", _("club changed")
        GAME_CHANGED = "game-changed", _("game changed")
        POOL_CHANGED = "pool-changed", _("rating pool changed")
        # A result of a season with another pool changed, which this pool rates; the history shows that change alone.
        RATINGS_TOUCHED = "ratings-touched", _("rated result changed")

    pool = models.ForeignKey(Pool, models.CASCADE, related_name="changes", verbose_name=_("rating pool"))
    version = models.PositiveBigIntegerField(_("version"))
    kind = models.CharField(_("what"), max_length=20, choices=Kind.choices)
    event = models.ForeignKey(
        Event, models.SET_NULL, null=True, blank=True, related_name="changes", verbose_name=_("event")
    )
    season = models.ForeignKey(
        "league.Season", models.SET_NULL, null=True, blank=True, verbose_name=_("season")
    )
    # Where the event or season is that the change was about, if it was deleted.
    in_bin = models.ForeignKey(
        BinItem, models.SET_NULL, null=True, blank=True, related_name="changes", verbose_name=_("in the bin")
    )
    # Why, in the words of who changed it.
    reason = models.CharField(_("reason"), max_length=MAX_REASON, blank=True)
    rated_from = models.DateTimeField(_("touches ratings from"), null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        constraints = (
            models.UniqueConstraint(fields=("pool", "version"), name="change_version_once_per_pool"),
        )

    def __str__(self) -> str:
        return f"{self.pool} {self.version}: {self.get_kind_display()}"
