"""Pages of lists: `count`, `next`, `previous` and `results`, 50 to a page or as many as are asked for."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from league.queries import typed_id

MOST_OF_A_PAGE = 200


class Pages(PageNumberPagination):
    """Number pages from 1; a size that is no number up to 200 is refused, as is a number that is none."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = MOST_OF_A_PAGE
    parameters = ("page", "page_size")

    def get_page_size(self, request: Request) -> int:
        size = _number(request, "page_size", default=self.page_size)
        if size is None or size > MOST_OF_A_PAGE:
            text = _("This is no number from 1 to %(most)d.") % {"most": MOST_OF_A_PAGE}
            raise ValidationError({"page_size": [text]})
        return size

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        self.number(request)
        return super().paginate_queryset(queryset, request, view)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page; REST framework describes one for an older OpenAPI."""
        address = {"type": ["string", "null"], "format": "uri"}
        properties = {"count": {"type": "integer"}, "next": address, "previous": address, "results": schema}
        return {"type": "object", "required": list(properties), "properties": properties}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the bounds of the parameters, too."""
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            parameter["schema"] |= {"minimum": 1}
            if parameter["name"] == self.page_size_query_param:
                parameter["schema"] |= {"maximum": MOST_OF_A_PAGE, "default": self.page_size}
        return parameters

    def number(self, request: Request) -> int:
        """Read which page is asked for."""
        number = _number(request, "page", default=1)
        if number is None:
            raise ValidationError({"page": [_("This is no number of a page.")]})
        return number

    def answer(self, request: Request, rows: Sequence[Any], *, count: int) -> Response:
        """Answer with the rows of the page that is asked for, which were read elsewhere, of `count` rows in all."""
        self.request = request
        self.page = Paginator(range(count), self.get_page_size(request)).page(self.number(request))
        return self.get_paginated_response(rows)


def _number(request: Request, name: str, *, default: int) -> int | None:
    """Read a parameter that is a number from 1 on; None for anything else."""
    typed = request.query_params.get(name)
    return default if typed is None else typed_id(typed) or None
