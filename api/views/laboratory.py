"""VPIP and decisions of simulated players, as the commands `vpip` and `decide` print them."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import engine_errors_named
from api.serializers.base import checked
from api.serializers.tables import DecideQuery, VpipQuery
from api.views.points import TableView
from lab.calculators.answers import decide_answer, vpip_answer


class VpipView(TableView):
    @extend_schema(parameters=[VpipQuery], responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Compute hands played by table size and position."""
        query = checked(VpipQuery, request.query_params)
        with engine_errors_named():
            return Response(vpip_answer(query).as_json())


class DecideView(TableView):
    @extend_schema(parameters=[DecideQuery], responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Compute what a simulated player does."""
        query = checked(DecideQuery, request.query_params)
        with engine_errors_named():
            return Response(decide_answer(query))
