from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

MAX_LABEL = 60


class ApiKey(AbstractAuthToken):
    """A key that gives a program the rights of its user. Its SHA-512 and its first letters are stored."""

    label = models.CharField(_("label"), max_length=MAX_LABEL)

    class Meta:
        ordering = ("created", "digest")
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        constraints = (models.UniqueConstraint(fields=("user", "label"), name="api_key_label_once_per_user"),)

    def __str__(self) -> str:
        return self.label
