"""Points tables and points of any structure, as the commands `seats` and `points` print them."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ApiView
from api.errors import engine_errors_named
from api.serializers.base import checked
from api.serializers.tables import PointsQuery, SeatsQuery
from api.throttles import TableThrottle
from payouts.answers import points_answer, seats_answer


class TableView(ApiView):
    throttle_classes = (*ApiView.throttle_classes, TableThrottle)


class SeatsView(TableView):
    @extend_schema(parameters=[SeatsQuery], responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Compute the seat table of a structure."""
        query = checked(SeatsQuery, request.query_params)
        with engine_errors_named():
            return Response(seats_answer(query).as_json())


class PointsView(TableView):
    @extend_schema(parameters=[PointsQuery], responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Compute the points of a structure by place."""
        query = checked(PointsQuery, request.query_params)
        with engine_errors_named():
            return Response(points_answer(query).as_json())
