import pytest


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
