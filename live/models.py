"""A night run live: its passes and devices, its log of actions, and what is held."""

import uuid
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from league.models import Club, Entry, Event, PlannedEvent, Player, Season

SHA256 = 64  # letters
LONGEST_ID = 64  # letters of the id of an action
LONGEST_REASON = 200


class Night(models.Model):
    """An evening that is run live. It is apart from its event, so that ratings never meet an event without a result.

    `head` is the number of the last action. The season may be chosen later; the event is there once it is published.
    """

    class Stage(models.TextChoices):
        OPEN = "open", _("open")
        PUBLISHED = "published", _("published")
        CALLED_OFF = "called-off", _("called off")

    club = models.ForeignKey(Club, models.CASCADE, related_name="nights", verbose_name=_("club"))
    season = models.ForeignKey(
        Season, models.SET_NULL, null=True, blank=True, related_name="nights", verbose_name=_("season")
    )
    event = models.OneToOneField(
        Event, models.SET_NULL, null=True, blank=True, related_name="night", verbose_name=_("event")
    )
    planned_event = models.ForeignKey(
        PlannedEvent,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="nights",
        verbose_name=_("planned event"),
    )
    # The night of the same evening whose players are at hand here too.
    beside = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="others",
        verbose_name=_("same evening as"),
    )
    name = models.CharField(_("name"), max_length=80, blank=True)
    stage = models.CharField(_("stage"), max_length=12, choices=Stage.choices, default=Stage.OPEN)
    starts_at = models.DateTimeField(_("start"))
    # From the form that began it and into its event, so that both are saved once.
    form_token = models.UUIDField(null=True, blank=True, unique=True, editable=False)
    head = models.PositiveIntegerField(default=0, editable=False)
    published_head = models.PositiveIntegerField(null=True, blank=True, editable=False)
    published_version = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # How big blinds in play fell as players went out, for the end of later nights (live.engine.ending).
    course = models.JSONField(null=True, blank=True, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ("-starts_at", "pk")
        verbose_name = _("live night")
        verbose_name_plural = _("live nights")

    def __str__(self) -> str:
        return self.name or f"{self.season or self.club} {self.starts_at.astimezone(self.club.tz):%Y-%m-%d}"

    @property
    def is_open(self) -> bool:
        return self.stage == self.Stage.OPEN


class Role(models.TextChoices):
    """Name what a device may do at a night (live.roles)."""

    ORGANIZER = "organizer", _("organizer")
    HELPER = "helper", _("helper")
    PLAYER = "player", _("player")
    SCREEN = "screen", _("screen")
    SPECTATOR = "spectator", _("spectator")


class Pass(models.Model):
    """A link or code by which devices join a night. Only the hash of its secret is stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    night = models.ForeignKey(Night, models.CASCADE, related_name="passes", verbose_name=_("live night"))
    secret_sha256 = models.CharField(max_length=SHA256, unique=True, editable=False)
    role = models.CharField(_("role"), max_length=12, choices=Role.choices)
    max_devices = models.PositiveSmallIntegerField(_("most devices"), default=10)
    expires_at = models.DateTimeField(_("ends"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("pass")
        verbose_name_plural = _("passes")

    def __str__(self) -> str:
        return self.get_role_display()


class Device(models.Model):
    """A phone or laptop of a night: of a pass or of an account, never of both.

    The log names it by its token. `unsent` and `unsent_kind` are what it said it had not sent yet, so that taps lost
    with a phone are known.
    """

    night = models.ForeignKey(Night, models.CASCADE, related_name="devices", verbose_name=_("live night"))
    token = models.UUIDField(default=uuid.uuid4, editable=False)
    role = models.CharField(_("role"), max_length=12, choices=Role.choices)
    joined_by = models.ForeignKey(Pass, models.SET_NULL, null=True, blank=True, related_name="devices")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # Whose phone it is, if the account that joined has claimed a player of the club: the id, as logs have it.
    claimed_id = models.PositiveBigIntegerField(null=True, editable=False)
    # None for what an account decides on pages, and in a copy of a club.
    key_sha256 = models.CharField(max_length=SHA256, unique=True, null=True, editable=False)
    name = models.CharField(_("name"), max_length=60)
    joined_at = models.DateTimeField(_("joined"), auto_now_add=True)
    last_counter = models.PositiveIntegerField(default=0, editable=False)
    last_at_ms = models.BigIntegerField(default=-1, editable=False)
    last_seen_at = models.DateTimeField(_("last seen"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    replaces = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="replaced_by")
    unsent = models.PositiveIntegerField(default=0, editable=False)
    unsent_kind = models.CharField(max_length=12, blank=True, editable=False)
    unsent_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The second in which it sent its last batches, and how many (live.services.log).
    second = models.BigIntegerField(default=0, editable=False)
    n_in_second = models.PositiveSmallIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")
        constraints = (
            models.UniqueConstraint(fields=("night", "token"), name="device_token_once_per_night"),
            models.CheckConstraint(
                condition=Q(joined_by__isnull=True) | Q(user__isnull=True), name="device_of_pass_or_account"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @cached_property
    def player(self) -> Player | None:
        """Find whose phone it is; None for a phone of nobody who is known."""
        if self.claimed_id is None:
            return None
        return Player.objects.filter(pk=self.claimed_id, club=self.night.club_id).first()


class Action(models.Model):
    """One thing that was tapped. Rows are inserted and never changed."""

    night = models.ForeignKey(Night, models.CASCADE, related_name="actions", verbose_name=_("live night"))
    name = models.CharField(max_length=LONGEST_ID)  # its id in the log, made by the device
    seq = models.PositiveIntegerField()
    device = models.ForeignKey(Device, models.CASCADE, related_name="actions", verbose_name=_("device"))
    counter = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    body = models.JSONField()
    content_sha256 = models.CharField(max_length=SHA256)
    tap_ms = models.BigIntegerField()
    offset_ms = models.BigIntegerField(null=True)
    seen = models.PositiveIntegerField()
    received_ms = models.BigIntegerField()
    at_ms = models.BigIntegerField()
    is_unsure = models.BooleanField()

    class Meta:
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        constraints = (
            models.UniqueConstraint(fields=("night", "name"), name="action_once_per_night"),
            models.UniqueConstraint(fields=("night", "seq"), name="action_number_once_per_night"),
            models.UniqueConstraint(fields=("device", "counter"), name="action_counter_once_per_device"),
        )

    def __str__(self) -> str:
        return f"{self.seq}: {self.kind}"


class HeldAction(models.Model):
    """An action that is not part of the log, as it was sent, and why. It is never dropped."""

    night = models.ForeignKey(Night, models.CASCADE, related_name="held", verbose_name=_("live night"))
    device = models.ForeignKey(Device, models.CASCADE, related_name="held", verbose_name=_("device"))
    raw = models.JSONField()
    content_sha256 = models.CharField(max_length=SHA256)
    why = models.CharField(max_length=LONGEST_REASON)
    received_ms = models.BigIntegerField()

    class Meta:
        verbose_name = _("held action")
        verbose_name_plural = _("held actions")
        constraints = (
            models.UniqueConstraint(
                fields=("night", "device", "content_sha256"), name="held_once_per_content"
            ),
        )

    def __str__(self) -> str:
        return self.why

    @property
    def _fields(self) -> dict[str, Any]:
        return self.raw if isinstance(self.raw, dict) else {}

    @property
    def name(self) -> str:
        """The id that its device gave it; empty if it has none."""
        found = self._fields.get("id")
        return found if isinstance(found, str) else ""

    @property
    def kind(self) -> str:
        found = self._fields.get("kind")
        return found if isinstance(found, str) else ""

    @property
    def body(self) -> dict[str, Any]:
        found = self._fields.get("body")
        return found if isinstance(found, dict) else {}

    @property
    def tapped_ms(self) -> int:
        """Find when it was tapped, as far as the device knew the time; never later than it came."""
        times = [self._fields.get(name) for name in ("tap_ms", "offset_ms")]
        tap, offset = (each if isinstance(each, int) else 0 for each in times)
        return min(tap + offset, self.received_ms) if tap > 0 and tap + offset > 0 else self.received_ms

    @property
    def tapped_at(self) -> datetime:
        return datetime.fromtimestamp(self.tapped_ms / 1000, UTC)


class Hunt(models.Model):
    """Keep who put whom out at a night that is published."""

    night = models.ForeignKey(Night, models.CASCADE, related_name="hunts", verbose_name=_("live night"))
    hunter = models.ForeignKey(Entry, models.CASCADE, related_name="+", verbose_name=_("hunter"))
    hunted = models.OneToOneField(Entry, models.CASCADE, related_name="+", verbose_name=_("hunted"))

    class Meta:
        verbose_name = _("knock-out")
        verbose_name_plural = _("knock-outs")

    def __str__(self) -> str:
        return f"{self.hunter}: {self.hunted}"


class BlindStructure(models.Model):
    """Levels that a club keeps, as the log has them."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="blind_structures", verbose_name=_("club"))
    name = models.CharField(_("name"), max_length=60)
    levels = models.JSONField(_("levels"))

    class Meta:
        ordering = ("name", "pk")
        verbose_name = _("blind structure")
        verbose_name_plural = _("blind structures")
        constraints = (
            models.UniqueConstraint(fields=("club", "name"), name="blind_structure_name_once_per_club"),
        )

    def __str__(self) -> str:
        return self.name


class ChipCase(models.Model):
    """The chips that a club owns: a list of (value, number, colour)."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="chip_case", verbose_name=_("club"))
    chips = models.JSONField(_("chips"), default=list)

    class Meta:
        verbose_name = _("chip case")
        verbose_name_plural = _("chip cases")

    def __str__(self) -> str:
        return str(self.club)

    @property
    def counts(self) -> dict[int, int]:
        return {value: n for value, n, _colour in self.chips}


class Cast(models.Model):
    """A screen that shows a code and waits until an organizer types it."""

    code = models.CharField(_("code"), max_length=6, unique=True)
    token_sha256 = models.CharField(max_length=SHA256, unique=True, editable=False)
    night = models.ForeignKey(
        Night, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("live night")
    )
    # Another night of the club, shown on the other half of the screen.
    beside = models.ForeignKey(
        Night, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("and beside it")
    )
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("waiting screen")
        verbose_name_plural = _("waiting screens")

    def __str__(self) -> str:
        return self.code
