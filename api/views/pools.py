"""The calibration of a pool: what its results say about the parameters of R, and their adoption."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView
from api.serializers import AdoptionSerializer, checked
from league.models import Pool
from league.rights import Act
from ratings.services.calibration import adopt_calibration, calibration_of, calibration_summary


class CalibrationView(ClubView):
    reads = Act.CHANGE_RULES
    pool: Pool

    def initial(self, request: Request, *args: Any, pool_id: int, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.pool = get_object_or_404(Pool.objects.select_related("club"), pk=pool_id)
        self.admit(request, self.pool.club)

    def get(self, _request: Request, **_address: Any) -> Response:
        return self._answer()

    def post(self, request: Request, **_address: Any) -> Response:
        given = checked(AdoptionSerializer, request.data)
        season_id = given.pop("season")
        season = self.pool.seasons.filter(pk=season_id).first()
        if season_id and season is None:
            raise ValidationError({"season": [_("This pool has no such season.")]})
        pair = given.pop("f"), given.pop("g")
        adopt_calibration(self.pool, **given, pair=pair, season=season, actor=self.actor)
        return self._answer()

    def _answer(self) -> Response:
        return Response(calibration_summary(calibration_of(self.pool)))
