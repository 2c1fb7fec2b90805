"""The description of the API in OpenAPI: what drf-spectacular cannot see in the views."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from api.examples import EXAMPLES
from api.idempotency import KEY
from league.rights import Act

DETAIL = {
    "type": "object",
    "properties": {"detail": {"type": "string"}},
    "required": ["detail"],
    "description": "Why the request was refused.",
}
FIELDS = {
    "type": "object",
    "description": "What is wrong, by field; under `detail` what is wrong with the body as a whole.",
    "additionalProperties": {},
}
VERSION = OpenApiParameter("version", int, required=True, description="The version that you have read.")
UNCHANGED = {"description": "The answer is the one whose `ETag` was sent as `If-None-Match`."}
ALWAYS = {
    "401": ("Detail", "The address needs a key, or the key is wrong, has expired or was revoked."),
    "403": ("Detail", "The role in the club, or the key, does not allow it."),
    "404": ("Detail", "It does not exist, or the club is private and you are no member."),
    "406": ("Detail", "The answer is JSON, which `Accept` does not allow."),
    "409": ("Detail", "Somebody else has saved since, or a rule stands against it."),
    "429": ("Detail", "Too many requests; `Retry-After` says when to come again."),
}
OF_READS = {"400": ("Fields", "A parameter is wrong.")}
OF_WRITES = {
    "400": ("Fields", "A field is wrong or missing."),
    "422": ("Detail", "The `Idempotency-Key` was sent with another request."),
    "413": ("Detail", "The body is too long."),
    "415": ("Detail", "The body is of another type."),
    "503": ("Detail", "The site cannot save at the moment; nothing was saved."),
}

IDEMPOTENT = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string", "pattern": f"^{KEY.pattern}$"},
    "description": "A text of your own: sent again with it within a day, the request is answered as the first time.",
}


class Schema(AutoSchema):
    """Describes a view; reading needs no key where the club is public."""

    def get_auth(self) -> list[dict[str, Any]]:
        is_public = self.method == "GET" and getattr(self.view, "reads", Act.READ) == Act.READ
        return [*([{}] if is_public else []), *super().get_auth()]

    def get_operation(self, *given: Any, **named: Any) -> dict[str, Any] | None:
        """Describe an operation; a write that can be sent again with a key says so."""
        operation = super().get_operation(*given, **named)
        if operation and self.method != "GET" and getattr(self.view, "takes_key", False):
            sent = operation.get("requestBody", {}).get("content", {})
            if "multipart/form-data" not in sent:
                operation.setdefault("parameters", []).append(IDEMPOTENT)
        return operation


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the API keys of accounts."""

    target_class = "api.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, _auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "A key of your account (docs/api.md)."}


def add_errors(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """Add the errors that every operation can answer with, and examples."""
    components = result["components"]["schemas"] = result["components"]["schemas"] | {
        "Detail": DETAIL,
        "Fields": FIELDS,
    }
    for component, body in EXAMPLES.items():
        components[component] = components[component] | {"examples": [body]}
    for operations in result["paths"].values():
        for method, operation in operations.items():
            errors = ALWAYS | (OF_READS if method == "get" else OF_WRITES)
            if method == "get":
                operation["responses"].setdefault("304", UNCHANGED)
            for code, (name, text) in errors.items():
                body = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
                operation["responses"].setdefault(code, {"description": text, "content": body})
    return result
