"""Store what the operator of the site allows: who may sign up, which clubs are listed, how much an account may do."""

from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

MOST = 1_000_000_000


class SignUp(models.TextChoices):
    ANYBODY = "anybody", _("anybody")
    INVITED = "invited", _("who has the link of an invitation to a club")
    NOBODY = "nobody", _("nobody")


class ListingRule(models.TextChoices):
    ANYBODY = "anybody", _("every club that wants it")
    APPROVED = "approved", _("clubs that the operator has looked at")
    NOBODY = "nobody", _("none")


def _limit(label: object, default: int) -> "models.PositiveIntegerField[int, int]":
    return models.PositiveIntegerField(
        label,  # type: ignore[arg-type]  # a lazy text
        default=default,
        validators=[MinValueValidator(0), MaxValueValidator(MOST)],
    )


class SiteRules(models.Model):
    """One row, or none while the operator has changed nothing. Superusers have no limits."""

    sign_up = models.CharField(
        _("who may make an account"), max_length=8, choices=SignUp.choices, default=SignUp.ANYBODY
    )
    listing = models.CharField(
        _("which clubs are in the directory"),
        max_length=8,
        choices=ListingRule.choices,
        default=ListingRule.APPROVED,
    )
    clubs = _limit(_("clubs that one account owns"), 20)
    players = _limit(_("players of a club"), 50_000)
    uploads = _limit(_("files that one account sends on a day"), 200)
    mails = _limit(_("invitations that one account mails on a day"), 200)
    runs = _limit(_("laboratory runs that one account starts on a day"), 100)

    class Meta:
        verbose_name = _("rules of the site")
        verbose_name_plural = _("rules of the site")
        constraints = (
            models.CheckConstraint(condition=models.Q(pk=1), name="site_rules_once"),
            models.CheckConstraint(condition=models.Q(sign_up__in=SignUp.values), name="sign_up_known"),
            models.CheckConstraint(
                condition=models.Q(listing__in=ListingRule.values), name="listing_rule_known"
            ),
        )

    def __str__(self) -> str:
        return str(self._meta.verbose_name)

    @classmethod
    def current(cls) -> Self:
        return cls.objects.first() or cls(pk=1)


class Use(models.TextChoices):
    """Name what an account may do only so often on a day, as the limits in SiteRules are named."""

    UPLOADS = "uploads"
    MAILS = "mails"
    RUNS = "runs"


class UseOfDay(models.Model):
    """Count how often an account has done something on a day of UTC; deleted after a week."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("account")
    )
    what = models.CharField(_("what"), max_length=8, choices=Use.choices)
    day = models.DateField(_("day"), db_index=True)
    n = models.PositiveIntegerField(_("how often"), default=0)

    class Meta:
        verbose_name = _("use of a day")
        verbose_name_plural = _("uses of a day")
        constraints = (models.UniqueConstraint(fields=("user", "what", "day"), name="use_of_day_once"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.what}, {self.day}"
