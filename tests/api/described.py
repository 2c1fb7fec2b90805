"""Compare requests and answers with the description of the API: all there is must be described, and nothing else."""

import json
import re
from copy import deepcopy
from functools import cache

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from api.views.reference import described

ROOT = "urn:api"
NOWHERE = {"401", "403", "404", "405", "429"}  # what is answered where there is nothing
UNDESCRIBED = {"/api/v1/schema/", "/api/v1/reference/"}


@cache
def schema():
    return json.loads(described())


@cache
def closed_registry():
    """The description with objects that may have no other properties than those that are described."""
    return Registry().with_resource(ROOT, Resource(_closed(deepcopy(schema())), DRAFT202012))


def _closed(part):
    if isinstance(part, dict):
        if part.get("type") == "object" and "properties" in part:
            part.setdefault("additionalProperties", False)
        for value in part.values():
            _closed(value)
    elif isinstance(part, list):
        for value in part:
            _closed(value)
    return part


def operation_of(method, path):
    """Find the operation of a request by its path; None if there is none."""
    for template, operations in schema()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            return template, operations.get("get" if method == "HEAD" else method.lower())
    return None, None


def problems(where, body):
    """List how a body differs from what stands at a place of the description."""
    pointer = "/".join(part.replace("~", "~0").replace("/", "~1") for part in where)
    validator = Draft202012Validator(
        {"$ref": f"{ROOT}#/{pointer}"}, registry=closed_registry(), format_checker=FormatChecker()
    )
    return [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
        for error in validator.iter_errors(body)
    ]


def differences(answer, sent=None):
    """List how an answer differs from its description, and so a JSON body that was `sent` and accepted."""
    method, path = answer.wsgi_request.method, answer.wsgi_request.path
    template, operation = operation_of(method, path)
    code = str(answer.status_code)
    if method == "OPTIONS":
        return []  # answered for browsers, before any view
    if operation is None:
        return [] if code in NOWHERE or path in UNDESCRIBED else [f"{method} {path} is not described"]
    if code not in operation["responses"]:
        return [f"{method} {template} answers {code}, which is not described"]
    found = []
    at = ["paths", template, method.lower()]
    if method != "HEAD" and answer.headers.get("Content-Type", "").startswith("application/json"):
        where = [*at, "responses", code, "content", "application/json", "schema"]
        found += problems(where, json.loads(answer.content))
    if sent and answer.status_code < 300:
        found += problems([*at, "requestBody", "content", "application/json", "schema"], sent)
    return [f"{method} {template} {code}: {each}" for each in found]
