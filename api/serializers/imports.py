"""What was imported, and answers to the questions about uploaded files."""

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
