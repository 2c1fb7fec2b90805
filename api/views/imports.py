"""Files of results: uploaded, answered with a preview, and saved as a whole; what was imported into a season."""

from typing import Any

from django.db.models import Count, Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView, SeasonView
from api.import_previews import preview_of, progress_of
from api.serializers.base import checked
from api.serializers.imports import ImportSerializer, UploadAnswersSerializer
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
        return _counted(Import.objects.filter(events__season=self.season).distinct().order_by("-pk"))

    @extend_schema(
        request={"multipart/form-data": FILES}, responses={201: OpenApiTypes.OBJECT, 202: OpenApiTypes.OBJECT}
    )
    def post(self, request: Request, **_address: Any) -> Response:
        form = UploadForm(request.POST, request.FILES)
        if not form.is_valid():
            raise ValidationError({field: list(map(str, errors)) for field, errors in form.errors.items()})
        draft = stage_import(self.season, user=self.actor, files=form.cleaned_data["file"])
        enqueue_asked(draft)
        return _shown(draft, status.HTTP_201_CREATED)


class UploadView(ClubView):
    """Files that were uploaded by this account and have not been saved, or have been."""

    reads = writes = Act.ENTER_RESULTS
    draft: ImportDraft

    def found(self, draft_id: int) -> Club:  # type: ignore[override]
        drafts = ImportDraft.objects.select_related("season__club", "season__pool", "saved_as")
        self.draft = get_object_or_404(drafts, pk=draft_id, user_id=self.request.user.pk)
        return self.draft.season.club

    @extend_schema(responses={200: OpenApiTypes.OBJECT, 202: OpenApiTypes.OBJECT})
    def get(self, _request: Request, **_address: Any) -> Response:
        return _shown(self.draft)

    @extend_schema(
        request=UploadAnswersSerializer, responses={200: OpenApiTypes.OBJECT, 202: OpenApiTypes.OBJECT}
    )
    def post(self, request: Request, **_address: Any) -> Response:
        data = checked(UploadAnswersSerializer, request.data)
        draft = self.draft
        if draft.applied_at:
            return _done(draft) if data["confirm"] else _shown(draft)
        answers = by_question(draft.answers) | data["answers"]
        said = [f"{name}={value}" for name, value in answers.items() if value]
        if draft.asked_for:
            return _shown(draft)
        if said != draft.answers:
            answer_draft(draft, answers=said)
        elif data["confirm"] and is_large(draft):
            ask_for(draft, Asked.SAVE)
        enqueue_asked(draft)
        if draft.asked_for or not data["confirm"]:
            return _shown(draft)
        if refused := save_draft(draft, actor=self.actor):
            return Response(preview_of(draft, Look(refused)), status=status.HTTP_400_BAD_REQUEST)
        draft.refresh_from_db()
        return _done(draft)


def _done(draft: ImportDraft) -> Response:
    """Answer what the files have entered and corrected; zeros if all results were stored already."""
    record = _counted(Import.objects.filter(pk=draft.saved_as_id or 0)).first()
    if record is None:
        return Response({"import": None, "entered": 0, "corrected": 0})
    return Response({"import": record.pk, "entered": record.n_new, "corrected": record.n_corrected})


def _shown(draft: ImportDraft, code: int = status.HTTP_200_OK) -> Response:
    """Answer with what was read of an upload, or with how far the worker is."""
    if draft.asked_for:
        return Response(progress_of(draft), status=status.HTTP_202_ACCEPTED)
    look = look_at(draft)
    return Response(preview_of(draft, look) if look.preview else progress_of(draft), status=code)


def _counted(records: QuerySet[Import]) -> Any:
    """Count what imports entered and corrected."""
    return records.annotate(
        n_new=Count("events", filter=Q(events__before__isnull=True)),
        n_corrected=Count("events", filter=Q(events__before__isnull=False)),
    )
