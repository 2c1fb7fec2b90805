"""The terms of an event: multiplier, final, points put up."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.access import EventView
from api.serializers import TermsSerializer, checked
from league.models import Event
from payouts.models import EventTerms
from payouts.queries import terms_of, terms_version
from payouts.services.terms import set_event_terms


class TermsView(EventView):
    def get(self, _request: Request, **_address: Any) -> Response:
        return _answer(self.event, terms_of(self.event))

    def put(self, request: Request, **_address: Any) -> Response:
        terms = checked(TermsSerializer, request.data)
        version = terms.pop("version")
        stored = set_event_terms(self.event, terms=terms, version=version, actor=self.actor)
        return _answer(self.event, stored)


def _answer(event: Event, terms: EventTerms) -> Response:
    return Response({**TermsSerializer(terms).data, "version": terms_version(event)})
