import json
from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class BoundedJSONParser(JSONParser):
    """JSON of a bounded size and depth that can be written again: REST framework's own takes anything."""

    def parse(
        self,
        stream: IO[bytes],  # noqa: ARG002  read as the body, which is bounded
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        assert parser_context is not None
        try:
            body = parser_context["request"].body
            data = super().parse(BytesIO(body), media_type, parser_context)
            json.dumps(data, ensure_ascii=False).encode()  # half a character is no text
        except (RequestDataTooBig, RecursionError, UnicodeEncodeError) as error:
            raise ParseError from error
        return data
