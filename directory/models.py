"""Store which clubs want to be found, and what readers report to the operator of the site."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models import BEGINNING, Club, ListingRule, SiteRules

MOST_OF_PLACE = 60
MOST_OF_PLACE_KEY, MOST_OF_KEY = 240, 320  # a few letters are long once they are folded
MOST_OF_REPORT = 1_000


class State(models.TextChoices):
    ASKED = "asked", _("waits for the operator")
    LISTED = "listed", _("in the directory")
    REFUSED = "refused", _("not taken in")


class ListingQuerySet(models.QuerySet["Listing"]):
    def shown(self) -> "ListingQuerySet":
        """Select what everybody sees in the directory, the club with the last event first."""
        if SiteRules.current().listing == ListingRule.NOBODY:
            return self.none()
        found = self.filter(state=State.LISTED, club__is_public=True, club__deleted_at=None)
        return found.select_related("club").order_by("-last_event_at", "-pk")


class Listing(models.Model):
    """The line of a club that wants to be in the directory.

    What is counted in it is that of `counted_version`, the sum of the versions of the club's pools.
    """

    club = models.OneToOneField(Club, models.CASCADE, related_name="listing", verbose_name=_("club"))
    # As it was when the listing was asked for: another name is looked at again before it is shown.
    name = models.CharField(_("name"), max_length=80, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.ASKED)
    place = models.CharField(pgettext_lazy("where", "place"), max_length=MOST_OF_PLACE, blank=True)
    place_key = models.CharField(max_length=MOST_OF_PLACE_KEY, blank=True, db_index=True, editable=False)
    answer = models.CharField(_("answer of the operator"), max_length=200, blank=True)
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)
    last_event_at = models.DateTimeField(_("last event"), default=BEGINNING)  # BEGINNING without one
    n_members = models.PositiveIntegerField(_("members"), default=0)
    counted_version = models.BigIntegerField(_("version of the counts"), default=-1)

    objects: ClassVar[ListingQuerySet] = ListingQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("listing")
        verbose_name_plural = _("listings")
        indexes = (models.Index(fields=("state", "-last_event_at", "-id"), name="listing_by_last_event"),)
        constraints = (
            models.CheckConstraint(condition=models.Q(state__in=State.values), name="listing_state_known"),
        )

    def __str__(self) -> str:
        return f"{self.club}: {self.state}"

    @property
    def has_played(self) -> bool:
        return self.last_event_at > BEGINNING


class ListingKey(models.Model):
    """An ending of a listed club's name, so that an index finds the clubs with any part of a name."""

    listing = models.ForeignKey(Listing, models.CASCADE, related_name="keys", verbose_name=_("listing"))
    key = models.CharField(_("key"), max_length=MOST_OF_KEY, db_index=True)

    class Meta:
        verbose_name = _("key of a listing")
        verbose_name_plural = _("keys of listings")

    def __str__(self) -> str:
        return self.key


class Reason(models.TextChoices):
    PERSONAL = "personal", _("It shows something about a person who does not want that")
    INSULT = "insult", _("It insults or threatens somebody")
    SPAM = "spam", _("It is advertising, or no club at all")
    UNLAWFUL = "unlawful", _("It breaks the law")
    OTHER = "other", _("Something else")


class Report(models.Model):
    """Keep what a reader has told the operator about a club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="reports", verbose_name=_("club"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("reported by"),
    )
    reason = models.CharField(_("reason"), max_length=8, choices=Reason.choices)
    text = models.CharField(_("what is wrong"), max_length=MOST_OF_REPORT, blank=True)
    page = models.CharField(_("page"), max_length=200, blank=True)
    made_at = models.DateTimeField(_("reported"), auto_now_add=True)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True, db_index=True)

    class Meta:
        ordering = ("made_at", "pk")
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints = (
            models.CheckConstraint(condition=models.Q(reason__in=Reason.values), name="report_reason_known"),
        )

    def __str__(self) -> str:
        return f"{self.club}: {self.reason}"
