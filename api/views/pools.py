"""Rating pools: their settings, and the calibration, which says what results tell about the parameters of R."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView, PoolView
from api.serializers.base import checked
from api.serializers.clubs import PoolDetailSerializer, PoolSerializer
from api.serializers.pools import (
    COUNTS,
    ESTIMATES,
    AdoptionSerializer,
    CalibrationSerializer,
    ChangeSerializer,
)
from league.models import Change, Pool
from league.queries import typed_id
from league.rights import Act
from ratings.services.calibration import adopt_calibration, calibration_of, left_out_events, preview


class PoolsView(ListView, ClubView):
    """Lists the rating pools of a club."""

    queryset = Pool.objects.none()
    serializer_class = PoolSerializer

    def get_queryset(self) -> QuerySet[Pool]:
        return self.club.pools.select_related("recomputation").order_by("pk")


class PoolDetailView(PoolView):
    """Answers with a pool and the values of its settings."""

    serializer_class = PoolDetailSerializer

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read a pool and the values of its settings."""
        return Response(self.get_serializer(self.pool).data)


@extend_schema(parameters=[OpenApiParameter("since", int, description="Changes after this version.")])
class ChangesView(ListView, PoolView):
    """Lists what has changed in a pool after a version: ask again with the last one that you have seen."""

    queryset = Change.objects.none()
    serializer_class = ChangeSerializer
    parameters = ("since",)

    def get_queryset(self) -> QuerySet[Change]:
        since = typed_id(self.request.query_params.get("since", "0"))
        if since is None:
            raise ValidationError({"since": [_("This is no version of a pool.")]})
        return self.pool.changes.filter(version__gt=since).order_by("version")


class CalibrationView(PoolView):
    """Answers with the calibration of a pool, and adopts one of its candidates."""

    reads = Act.CHANGE_RULES

    @extend_schema(responses=CalibrationSerializer)
    def get(self, _request: Request, **_address: Any) -> Response:
        """Read what the results of a pool say about the parameters of R."""
        return self._answer()

    @extend_schema(request=AdoptionSerializer, responses={200: CalibrationSerializer})
    def post(self, request: Request, **_address: Any) -> Response:
        """Adopt a candidate as it was read."""
        given = checked(AdoptionSerializer, request.data)
        season_id = given.pop("season")
        season = self.pool.seasons.filter(pk=season_id).first()
        if season_id and season is None:
            raise ValidationError({"season": [_("This pool has no such season.")]})
        pair = given.pop("f"), given.pop("g")
        adopt_calibration(self.pool, **given, pair=pair, season=season, actor=self.actor)
        return self._answer()

    def _answer(self) -> Response:
        calibration = calibration_of(self.pool)
        found, estimates = calibration.found, {name: getattr(calibration.found, name) for name in ESTIMATES}
        shown = {
            "pool": calibration.pool.name,
            "revision": calibration.revision,
            "in_use": calibration.params,
            **{name: getattr(found, name) for name in COUNTS},
            "warnings": list(found.warnings),
            "left_out": [event.pk for event in left_out_events(calibration)],
            **{name: estimate and estimate.to_dict() for name, estimate in estimates.items()},
            "candidates": calibration.candidates,
            "players": preview(calibration),
        }
        return Response(CalibrationSerializer(shown, context=self.get_serializer_context()).data)
