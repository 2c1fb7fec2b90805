"""Clubs, their members with roles, and rating pools."""

import zoneinfo
from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


def time_zones() -> list[tuple[str, str]]:
    """List the time zones of this machine. A function, so that migrations do not contain the list."""
    return [(name, name) for name in sorted(zoneinfo.available_timezones() - {"localtime"})]


def languages() -> list[tuple[str, str | Promise]]:
    """List the languages a club can have. A function, so that migrations do not contain the list."""
    return [("", _("that of the reader’s browser")), *settings.LANGUAGES]


RESTORABLE_FOR = timedelta(days=30)  # a deleted club


class EventWord(models.TextChoices):
    """The club's noun for an event, in both languages, since members may read either (league.vocabulary)."""

    EVENT = "", "event · 大会"
    EVENING = "evening", "evening · 定例戦"
    NIGHT = "night", "night · ナイト"
    TOURNAMENT = "tournament", "tournament · トーナメント"
    RACE = "race", "race · レース"
    GAME = "game", "game · ゲーム"
    HANCHAN = "hanchan", "hanchan · 半荘"
    MATCH = "match", "match · 試合"
    ROUND = "round", "round · ラウンド"


class NightWord(models.TextChoices):
    """The club's noun for a night with one or several events; without a choice it follows from that for an event."""

    SAME = "", "–"
    EVENING = "evening", "evening · 例会"
    NIGHT = "night", "night · ナイト"
    MEETING = "meeting", "meeting · 例会"
    WEEKEND = "weekend", "race weekend · レースウィーク"
    DAY = "day", "match day · 開催日"


class OutWord(models.TextChoices):
    """What a club calls it when a player is out."""

    BUST = "", "bust · 敗退"
    ELIMINATION = "elimination", "elimination · 脱落"
    EXIT = "exit", "exit · 退場"
    DEFEAT = "defeat", "defeat · 敗北"


class ClubQuerySet(models.QuerySet["Club"]):
    def visible_to(self, user: User | AnonymousUser) -> "ClubQuerySet":
        if user.is_superuser:
            return self.filter(deleted_at=None)
        mine = Q(memberships__user_id=user.pk) if user.is_authenticated else Q()
        return self.filter(Q(is_public=True) | mine, deleted_at=None).distinct()

    def expired(self) -> "ClubQuerySet":
        return self.filter(deleted_at__lte=timezone.now() - RESTORABLE_FOR)


class Club(models.Model):
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(
        _("address"), max_length=40, unique=True, help_text=_("Part of the address of the club's pages.")
    )
    time_zone = models.CharField(
        _("time zone"),
        max_length=40,
        default="UTC",
        choices=time_zones,
    )
    language = models.CharField(
        _("language"),
        max_length=10,
        blank=True,
        choices=languages,
        help_text=_("Of mails about the club, and of its pages for readers who have chosen no other."),
    )
    event_word = models.CharField(
        _("what you meet for is called"),
        max_length=12,
        blank=True,
        choices=EventWord.choices,
        default=EventWord.EVENT,
        help_text=_("Pages and mails of the club use this word."),
    )
    night_word = models.CharField(
        _("a night of several is called"),
        max_length=12,
        blank=True,
        choices=NightWord.choices,
        default=NightWord.SAME,
        help_text=_("Where one evening has several games, races or tables."),
    )
    out_word = models.CharField(
        _("losing one’s last chip or life is called"),
        max_length=12,
        blank=True,
        choices=OutWord.choices,
        default=OutWord.BUST,
    )
    is_public = models.BooleanField(
        _("public"), default=True, help_text=_("Anyone may read the pages. Otherwise only members may.")
    )
    requires_two_factor = models.BooleanField(
        _("two-factor sign-in for organizers"),
        default=False,
        help_text=_(
            "Organizers and owners need an authenticator app or a security key besides their password. "
            "Without one they may only read."
        ),
    )
    contact = models.EmailField(
        _("contact"),
        blank=True,
        help_text=_("An address of the organizers. Answers to mails of the club go there."),
    )
    # Hosts whose pages may show the leaderboard in a frame, divided by blanks (league.site.hosts).
    embed_hosts = models.CharField(_("sites that show the leaderboard"), max_length=1000, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    # A closed club is read as before and nothing in it is changed; a deleted one is gone for all but its owners.
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True, editable=False)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True, editable=False)
    # The operator has hidden the club: it is not public, and cannot be made public, until the operator shows it again.
    hidden_at = models.DateTimeField(_("hidden by the operator"), null=True, blank=True, editable=False)

    objects: ClassVar[ClubQuerySet] = ClubQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ("name", "pk")
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        constraints = (
            models.CheckConstraint(
                condition=Q(hidden_at=None) | Q(is_public=False), name="club_hidden_is_not_public"
            ),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("standings:club", args=[self.slug])

    @property
    def erased_on(self) -> datetime | None:
        """The moment from which a deleted club cannot be brought back."""
        return self.deleted_at and self.deleted_at + RESTORABLE_FOR

    @property
    def tz(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(self.time_zone)

    def start_of_day(self, moment: datetime) -> datetime:
        """Find when the day of a moment began by the club's clock."""
        return moment.astimezone(self.tz).replace(hour=0, minute=0, second=0, microsecond=0)


class Role(models.IntegerChoices):
    """What a person may do in a club; each role includes the ones below it."""

    PUBLIC = 0, _("public")
    MEMBER = 10, pgettext_lazy("role", "member")
    HELPER = 20, _("helper")
    ORGANIZER = 30, _("organizer")
    OWNER = 40, _("owner")


class Membership(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships", verbose_name=_("club"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships", verbose_name=_("user")
    )
    role = models.PositiveSmallIntegerField(
        _("role"),
        choices=[(role.value, role.label) for role in Role if role > Role.PUBLIC],
        default=Role.MEMBER,
    )
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)
    # The secret in the addresses of calendar and feeds of a private club, once the member has asked for them.
    feed_key = models.UUIDField(_("key of the calendar"), null=True, blank=True, unique=True, editable=False)

    class Meta:
        ordering = ("-role", "user__username")
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = (
            models.UniqueConstraint(fields=("club", "user"), name="membership_once_per_club"),
            models.CheckConstraint(
                condition=Q(role__in=[role.value for role in Role if role > Role.PUBLIC]),
                name="membership_role_known",
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()}, {self.club})"


class PoolKind(models.TextChoices):
    """How the events of a pool are rated."""

    TIER = "tier", _("TIER: skill from finishing orders")
    PROFIT = "profit", _("R: from the balance of each game")
    NONE = "none", _("no rating: counts for points only")


class Pool(models.Model):
    """The players and events rated together. data_version rises with every change of results, rules or settings.

    A shut pool takes no new events; its ratings stay and can still be corrected.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="pools", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=60)
    kind = models.CharField(_("rated by"), max_length=6, choices=PoolKind.choices, default=PoolKind.TIER)
    is_shut = models.BooleanField(_("shut"), default=False, help_text=_("A shut pool takes no new events."))
    data_version = models.PositiveBigIntegerField(_("version of the results"), default=0, editable=False)

    class Meta:
        ordering = ("club", "pk")
        verbose_name = _("rating pool")
        verbose_name_plural = _("rating pools")
        constraints = (
            models.UniqueConstraint(fields=("club", "name"), name="pool_name_once_per_club"),
            models.CheckConstraint(condition=Q(kind__in=PoolKind.values), name="pool_kind_known"),
        )

    def __str__(self) -> str:
        return f"{self.club}: {self.name}"
