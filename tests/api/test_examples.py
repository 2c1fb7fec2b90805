"""The examples of the description: each is as it is described, and each request is accepted."""

import pytest
from jsonschema import Draft202012Validator

from api.examples import EXAMPLES
from league.models import Event
from tests.api.described import schema

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_as_it_is_described(name):
    components = schema()["components"]
    assert components["schemas"][name]["examples"] == [EXAMPLES[name]]
    found = {"$ref": f"#/components/schemas/{name}", "components": components}
    assert list(Draft202012Validator(found).iter_errors(EXAMPLES[name])) == []


def test_each_request_is_accepted_one_after_the_other(club, client_of, monkeypatch):
    # The name server, which is the outside world.
    monkeypatch.setattr("webhooks.services.connecting._addresses", lambda _host, _port: ["93.184.216.34"])
    owner, sent = client_of("owner"), set()

    def send(method, path, name):
        sent.add(name)
        answer = getattr(owner, method)(f"/api/v1/{path}", EXAMPLES[name], content_type="application/json")
        assert answer.status_code in {200, 201}, (name, answer.content)
        return answer.json()

    season = send("post", f"clubs/{club.slug}/seasons/", "NewSeasonRequest")
    event = send("post", f"seasons/{season['id']}/events/", "NewEventRequest")
    event = send("put", f"events/{event['id']}/", "CorrectedEventRequest")
    assert [entry["place"] for entry in event["entries"]] == [1, 2, 2, 4]
    send("patch", f"events/{event['id']}/entries/{event['entries'][0]['id']}/", "PatchedEntryChangeRequest")
    send("post", f"seasons/{season['id']}/events/many/", "NewEventsRequest")
    assert Event.objects.count() == 3
    send("post", f"seasons/{season['id']}/awards/", "NewAwardRequest")
    send("post", f"seasons/{season['id']}/planned/", "NewPlansRequest")
    send("post", f"clubs/{club.slug}/players/", "NewPlayerRequest")
    send("post", f"clubs/{club.slug}/webhooks/", "NewHookRequest")
    assert sent == {name for name in EXAMPLES if name.endswith("Request")}
