import hashlib
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

MAX_LABEL = 60
KEPT = timedelta(days=1)  # answers of writes with a key of their own


def mark_of_password(user: User) -> str:
    """Compute what a key remembers of the password; another password, or the same one set again, has another mark."""
    return hashlib.sha256(user.password.encode()).hexdigest()


class ApiKey(AbstractAuthToken):
    """A key that gives a program the rights of its user. Its SHA-512 and its first letters are stored.

    It is compared with the user's password each time it is used, as sessions are, so that no way to change a password
    leaves it in force.
    """

    class Scope(models.TextChoices):
        READ = "read", _("read")
        WRITE = "write", _("read and write")

    label = models.CharField(_("label"), max_length=MAX_LABEL)
    scope = models.CharField(_("rights"), max_length=5, choices=Scope.choices)
    password_mark = models.CharField(max_length=64, editable=False)

    class Meta:
        ordering = ("created", "digest")
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        constraints = (models.UniqueConstraint(fields=("user", "label"), name="api_key_label_once_per_user"),)

    def __str__(self) -> str:
        return self.label

    @property
    def has_expired(self) -> bool:
        return self.expiry is not None and self.expiry <= timezone.now()

    @property
    def is_of_old_password(self) -> bool:
        return self.password_mark != mark_of_password(self.user)


class SentWrite(models.Model):
    """A write that a program has sent with an `Idempotency-Key`, and its answer; forgotten after a day."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("account"))
    key = models.CharField(_("key"), max_length=200)
    digest = models.CharField(max_length=64)  # of the request: a key is good for one
    status = models.PositiveSmallIntegerField(_("status"), default=0)
    answer = models.TextField(_("answer"), blank=True)
    at = models.DateTimeField(_("at"), default=timezone.now, db_index=True)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("sent write")
        verbose_name_plural = _("sent writes")
        constraints = (models.UniqueConstraint(fields=("user", "key"), name="sent_write_once_per_key"),)

    def __str__(self) -> str:
        return self.key


class Lifetime(models.TextChoices):
    """For how long a new key is in force."""

    FOREVER = "", _("until you revoke it")
    MONTH = "30", _("30 days")
    QUARTER = "90", _("90 days")
    YEAR = "365", _("1 year")

    @property
    def duration(self) -> timedelta | None:
        return timedelta(days=int(self.value)) if self.value else None
