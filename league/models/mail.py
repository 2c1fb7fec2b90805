from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.club import Club


class MailKind(models.TextChoices):
    """Mails of a club that a member can choose. Others are needed: of the own account, and invitations."""

    RIGHTS = "rights", _("Changes of your role, or of the player you are")
    RESULTS = "results", _("Results, once an event is over")
    TRAY = "tray", _("What waits for you if you run the club, at most once a day")

    @property
    def is_sent_unasked(self) -> bool:
        return self == MailKind.RIGHTS


class MailChoice(models.Model):
    """What a member said about a kind of mail of a club; without one, `MailKind.is_sent_unasked` decides."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("account")
    )
    club = models.ForeignKey(Club, models.CASCADE, related_name="+", verbose_name=_("club"))
    kind = models.CharField(_("kind"), max_length=10, choices=MailKind.choices)
    is_wanted = models.BooleanField(_("wanted"))
    # That of the page on which the member chose: the site knows no other of its mails' readers.
    language = models.CharField(_("language"), max_length=10, blank=True)

    class Meta:
        verbose_name = _("choice of mails")
        verbose_name_plural = _("choices of mails")
        constraints = (models.UniqueConstraint(fields=("user", "club", "kind"), name="mail_choice_once"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.club}, {self.kind}"
