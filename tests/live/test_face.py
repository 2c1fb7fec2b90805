"""What screens and players' phones read: the face of a night, without its log, and only what concerns them."""

import json

import pytest
from django.test import Client

from live.models import Action, Role
from live.services import passes
from live.services.casting import new_cast, show_on
from tests.live.nights import LiveNight

pytestmark = pytest.mark.django_db
LEVELS = [{"sb": 25, "bb": 50, "ms": 900_000}, {"sb": 50, "bb": 100, "ms": 900_000}]


@pytest.fixture
def live():
    found = LiveNight(stack=5000, cost=20, seating="drawn", table_size=8, expected=8)
    found.record("levels", levels=LEVELS)
    return found


def device(live, role):
    pass_ = passes.make_pass(live.night, role=role, max_devices=9, actor=live.actor)
    found, key = passes.join(passes.secret_of(pass_), name="Zoe", now=pass_.created_at)
    return found, {"HTTP_X_DEVICE_KEY": key}


def read(live, headers, path="face", **query):
    return Client().get(f"/live/{live.night.pk}/{path}", query, **headers)


@pytest.mark.parametrize("role", [Role.SCREEN, Role.PLAYER, Role.SPECTATOR])
def test_who_only_looks_reads_no_log_no_surname_of_a_guest_and_no_payment(live, role):
    live.enter("Zoe Confidential", paid=7)
    live.record("note", text="owes a favour")
    _device, headers = device(live, role)
    assert read(live, headers, "log", after=0).status_code == 403
    answer = read(live, headers)
    told = answer.content.decode()
    assert answer.json()["face"]["left"][0]["name"] == "Zoe"
    assert "Confidential" not in told
    assert "favour" not in told
    assert answer.json()["face"]["money"] is None  # the club shows none


def test_a_poll_without_news_is_one_query(live, django_assert_num_queries):
    _device, headers = device(live, Role.SCREEN)
    token = read(live, headers).json()["token"]
    with django_assert_num_queries(1):
        assert read(live, headers, after=token).status_code == 204


def test_who_comes_draws_a_seat_in_the_same_batch_and_everybody_another(live):
    live.enter("Ada", "Boris", "Cleo")
    _device, headers = device(live, Role.SCREEN)
    seats = [tuple(row["seat"]) for row in read(live, headers).json()["face"]["left"]]
    assert len(set(seats)) == 3
    assert {table for table, _seat in seats} == {1}
    draws = Action.objects.filter(night=live.night, kind="draw")
    assert [draw.body["i"] for draw in draws.order_by("seq")] == [0, 1, 2]
    assert Client().get(f"/live/{live.night.pk}/draw.json").status_code == 404  # the seed is not shown yet


def test_a_phone_is_that_of_an_entry_once_the_desk_agrees(live):
    phone, headers = device(live, Role.PLAYER)
    ask = {
        "id": "ask",
        "counter": 1,
        "kind": "ask_in",
        "body": {"name": "Ada"},
        "tap_ms": 1,
        "offset_ms": 0,
        "seen": 0,
    }
    body = json.dumps({"sent_wall": 1, "seen": 0, "actions": [ask]})
    sent = Client().post(f"/live/{live.night.pk}/log", body, content_type="application/json", **headers)
    assert sent.json()["replies"][0]["status"] == "in"
    assert sent.json()["actions"] == []
    assert read(live, headers).json()["me"]["entry"] is None
    entry = live.record("enter", name="Ada", ask="ask")
    assert read(live, headers).json()["me"]["entry"] == entry
    assert phone.role == "player"


def test_a_screen_is_let_in_by_its_code_once(live):
    code, token = new_cast()
    ask = lambda: Client().post("/live/cast", json.dumps({"token": token}), content_type="application/json")  # noqa: E731
    assert ask().json() == {"waits": True}
    show_on(live.night, f"{code[:3]} {code[3:].lower()}")
    told = ask().json()
    assert told["role"] == "screen"
    assert read(live, {"HTTP_X_DEVICE_KEY": told["key"]}).status_code == 200
    assert ask().status_code == 403
