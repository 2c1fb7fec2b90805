import json

import pytest
from django.test import Client, RequestFactory

from tests.api.described import differences


@pytest.fixture(autouse=True)
def _as_described(monkeypatch):
    """Compare every request to the API, and its answer, with the description."""
    found = []

    def generic(client, method, path, data="", content_type="", **extra):
        answer = RequestFactory.generic(client, method, path, data, content_type, **extra)
        if answer.wsgi_request.path.startswith("/api/v1/"):
            is_json = content_type.startswith("application/json") and data
            found.extend(
                differences(answer, json.loads(data) if is_json and answer.status_code < 300 else None)
            )
        return answer

    monkeypatch.setattr(Client, "generic", generic, raising=False)
    yield
    assert found == []


@pytest.fixture
def put():
    """Send JSON with a client and return the answer."""

    def put(client, url, data, **extra):
        return client.put(url, data, content_type="application/json", **extra)

    return put


@pytest.fixture
def refused_to_all_below(client_of, put):
    """Assert that everybody below an organizer is refused a PUT."""

    def refused(url, data):
        answers = {
            who: put(client_of(who), url, data) for who in ("anonymous", "stranger", "foreign", "member")
        }
        assert {who: answer.status_code for who, answer in answers.items()} == {
            "anonymous": 401,
            "stranger": 403,
            "foreign": 403,
            "member": 403,
        }
        assert answers["anonymous"].headers["WWW-Authenticate"] == "Bearer"

    return refused
