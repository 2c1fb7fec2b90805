"""Settings of REST framework and of the description of the API (docs/api.md)."""

from typing import Any

FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.KeyAuthentication",  # the first class defines the header of a 401
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.WritableJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "api.schema.Schema",
    "DEFAULT_THROTTLE_CLASSES": ["api.throttles.KeylessThrottle", "api.throttles.KeyThrottle"],
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "api.errors.handle_error",
    "NON_FIELD_ERRORS_KEY": "detail",
    "URL_FORMAT_OVERRIDE": None,
}
SCHEMA: dict[str, Any] = {
    "TITLE": "Tierboard",
    "DESCRIPTION": "Results, ratings and points of clubs. docs/api.md is a tour of it.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "DeliveryStateEnum": "webhooks.models.State",
        "GameKindEnum": "league.models.GameKind",
        "PoolKindEnum": "league.models.PoolKind",
        "MemberRoleEnum": ["member", "helper", "organizer", "owner"],
        "RunStateEnum": "lab.models.run.RunState",
        "OwnRoleEnum": ["public", "member", "helper", "organizer", "owner"],
    },
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "api.schema.add_errors"],
}
KEYS = {"AUTH_HEADER_PREFIX": "Bearer", "TOKEN_PREFIX": "tb_", "TOKEN_TTL": None}
