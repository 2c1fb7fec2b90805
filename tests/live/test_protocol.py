"""The protocol of devices: who may record what, what is refused and how, and that nothing is written on GET."""

import gzip
import itertools
import json
import re
import uuid
from pathlib import Path

import brotli
import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from league.models import Club, Membership
from league.models import Role as ClubRole
from live.engine.actions import KINDS
from live.models import Action, Device, HeldAction, Night, Pass, Role
from live.services import passes
from live.services.log import BATCHES_A_SECOND
from live.views.desk import FIRST
from tests.factories import SeasonFactory, UserFactory
from tests.live.nights import LiveNight

pytestmark = pytest.mark.django_db
NOW = 1_800_000_000_000
# The table of section 2 and 11 of the design, by hand.
HELPERS = {"enter", "buy", "pay", "out", "cash_out", "by", "note", "void"}
MAY = {
    "organizer": set(KINDS) - {"seed", "draw", "envelope"},
    "helper": HELPERS,
    "player": {"ask_in", "ask_out", "seen_move"},
    "screen": set(),
    "spectator": set(),
}
BODIES = {
    "enter": {"name": "Ada"}, "ask_in": {"name": "Ada"}, "buy": {"entry": "e", "kind": "rebuy"}, "pay": {"entry": "e", "paid": 5},
    "out": {"groups": [["e"]]}, "by": {"target": "e"}, "tie": {"targets": ["e"]}, "chop": {"method": "even"},
    "clock": {"op": "start"}, "draw": {"seats": [["e", 1, 1]]}, "move": {"moves": [["e", 1, 1]]}, "button": {"table": 1},
    "seen_move": {"entry": "e"}, "round": {"n": 1}, "score": {"round": 1, "table": 1}, "stacks": {"stacks": {"e": 5}},
    "bonus": {"entry": "e", "points": 5}, "void": {"target": "e", "on": True}, "order": {"target": "e"},
    "settle": {"question": "q", "choice": "first"}, "admit": {"action": "a"}, "stage": {"to": "over"}, "note": {"text": "fine"},
    "ask_out": {"entry": "e"}, "seed": {"sha256": "ab"}, "cash_out": {"entry": "e", "amount": 5}, "envelope": {"entry": "e", "amount": 5}, "setup": {}, "levels": {"levels": []},
}  # fmt: skip


@pytest.fixture
def night():
    found = LiveNight().night
    found.refresh_from_db()
    return found


class Phone:
    """A device and its key."""

    def __init__(self, night, role="organizer", **fields):
        self.key, self.client, self.counter = uuid.uuid4().hex, Client(), 0
        self.device = Device.objects.create(
            night=night, role=role, name=role, key_sha256=passes.hash_of(self.key), **fields
        )
        self.url = f"/live/{night.pk}/log"

    def raw(self, kind="note", **body):
        self.counter += 1
        body = body or BODIES[kind]
        return {
            "id": str(uuid.uuid4()),
            "counter": self.counter,
            "kind": kind,
            "body": body,
            "tap_ms": NOW,
            "offset_ms": 0,
        }

    def post(self, *actions, **more):
        return self.post_body(json.dumps({"sent_wall": NOW, "seen": 0, "actions": list(actions), **more}))

    def post_body(self, text):
        headers = {"X-Device-Key": self.key}
        return self.client.post(self.url, text, content_type="application/json", headers=headers)

    def statuses(self, *actions):
        return [reply["status"] for reply in self.post(*actions).json()["replies"]]

    def get(self, url=None, **query):
        return self.client.get(url or self.url, query, headers={"X-Device-Key": self.key})


@pytest.mark.parametrize(("role", "kind"), list(itertools.product(MAY, sorted(KINDS))))
def test_each_role_records_what_it_may(night, role, kind):
    """Property 10. Of others' acts a helper may undo none, and here nothing is its own; nor is the entry a player's."""
    is_of_others = (role == "helper" and kind == "void") or (
        role == "player" and kind in {"ask_out", "seen_move"}
    )
    status = "in" if kind in MAY[role] and not is_of_others else "held"
    phone = Phone(night, role)
    assert phone.statuses(phone.raw(kind)) == [status]
    assert Action.objects.filter(kind=kind, device=phone.device).count() == (status == "in")
    assert HeldAction.objects.count() == (status == "held")


def test_every_kind_and_role_is_in_the_table():
    assert set(BODIES) == set(KINDS)
    assert set(MAY) == set(Role.values)


