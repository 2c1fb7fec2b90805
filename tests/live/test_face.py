"""What screens and players' phones read: the face of a night, without its log, and only what concerns them."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Role as ClubRole
from live.models import Action, Device, HeldAction, Role
from live.services import passes
from live.services.casting import new_cast, show_on
from live.services.nights import say_setup
from live.services.publishing import publish
from live.services.seating import draws_of
from people.services.members import set_member
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


def sent_by(live, headers, n):
    """Send so many questions of a player's phone, each in a batch of its own."""
    replies = []
    for i in range(1, n + 1):
        ask = {
            "id": f"ask{i}",
            "counter": i,
            "kind": "ask_in",
            "body": {"name": "Ada"},
            "tap_ms": 1,
            "offset_ms": 0,
        }
        body = json.dumps({"sent_wall": 1, "seen": 0, "actions": [ask]})
        Device.objects.update(n_in_second=0)
        sent = Client().post(f"/live/{live.night.pk}/log", body, content_type="application/json", **headers)
        replies.append(sent.json()["replies"][0]["status"])
    return replies


def test_a_players_phone_does_not_fill_a_night(live):
    _device, headers = device(live, Role.PLAYER)
    assert sent_by(live, headers, 45) == ["in"] * 20 + ["held"] * 25
    assert HeldAction.objects.count() == 20


@pytest.mark.parametrize(("kind", "body"), [("draw", {"seats": [["a", 1, 1]]}), ("seed", {"sha256": "ab"})])
def test_seats_are_drawn_by_the_site_alone(live, kind, body):
    live.record(kind, **body)
    assert live.reply.status == "held"


def test_the_draw_of_a_published_night_is_checked_by_a_stranger(live, docs_script):
    ada, _boris = live.enter("Ada", "Boris")
    live.record("clock", op="start")
    live.out(ada, minute=30)
    event = publish(live.night, live.season, answers={}, head=live.head(), actor=live.actor)
    assert publish(live.night, live.season, answers={}, head=live.head(), actor=live.actor) == event
    told = Client().get(f"/live/{live.night.pk}/draw.json").json()
    assert len(told["draws"]) == 2
    assert docs_script(told) == "right"


def test_a_night_under_another_key_shows_its_fingerprint_anew(live, settings):
    live.enter("Ada")
    settings.SECRET_KEY = "another key of the site"
    live.enter("Boris")
    assert live.night.actions.filter(kind="seed").count() == 2
    assert len(draws_of(live.night)) == 1  # the draw before it belongs to another seed


def test_a_huge_number_of_expected_players_drives_nothing(live):
    say_setup(live.night, {"seating": "drawn", "table_size": 8, "expected": 2**52}, None, actor=live.actor)
    live.enter("Ada")
    assert live.reply.status == "in"
    assert 100 < len(draws_of(live.night)[0].free) <= 200


def test_fee_and_bounties_are_in_the_money_of_the_event():
    bounty = {"kind": "fixed", "amount": 5}
    live = LiveNight(cost=20, fee=2, bounty=bounty)
    ada, boris = live.enter("Ada", "Boris", cost=20, paid=20)
    live.out(ada, minute=30)
    live.record("by", target=ada, by=boris, minute=31)
    event = publish(live.night, live.season, answers={}, head=live.head(), actor=live.actor)
    assert (event.money.buy_in, event.money.fee, event.money.bounty) == (13, 2, 5)


@pytest.mark.parametrize(
    "form", [{"use": "1"}, {"after": "²"}, {"break": "9" * 30}, {"forget": "x"}, {"keep": "1", "name": ""}]
)
def test_the_page_of_blinds_answers_any_form(client, form):
    live = LiveNight()
    set_member(live.season.club, user=live.actor, role=ClubRole.HELPER, actor=None)
    client.force_login(live.actor)
    url = reverse("live:club-blinds", args=[live.season.club.slug])
    row = {"sb": "25", "bb": "50", "ante": "", "minutes": "15", "is_break": ""}
    assert client.post(url, row | form).status_code in {200, 302}
    assert client.get(url, {"structure": "²", "end": "x"}).status_code == 200


def test_a_screen_is_let_in_by_its_code_once(live):
    code, token = new_cast()
    ask = lambda: Client().post("/live/cast", json.dumps({"token": token}), content_type="application/json")  # noqa: E731
    assert ask().json() == {"waits": True}
    show_on(live.night, f"{code[:3]} {code[3:].lower()}")
    told = ask().json()
    assert told["role"] == "screen"
    assert read(live, {"HTTP_X_DEVICE_KEY": told["key"]}).status_code == 200
    assert ask().status_code == 403


def test_a_screen_shows_two_nights_of_the_club_by_one_code(client, live):
    set_member(live.season.club, user=live.actor, role=ClubRole.HELPER, actor=None)
    client.force_login(live.actor)
    beside, of_others = LiveNight(live.season), LiveNight()
    address = reverse("live:show-here", args=[live.season.club.slug, live.night.pk])
    for other, shown in ((beside, [live.night.pk, beside.night.pk]), (of_others, [live.night.pk])):
        code, token = new_cast()
        client.post(address, {"code": code, "beside": other.night.pk})
        told = (
            Client().post("/live/cast", json.dumps({"token": token}), content_type="application/json").json()
        )
        found = [told, *([told["beside"]] if "beside" in told else [])]
        assert [each["night"] for each in found] == shown
        for each in found:
            headers = {"HTTP_X_DEVICE_KEY": each["key"]}
            assert Client().get(f"/live/{each['night']}/face", **headers).status_code == 200
