"""Hooks of a club, the messages about what has happened in it, and their deliveries."""

import secrets
from base64 import b64encode
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models import Club, Pool
from league.vocabulary import gettext_lazy

MOST_HOOKS = 10  # of a club
MOST_OF_URL, MOST_OF_ANSWER = 500, 1_000
LONGEST_WAIT = timedelta(hours=12)  # between two tries
KEPT = timedelta(days=30)  # messages and what was answered to them
SECRET_BYTES = 24


def new_secret() -> str:
    """Make a secret as the Standard Webhooks convention writes one."""
    return f"whsec_{b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}"


def new_message_id() -> str:
    """Make the id of a message, which is the same each time it is sent."""
    return f"msg_{secrets.token_hex(12)}"


class Target(models.TextChoices):
    """Who is at the other end of a hook."""

    PROGRAM = "program", _("a program of your own (Standard Webhooks)")
    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    TELEGRAM = "telegram", "Telegram"


class Kind(models.TextChoices):
    """What a message is about."""

    RESULT_PUBLISHED = "result.published", _("result published")
    RESULT_CORRECTED = "result.corrected", _("result corrected, deleted or brought back")
    STANDINGS_CHANGED = "standings.changed", _("standings computed anew")
    BADGE_CHANGED = "badge.changed", _("badge changed")
    SEASON_CLOSED = "season.closed", _("season closed")
    EVENT_PLANNED = "event.planned", gettext_lazy("%(night_word)s planned or changed")
    ANSWER_GIVEN = "answer.given", _("answer of a member given")


class Hook(models.Model):
    """An address that is told what happens in a club.

    A chat hook that `asks_first` sends nothing before an organizer has looked at it. One that has failed for long is
    switched off, and its club's owners are told.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="hooks", verbose_name=_("club"))
    target = models.CharField(_("to"), max_length=8, choices=Target.choices)
    name = models.CharField(_("name"), max_length=60)
    url = models.CharField(_("address"), max_length=MOST_OF_URL)
    chat = models.CharField(
        _("chat"), max_length=60, blank=True
    )  # of Telegram, whose address has the bot alone
    secret = models.CharField(max_length=80, default=new_secret, editable=False)
    kinds = models.JSONField(_("told about"), default=list)
    asks_first = models.BooleanField(_("show me before it is sent"), default=False)
    is_on = models.BooleanField(_("on"), default=True)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True, editable=False)
    failed_at = models.DateTimeField(_("last failure"), null=True, blank=True, editable=False)
    # Hooks take turns: the one that was tried longest ago is next, and none before its pause is over.
    tried_at = models.DateTimeField(_("last tried"), null=True, blank=True, editable=False)
    rests_until = models.DateTimeField(_("rests until"), null=True, blank=True, editable=False)
    on_since = models.DateTimeField(_("on since"), default=timezone.now, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        ordering = ("club", "pk")
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = (
            models.UniqueConstraint(fields=("club", "name"), name="hook_name_once_per_club"),
            models.CheckConstraint(condition=Q(target__in=Target.values), name="hook_target_known"),
        )

    def __str__(self) -> str:
        return self.name

    def wants(self, kind: str) -> bool:
        return kind in self.kinds


class SeenPool(models.Model):
    """Up to which version the changes of a pool have become messages.

    The history is the outbox: a change that was saved is told even if every process is killed right after it.
    """

    pool = models.OneToOneField(Pool, models.CASCADE, related_name="told", verbose_name=_("rating pool"))
    version = models.PositiveBigIntegerField(_("version told"))
    rated_version = models.PositiveBigIntegerField(_("version of ratings told"), default=0)
    badges = models.JSONField(_("badges told"), default=dict)  # by player, of those whose placement was over

    class Meta:
        verbose_name = _("told changes of a pool")
        verbose_name_plural = _("told changes of pools")

    def __str__(self) -> str:
        return f"{self.pool}: {self.version}"


class Message(models.Model):
    """Something that has happened in a club: ids and addresses, and no names, which may be hidden later."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="messages", verbose_name=_("club"))
    name = models.CharField(max_length=40, unique=True, default=new_message_id, editable=False)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    # What it is about: later messages about the same thing wait for it.
    subject = models.CharField(_("about"), max_length=40)
    data = models.JSONField(_("content"))
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        indexes = (models.Index(fields=("at",), name="message_by_time"),)

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}"


class State(models.TextChoices):
    """What has become of a message to a hook."""

    ASKED = "asked", pgettext_lazy("a message", "waits for you")
    WAITING = "waiting", pgettext_lazy("a message", "waits to be sent")
    SENT = "sent", pgettext_lazy("a message", "sent")
    GIVEN_UP = "given-up", pgettext_lazy("a message", "given up")
    LEFT_OUT = "left-out", pgettext_lazy("a message", "not sent")


OPEN = (State.ASKED, State.WAITING)


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self) -> "DeliveryQuerySet":
        """Select what may be sent now, the oldest first: of each thing only the first that waits."""
        earlier = Delivery.objects.filter(
            hook=OuterRef("hook"),
            message__subject=OuterRef("message__subject"),
            message__lt=OuterRef("message"),
            state__in=OPEN,
        )
        now = timezone.now()
        too_far = now + 2 * LONGEST_WAIT  # a clock was set back
        rests = Q(hook__rests_until__gt=now, hook__rests_until__lt=too_far)
        is_due = Q(due_at__lte=now) | Q(due_at__gt=too_far)
        waiting = self.filter(~rests, is_due, state=State.WAITING, hook__is_on=True)
        in_turn = F("hook__tried_at").asc(nulls_first=True), "due_at", "pk"
        return waiting.filter(~Exists(earlier), hook__club__deleted_at=None).order_by(*in_turn)


class Delivery(models.Model):
    """The sending of a message to a hook, with what was answered last."""

    hook = models.ForeignKey(Hook, models.CASCADE, related_name="deliveries", verbose_name=_("webhook"))
    message = models.ForeignKey(Message, models.CASCADE, related_name="deliveries", verbose_name=_("message"))
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField(_("due"), default=timezone.now)
    claimed_at = models.DateTimeField(_("last begun"), null=True)
    n_tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    status = models.PositiveSmallIntegerField(_("status of the answer"), null=True)
    answer = models.CharField(_("answer"), max_length=MOST_OF_ANSWER, blank=True)
    sent_at = models.DateTimeField(_("sent"), null=True)

    objects: ClassVar[DeliveryQuerySet] = DeliveryQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints = (
            models.UniqueConstraint(fields=("hook", "message"), name="delivery_once_per_hook"),
            models.CheckConstraint(condition=Q(state__in=State.values), name="delivery_state_known"),
        )
        indexes = (models.Index(fields=("due_at",), condition=Q(state="waiting"), name="delivery_waiting"),)

    def __str__(self) -> str:
        return f"{self.hook}: {self.message.name}"
