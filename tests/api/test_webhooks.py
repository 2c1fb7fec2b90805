"""An owner's program makes webhooks, reads their log and decides what becomes of messages."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.models import ApiKey
from api.services import make_key
from tests.factories import enter
from webhooks.models import Delivery, Hook, State
from webhooks.services import connecting
from webhooks.services.telling import make_messages

pytestmark = pytest.mark.django_db
PROGRAM = {
    "target": "program",
    "name": "Ours",
    "url": "https://hook.example/in",
    "kinds": ["result.published"],
}


@pytest.fixture(autouse=True)
def _names(monkeypatch):
    monkeypatch.setattr(connecting, "_addresses", lambda host, port: ["93.184.216.34"])


@pytest.fixture
def send(client_of):
    owner = client_of("owner")

    def send(method, path, data=None, client=owner):
        return getattr(client, method)(f"/api/v1/{path}", data or {}, content_type="application/json")

    return send


def test_a_webhook_is_made_once_changed_and_deleted(send, club):
    path = f"clubs/{club.slug}/webhooks/"
    made = send("post", path, PROGRAM)
    assert (made.status_code, made.json()["secret"][:6], made.json()["is_on"]) == (201, "whsec_", True)
    assert send("post", path, PROGRAM).json() == made.json()
    [listed] = send("get", path).json()["results"]
    assert listed == made.json()
    one = f"webhooks/{listed['id']}/"
    changed = send("put", one, PROGRAM | {"asks_first": True, "is_on": False, "version": 1})
    assert (changed.json()["asks_first"], changed.json()["is_on"], changed.json()["version"]) == (
        True,
        False,
        3,
    )
    assert send("put", one, PROGRAM | {"name": "Other", "is_on": True, "version": 1}).status_code == 409
    assert send("get", one).json() == changed.json()
    assert send("delete", one).status_code == 204
    assert not Hook.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"url": "http://hook.example/in"}, "url"),
        ({"target": "discord"}, "url"),
        ({"target": "telegram", "url": "https://api.telegram.org/bot1:x/sendMessage"}, "chat"),
        ({"target": "pigeon"}, "target"),
        ({"kinds": []}, "kinds"),
        ({"kinds": ["result.lost"]}, "kinds"),
        ({"name": "a\0"}, "name"),
        ({"secret": "whsec_mine"}, "secret"),
    ],
)
def test_what_is_no_webhook_is_refused_by_field(send, club, change, field):
    answer = send("post", f"clubs/{club.slug}/webhooks/", PROGRAM | change)
    assert (answer.status_code, list(answer.json())) == (400, [field])
    assert not Hook.objects.exists()


def test_addresses_and_secrets_are_not_shown_to_keys_that_may_only_read(send, club, client, people):
    send("post", f"clubs/{club.slug}/webhooks/", PROGRAM)
    text = make_key(people["owner"], label="reads", scope=ApiKey.Scope.READ)
    answer = client.get(f"/api/v1/clubs/{club.slug}/webhooks/", headers={"Authorization": f"Bearer {text}"})
    [shown] = answer.json()["results"]
    assert (shown["url"], shown["secret"], shown["name"]) == (None, None, "Ours")


def test_messages_are_listed_and_decided_about(send, season):
    made = send("post", f"clubs/{season.club.slug}/webhooks/", PROGRAM | {"asks_first": True}).json()
    event = enter(season, "Ada\nBoris")
    make_messages()
    path = f"webhooks/{made['id']}/deliveries/"
    [told] = send("get", path).json()["results"]
    assert (told["type"], told["content"]["event"], told["state"]) == ("result.published", event.pk, "asked")
    one = f"{path}{told['id']}/"
    assert send("post", one, {"decision": "send"}).json()["state"] == "waiting"
    assert send("post", one, {"decision": "leave"}).json()["state"] == "left-out"
    assert send("post", one, {"decision": "again"}).json()["state"] == "waiting"
    assert list(send("post", one, {"decision": "burn"}).json()) == ["decision"]
    assert Delivery.objects.get().state == State.WAITING


def test_lists_take_the_same_queries_for_any_number(send, season):
    counts = []
    path = f"clubs/{season.club.slug}/webhooks/"
    hook = send("post", path, PROGRAM).json()
    for day in (1, 2, 3):
        enter(season, "Ada\nBoris", day=day)
        make_messages()
        send("post", path, PROGRAM | {"name": f"Ours {day}"})
        for address in (path, f"webhooks/{hook['id']}/deliveries/"):
            with CaptureQueriesContext(connection) as queries:
                send("get", address)
            counts.append(len(queries))
    assert counts[:2] * 3 == counts