def test_a_helper_undoes_what_it_did_itself_also_in_one_batch(night):
    helper, other = Phone(night, "helper"), Phone(night, "helper")
    own = helper.raw("enter", name="Ada")
    assert helper.statuses(own, helper.raw("void", target=own["id"], on=True)) == ["in", "in"]
    assert other.statuses(other.raw("void", target=own["id"], on=True)) == ["held"]


def test_a_poll_without_news_is_one_query_and_says_the_time(night, django_assert_num_queries):
    phone = Phone(night)
    with django_assert_num_queries(1):
        answer = phone.get(after=night.head)
    assert (answer.status_code, answer.content) == (204, b"")
    assert int(answer["X-Now"]) > NOW - 10**12
    assert answer["X-Stage"] == "open"


def test_a_poll_gets_what_came_after(night):
    phone, other = Phone(night), Phone(night, "helper")
    other.post(other.raw("enter", name="Ada"), other.raw("note", text="fine"))
    told = phone.get(after=night.head).json()
    assert [action["kind"] for action in told["actions"]] == ["enter", "note"]
    assert {action["by"] for action in told["actions"]} == {"helper"}
    assert told["head"] == night.head + 2


def rows():
    return [
        list(model.objects.order_by("pk").values())
        for model in (Night, Pass, Device, Action, HeldAction, Membership)
    ]


def test_get_changes_nothing_anywhere(night):
    """Property 10, also for an account that may not enter results any more, and for links that programs open."""
    user = UserFactory()
    phone, former = Phone(night), Phone(night, user=user)
    made = passes.make_pass(night, role=Role.HELPER, actor=user)
    before = rows()
    for each in (phone, former):
        for url in (
            each.url,
            f"/live/{night.pk}/roster",
            f"/live/{night.pk}/",
            f"/live/{night.pk}/worker.js",
        ):
            each.get(url)
    Client().get(f"/live/join/?{passes.secret_of(made)}")
    assert Client().get("/live/join").status_code == 405
    assert rows() == before
    assert former.get().status_code == 410


def test_a_revoked_key_never_reaches_the_log(night):
    phone = Phone(night)
    phone.post(phone.raw())
    passes.revoke_device(phone.device)
    assert phone.statuses(phone.raw()) == ["held"]
    assert phone.get().status_code == 410
    assert phone.post().json()["actions"] == []  # it reads nothing any more
    assert Action.objects.filter(device=phone.device).count() == 1


@pytest.mark.parametrize("field", ["deleted_at", "closed_at"])
def test_devices_of_a_club_that_is_gone_are_let_in_no_more(night, field):
    phone = Phone(night)
    Club.objects.update(**{field: timezone.now()})
    assert phone.get().status_code == 410
    assert phone.get(f"/live/{night.pk}/roster").status_code == 403
    assert phone.statuses(phone.raw()) == ["held"]


def test_a_key_of_another_night_or_none_is_answered_401(night):
    other = Phone(LiveNight().night)
    other.url = f"/live/{night.pk}/log"
    assert other.post(other.raw()).status_code == 401
    other.key = ""
    assert other.get().status_code == 401
    assert Client().get(f"/live/{10**30}/log").status_code in {401, 404}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "5", '{"sent_wall": -1}', '{"sent_wall": 1e3}', '{"sent_wall": true}', '{"sent_wall": 5, "actions": 3}',
     '{"sent_wall": 5, "seen": "x"}', "[" * 3000, json.dumps({"sent_wall": 5, "actions": [0] * 101}), " " * 65_537],
)  # fmt: skip
def test_what_no_page_of_ours_sends_is_refused_and_nothing_is_stored(night, text):
    phone = Phone(night)
    before = rows()
    assert phone.post_body(text).status_code == 400
    assert rows() == before


@pytest.mark.parametrize(
    "raw",
    [{"id": "\0", "kind": "note"}, "\ud800", 5, None, [], {"id": "x", "counter": 1, "kind": "note", "body": {"text": "\ud800"}},
     {"id": "x", "counter": 10**30, "kind": "note", "body": {"text": "a"}, "tap_ms": 1}, float("nan"), {"id": "y" * 501},
     {"id": "z", "counter": 1, "kind": "note", "body": {"text": "a"}, "tap_ms": 10**18},
     {"id": "k", "counter": 1, "kind": "x" * 300, "body": {}, "tap_ms": 1},
     {"id": "w" * 65, "counter": 1, "kind": "note", "body": {"text": "a"}, "tap_ms": 1}],
)  # fmt: skip
def test_a_malformed_action_is_held_and_the_next_one_is_taken(night, raw):
    phone = Phone(night)
    (first, second) = phone.statuses(raw, phone.raw())
    assert (first, second) in {("held", "in"), ("held", "held")}
    assert HeldAction.objects.count() >= 1


