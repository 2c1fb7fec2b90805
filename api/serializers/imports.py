"""Imports, uploads with their previews, and answers to their questions."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.serializers.base import Part
from league.models import Import

MOST_OF_ANSWER, MOST_ANSWERS = 400, 5_000


class ImportSerializer(serializers.ModelSerializer[Import]):
    """Files that were imported, and how many events they have entered and corrected."""

    entered = serializers.IntegerField(source="n_new")
    corrected = serializers.IntegerField(source="n_corrected")

    class Meta:
        model = Import
        fields = ("id", "files", "at", "undone_at", "entered", "corrected")


class UploadAnswersSerializer(Part):
    """Answers to the questions about uploaded files by their ids, and whether they are saved then."""

    answers = serializers.DictField(
        child=serializers.CharField(max_length=MOST_OF_ANSWER, allow_blank=True), default=dict
    )
    confirm = serializers.BooleanField(default=False)

    def validate_answers(self, answers: dict[str, str]) -> dict[str, str]:
        if len(answers) > MOST_ANSWERS or any(len(name) > MOST_OF_ANSWER for name in answers):
            raise serializers.ValidationError(_("These are no ids of questions."))
        return answers


class ColumnSerializer(serializers.Serializer[Any]):
    """A column, what it was taken for and why; `answer` is the id by which it can be said to be another one."""

    answer = serializers.CharField()
    table = serializers.CharField()
    heading = serializers.CharField()
    meaning = serializers.CharField()
    why = serializers.CharField()
    samples = serializers.ListField(child=serializers.CharField())


class EncodingSerializer(serializers.Serializer[Any]):
    """An encoding that a file may have, with words as they would read then."""

    encoding = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the metaclass takes it out of the class
    samples = serializers.ListField(child=serializers.CharField())


class NotUsedSerializer(serializers.Serializer[Any]):
    """A part of a file that is not used: a sheet, line or column."""

    sheet = serializers.CharField()
    line = serializers.IntegerField()
    what = serializers.CharField()
    text = serializers.CharField()


class FileSerializer(serializers.Serializer[Any]):
    """A file as it was read."""

    name = serializers.CharField()
    encoding = serializers.CharField()
    encodings = EncodingSerializer(many=True)
    columns = ColumnSerializer(many=True)
    not_used = NotUsedSerializer(many=True)
    n_not_used = serializers.IntegerField()
    warnings = serializers.ListField(child=serializers.CharField())


class FoundEventSerializer(serializers.Serializer[Any]):
    """An event that the files have; `changes` counts entries that differ from the stored ones, null for a new event."""

    event = serializers.CharField()
    name = serializers.CharField()
    season = serializers.CharField()
    starts_at = serializers.CharField()
    entries = serializers.IntegerField()
    winners = serializers.ListField(child=serializers.CharField())
    changes = serializers.IntegerField(allow_null=True)


class GuestSerializer(serializers.Serializer[Any]):
    """A name that becomes a guest of the club, and the player whom it resembles, if any."""

    name = serializers.CharField()
    like = serializers.CharField()


class ChoiceSerializer(serializers.Serializer[Any]):
    """An answer to a question."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the metaclass takes it out of the class
    hint = serializers.CharField()


class QuestionSerializer(serializers.Serializer[Any]):
    """A question about the files, with the answer that was given, if any."""

    id = serializers.CharField()
    text = serializers.CharField()
    reason = serializers.CharField()
    choices = ChoiceSerializer(many=True)
    answer = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """A mistake in a file; line 0 stands for the whole of it."""

    file = serializers.CharField()
    line = serializers.IntegerField()
    column = serializers.CharField()
    message = serializers.CharField()
    value = serializers.CharField()
    remedy = serializers.CharField()


class PreviewSerializer(serializers.Serializer[Any]):
    """The preview of uploaded files. If it `is_outdated`, results have changed since: read it again before saving."""

    is_outdated = serializers.BooleanField()
    files = FileSerializer(many=True)
    events = FoundEventSerializer(many=True)
    guests = GuestSerializer(many=True)
    n_guests = serializers.IntegerField()
    questions = QuestionSerializer(many=True)
    problems = ProblemSerializer(many=True)
    n_more_problems = serializers.IntegerField()


class UploadSerializer(serializers.Serializer[Any]):
    """Uploaded files.

    `asked_for` is what the worker is doing with them, `step` how far it is. Once they are saved, `import` is the id of
    the import, or null if all of it was stored already, and `entered` and `corrected` count events.
    """

    id = serializers.IntegerField()
    season = serializers.IntegerField()
    is_ready = serializers.BooleanField()
    is_saved = serializers.BooleanField()
    asked_for = serializers.CharField()
    step = serializers.CharField()
    error = serializers.CharField()
    entered = serializers.IntegerField(allow_null=True)
    corrected = serializers.IntegerField(allow_null=True)
    preview = PreviewSerializer(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the field whose name is a word of Python."""
        return super().get_fields() | {"import": serializers.IntegerField(allow_null=True)}
