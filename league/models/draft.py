from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.club import Club
from league.models.imported import Import
from league.models.season import Season


class Asked(models.TextChoices):
    """Name what the worker shall do with a large upload."""

    READ = "read", _("read")
    SAVE = "save", _("save")


class Step(models.TextChoices):
    """Tell how far the worker is with a large upload."""

    WAIT = "wait", _("waits for its turn")
    READ = "read", _("reads the files and compares the names")
    CHECK = "check", _("compares with the results that are stored")
    SAVE = "save", _("saves the results")


class ImportDraft(models.Model):
    """Uploaded files that have not been saved as results yet, with the answers to the questions about them."""

    is_draft = True

    season = models.ForeignKey(Season, models.CASCADE, related_name="import_drafts", verbose_name=_("season"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("by"))
    created_at = models.DateTimeField(_("uploaded"), auto_now_add=True)
    # Answers as the form sends them: "ID=VALUE".
    answers = models.JSONField(default=list, editable=False)
    # What is shown of it, and what that depends on (entry.services.drafts).
    preview = models.JSONField(null=True, editable=False)
    # What the worker shall do with a large one, since when and in which language; how far it is and since when, how
    # often it has begun, and why it could not.
    asked_for = models.CharField(_("asked for"), max_length=4, choices=Asked.choices, blank=True, default="")
    asked_at = models.DateTimeField(_("asked"), null=True, blank=True)
    asked_in = models.CharField(_("language"), max_length=10, blank=True, default="")
    worked_at = models.DateTimeField(_("worked on"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    step = models.CharField(_("step"), max_length=5, choices=Step.choices, blank=True, default="")
    error = models.TextField(_("error"), blank=True, default="")
    applied_at = models.DateTimeField(_("saved"), null=True, blank=True)
    saved_as = models.ForeignKey(
        Import, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("import")
    )

    class Meta:
        ordering = ("-pk",)
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")

    def __str__(self) -> str:
        return ", ".join(file.name for file in self.files.all())


class ImportFile(models.Model):
    """An uploaded file, byte by byte, because it can be read in another encoding."""

    is_draft = True

    draft = models.ForeignKey(ImportDraft, models.CASCADE, related_name="files", verbose_name=_("upload"))
    name = models.CharField(_("file"), max_length=200)
    data = models.BinaryField(_("content"))

    class Meta:
        ordering = ("pk",)
        verbose_name = _("uploaded file")
        verbose_name_plural = _("uploaded files")

    def __str__(self) -> str:
        return self.name


class ColumnMeaning(models.Model):
    """The meaning of a column of the club's files, remembered by its heading (reading.tables.columns.Meaning)."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="column_meanings", verbose_name=_("club"))
    heading = models.CharField(_("heading"), max_length=80)
    meaning = models.CharField(_("meaning"), max_length=30)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("meaning of a column")
        verbose_name_plural = _("meanings of columns")
        constraints = (
            models.UniqueConstraint(fields=("club", "heading"), name="column_meaning_once_per_heading"),
        )

    def __str__(self) -> str:
        return f"{self.heading}: {self.meaning}"