def test_a_phone_that_says_it_has_seen_the_future_has_seen_what_there_is(night):
    phone = Phone(night)
    assert phone.statuses(phone.raw() | {"seen": 5_000_000_000}) == ["in"]
    assert Action.objects.get(device=phone.device).seen == night.head


def test_more_batches_in_a_second_than_a_page_sends_are_put_off(night, monkeypatch):
    monkeypatch.setattr("live.views.protocol.now_ms", lambda: NOW)
    phone = Phone(night)
    action = phone.raw()
    answers = [phone.post(action).status_code for _ in range(BATCHES_A_SECOND + 1)]
    assert answers == [200] * BATCHES_A_SECOND + [429]
    monkeypatch.setattr("live.views.protocol.now_ms", lambda: NOW + 1000)
    assert phone.statuses(action) == ["again"]


def test_what_a_phone_says_it_has_not_sent_is_known(night):
    """Property 11."""
    phone = Phone(night, "helper")
    phone.post(unsent=2, unsent_kind="out")
    phone.device.refresh_from_db()
    assert (phone.device.unsent, phone.device.unsent_kind) == (2, "out")
    assert phone.device.unsent_at is not None
    phone.post()
    phone.device.refresh_from_db()
    assert phone.device.unsent == 0


def test_a_typed_name_never_checks_a_member_in(night):
    phone = Phone(night, "player")
    assert phone.statuses(phone.raw("ask_in", name="Ada")) == ["in"]
    assert Action.objects.filter(kind="enter").count() == 0


MOST_OF_THE_DESK = 40_000  # bytes, compressed as the site sends its files


def test_a_fresh_phone_loads_the_desk_in_forty_kilobytes(night):
    """Scripts, style and page; the goal of the design."""
    static = Path(settings.BASE_DIR) / "static"
    sheet = (static / "css/desk.css").read_text()
    sheets = [(static / "css" / name).read_text() for name in re.findall(r'@import "([^"]+)"', sheet)]
    scripts = [static / "js/live" / f"{name}.js" for name in FIRST] + [static / "vendor/idb/idb-8.0.3.js"]
    parts = [
        "".join(sheets),
        Client().get(f"/live/{night.pk}/").content.decode(),
        *(path.read_text() for path in scripts),
    ]
    page = gzip.compress(parts.pop(1).encode())  # a page is made for each request; files are kept compressed
    sizes = [len(page), *(len(brotli.compress(part.encode())) for part in parts)]
    assert len(sheets) > 4
    assert sum(sizes) < MOST_OF_THE_DESK, sizes


def test_the_list_of_players_is_for_those_who_check_in(night):
    for role in ("organizer", "helper"):
        assert Phone(night, role).get(f"/live/{night.pk}/roster").status_code == 200
    for role in ("player", "screen", "spectator"):
        assert Phone(night, role).get(f"/live/{night.pk}/roster").status_code == 403


def test_join_says_what_one_would_join_and_joins_with_a_name():
    live = LiveNight(SeasonFactory(name="Winter Cup"))
    secret = passes.secret_of(live.night.passes.get(role="helper"))
    client = Client()

    def ask(**body):
        return client.post(
            "/live/join", json.dumps({"secret": secret, **body}), content_type="application/json"
        )

    before = Device.objects.count()
    told = ask().json()
    assert (told["club"], told["role"], told["devices"]) == (live.season.club.name, "helper", [])
    assert Device.objects.count() == before
    joined = ask(name=" Till ").json()
    assert (joined["name"], joined["role"], joined["night"]) == ("Till", "helper", live.night.pk)
    assert passes.device_of(joined["key"]).name == "Till"
    assert [each["name"] for each in ask().json()["devices"]] == ["Till"]
    for wrong in ({"name": ""}, {"name": 5}, {"secret": 5, "name": "x"}, {"replaces": 5, "name": "x"}):
        assert ask(**wrong).status_code == 400
    assert ask(secret="x", name="Till").status_code == 403


def test_an_organizer_is_led_from_the_desk_to_the_club_and_others_learn_nothing():
    live = LiveNight()
    member, stranger = UserFactory(), UserFactory()
    Membership.objects.create(club=live.season.club, user=member, role=ClubRole.HELPER)
    url = f"/live/{live.night.pk}/organizer/"
    for user, status in ((member, 302), (stranger, 404)):
        client = Client()
        client.force_login(user)
        assert client.get(url).status_code == status
    assert Client().get(url).url.startswith("/accounts/login/")
