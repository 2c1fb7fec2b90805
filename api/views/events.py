"""What is special about an event: multiplier, final, points put up."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.access import EventView
from api.serializers import TermsSerializer, checked
from league.models import Event
from league.services.errors import Stale
from payouts.models import EventTerms
from payouts.queries import terms_of, terms_version
from payouts.services import TERM_FIELDS, set_event_terms


class TermsView(EventView):
    def get(self, _request: Request, **_address: Any) -> Response:
        return _answer(self.event, terms_of(self.event))

    def put(self, request: Request, **_address: Any) -> Response:
        terms = checked(TermsSerializer, request.data)
        version = terms.pop("version")
        try:
            stored = set_event_terms(self.event, terms=terms, version=version, actor=self.actor)
        except Stale:
            # A PUT that is sent again because its answer was lost has nothing left to do.
            stored = terms_of(self.event)
            if terms != {name: getattr(stored, name) for name in TERM_FIELDS}:
                raise
        return _answer(self.event, stored)


def _answer(event: Event, terms: EventTerms) -> Response:
    return Response({**TermsSerializer(terms).data, "version": terms_version(event)})
