"""Which results have been told by mail, and the mails that are to be sent."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models import Club, Event


class Announcement(models.Model):
    """An event of which the members have been told, or need not be told. It is never told of again."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="announcement", verbose_name=_("event"))
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")

    def __str__(self) -> str:
        return f"{self.event}: {self.at:%Y-%m-%d %H:%M}"


class ResultMail(models.Model):
    """A mail about results to a member; `sent_at` is set before it is sent, so that nobody sends it twice."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="+", verbose_name=_("club"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("account")
    )
    event_ids = models.JSONField(_("events"))
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    sent_at = models.DateTimeField(_("sent"), null=True, db_index=True)

    class Meta:
        verbose_name = _("mail of results")
        verbose_name_plural = _("mails of results")

    def __str__(self) -> str:
        return f"{self.user}: {self.club}, {self.made_at:%Y-%m-%d %H:%M}"


class TrayMail(models.Model):
    """The last mail to a person about what waits in a club, and what it named, so that nothing is told twice."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="+", verbose_name=_("club"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("account")
    )
    sent_at = models.DateTimeField(_("sent"))
    keys = models.JSONField(_("what it named"))

    class Meta:
        verbose_name = _("mail about what waits")
        verbose_name_plural = _("mails about what waits")
        constraints = (models.UniqueConstraint(fields=("club", "user"), name="tray_mail_once"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.club}, {self.sent_at:%Y-%m-%d %H:%M}"
