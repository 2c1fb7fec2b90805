"""Files of results: uploaded, answered with a preview, and saved as a whole; what was imported into a season."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView, SeasonView
from api.import_previews import counted, upload_of
from api.serializers.base import checked
from api.serializers.imports import ImportSerializer, UploadAnswersSerializer, UploadSerializer
from entry.forms.uploads import UploadForm
from entry.services.drafts import Look, answer_draft, ask_for, is_large, look_at, save_draft, stage_import
from entry.tasks import enqueue_asked
from league.models import Asked, Club, Import, ImportDraft
from league.rights import Act
from reading.questions import by_question

FILES = {
    "type": "object",
    "properties": {"file": {"type": "array", "items": {"type": "string", "format": "binary"}}},
    "required": ["file"],
}


class ImportsView(ListView, SeasonView):
    """Lists what was imported into a season, the newest first, and takes files of results."""

    reads = writes = Act.ENTER_RESULTS
    parser_classes = (MultiPartParser,)
    queryset = Import.objects.none()
    serializer_class = ImportSerializer

    def get_queryset(self) -> Any:
        return counted(Import.objects.filter(events__season=self.season).distinct().order_by("-pk"))

    @extend_schema(
        request={"multipart/form-data": FILES}, responses={201: UploadSerializer, 202: UploadSerializer}
    )
    def post(self, request: Request, **_address: Any) -> Response:
        """Upload files of results; nothing is saved until they are confirmed."""
        form = UploadForm(request.POST, request.FILES)
        if not form.is_valid():
            raise ValidationError({field: list(map(str, errors)) for field, errors in form.errors.items()})
        draft = stage_import(self.season, user=self.actor, files=form.cleaned_data["file"])
        enqueue_asked(draft)
        return _answer(draft, status.HTTP_201_CREATED)


class UploadView(ClubView):
    """Answers how far files are that you have uploaded, takes answers to questions about them, and saves them."""

    reads = writes = Act.ENTER_RESULTS
    draft: ImportDraft

    def found(self, draft_id: int) -> Club:  # type: ignore[override]
        drafts = ImportDraft.objects.select_related("season__club", "season__pool", "saved_as")
        self.draft = get_object_or_404(drafts, pk=draft_id, user_id=self.request.user.pk)
        return self.draft.season.club

    @extend_schema(responses={200: UploadSerializer, 202: UploadSerializer})
    def get(self, _request: Request, **_address: Any) -> Response:
        """Read how far an upload is, and its preview."""
        return _answer(self.draft)

    @extend_schema(request=UploadAnswersSerializer, responses={200: UploadSerializer, 202: UploadSerializer})
    def post(self, request: Request, **_address: Any) -> Response:
        """Answer questions about an upload, and save it if it is confirmed."""
        data = checked(UploadAnswersSerializer, request.data)
        draft = self.draft
        if draft.applied_at or draft.asked_for:
            return _answer(draft)
        answers = by_question(draft.answers) | data["answers"]
        said = [f"{name}={value}" for name, value in answers.items() if value]
        if said != draft.answers:
            answer_draft(draft, answers=said)
        elif data["confirm"] and is_large(draft):
            ask_for(draft, Asked.SAVE)
        enqueue_asked(draft)
        if draft.asked_for or not data["confirm"]:
            return _answer(draft)
        if refused := save_draft(draft, actor=self.actor):
            return Response(upload_of(draft, Look(refused)), status=status.HTTP_400_BAD_REQUEST)
        draft.refresh_from_db()
        return _answer(draft)


def _answer(draft: ImportDraft, code: int = status.HTTP_200_OK) -> Response:
    """Answer how far an upload is; with 202 while the worker has it."""
    is_waiting = bool(draft.asked_for)
    look = None if is_waiting or draft.applied_at else look_at(draft)
    return Response(upload_of(draft, look), status=status.HTTP_202_ACCEPTED if is_waiting else code)
