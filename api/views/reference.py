"""The API about itself: where it begins, its description in OpenAPI, and a page to read and try it."""

import json
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from api.access import ApiView

PLACES = ("clubs", "schema", "reference", "seats", "points", "vpip", "decide")


class StartSerializer(serializers.Serializer[Any]):
    """The addresses to begin at."""

    clubs = serializers.URLField()
    schema = serializers.URLField()
    reference = serializers.URLField()
    seats = serializers.URLField()
    points = serializers.URLField()
    vpip = serializers.URLField()
    decide = serializers.URLField()


class StartView(ApiView):
    """Answers with the addresses to begin at."""

    serializer_class = StartSerializer

    @extend_schema(tags=["start"])
    def get(self, request: Request) -> Response:
        """Read the addresses to begin at."""
        return Response({name: reverse(f"api:{name}", request=request) for name in PLACES})


@cache
def described() -> str:
    """Describe the API as JSON. It depends on the code alone, so each process does it once."""
    with translation.override("en"):
        return json.dumps(SchemaGenerator().get_schema(public=True), ensure_ascii=False)  # type: ignore[no-untyped-call]


@extend_schema(exclude=True)
class SchemaView(ApiView):
    """Answers with the description of the API in OpenAPI, the same to everybody."""

    def get(self, _request: Request) -> HttpResponse:
        return HttpResponse(described(), content_type="application/json")


@require_safe
@ensure_csrf_cookie
def reference(request: HttpRequest) -> HttpResponse:
    """Show the page on which the API is read and tried."""
    return render(request, "api/reference.html")
