"""Runs of the season laboratory of a club."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView
from api.serializers.runs import RunDetailSerializer, RunSerializer
from lab.models import LabRun
from lab.queries import runs_of
from lab.seasons.reports import COLUMNS, report_table
from league.models import Club
from league.rights import Act


class RunsView(ListView, ClubView):
    """Lists the laboratory runs of a club, the newest first."""

    reads, writes = Act.USE_AS_MEMBER, Act.SIMULATE
    queryset = LabRun.objects.none()
    serializer_class = RunSerializer

    def get_queryset(self) -> QuerySet[LabRun]:
        return runs_of(self.club).select_related("club")


class RunView(ClubView):
    """Answers with a laboratory run and its report."""

    reads, writes = Act.USE_AS_MEMBER, Act.SIMULATE
    serializer_class = RunDetailSerializer
    lab_run: LabRun

    def found(self, run_id: int) -> Club:  # type: ignore[override]
        self.lab_run = get_object_or_404(LabRun.objects.select_related("club"), pk=run_id)
        return self.lab_run.club

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read a laboratory run with its report."""
        shown: Any = self.lab_run
        shown.report = None
        if shown.totals is not None:
            shown.report = [dict(zip(COLUMNS, row, strict=True)) for row in report_table(shown)]
        return Response(self.get_serializer(shown).data)
