"""VPIP and decisions of simulated players, as the commands `vpip` and `decide` print them."""

from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import engine_errors_named
from api.serializers import DecideQuery, VpipQuery, checked
from api.views.points import TableView
from lab.calculators.answers import decide_answer, vpip_answer


class VpipView(TableView):
    def get(self, request: Request) -> Response:
        query = checked(VpipQuery, request.query_params)
        with engine_errors_named():
            return Response(vpip_answer(query).as_json())


class DecideView(TableView):
    def get(self, request: Request) -> Response:
        query = checked(DecideQuery, request.query_params)
        with engine_errors_named():
            return Response(decide_answer(query))
