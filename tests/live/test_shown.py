"""Test that screens and players' phones say of people, points and money what is true, and no more than the club shows."""

import pytest
from django.test import Client

from live.courses import chips_of
from live.engine.project import project
from live.models import Role
from live.services.passes import device_of, join, make_pass, secret_of
from live.services.seating import proposal_of
from live.stored_log import state_of
from payouts.models import ClubMoney, SeasonRules
from people.services.hidden_names import hide_name
from reading.names.keys import name_key
from standings.recomputation.service import recompute
from tests.live.evenings import PRICE, an_evening, publish_now
from tests.live.logs import Writer
from tests.live.nights import START_MS, LiveNight

pytestmark = pytest.mark.django_db


class Phone:
    """A phone or a screen that has joined a night."""

    def __init__(self, live, role, *, player=None):
        pass_ = make_pass(live.night, role=role, max_devices=9, actor=live.actor)
        self.night = live.night.pk
        self.device, self.key = join(secret_of(pass_), name="Zoe", player=player, now=pass_.created_at)

    def read(self, **query):
        return Client().get(f"/live/{self.night}/face", query, HTTP_X_DEVICE_KEY=self.key)

    @property
    def face(self):
        return self.read().json()["face"]

    @property
    def brings(self):
        return self.read().json()["me"]["brings"]


def member_of(night, name):
    return night.season.club.players.create(name=name, key=name_key(name))


def rated(night):
    """Publish an evening and compute its points and ratings."""
    event = publish_now(night)
    recompute(night.season.pool_id)
    return event


def test_rates_of_a_private_club_are_shown_on_its_screens_and_to_its_members_alone():
    night = an_evening()
    ada = member_of(night, "Ada")
    member, stranger = Phone(night, Role.PLAYER, player=ada), Phone(night, Role.PLAYER)
    screen = Phone(night, Role.SCREEN)
    rated(night)
    type(night.season.club).objects.update(is_public=False)
    for phone, sees in ((member, True), (screen, True), (stranger, False)):
        result = phone.face["result"]
        assert [row["place"] for row in result["rows"]] == [1, 2, 3, 4]
        assert all((row["rate"] is not None) == sees and bool(row["badge"]) == sees for row in result["rows"])
        assert bool(result["address"]) == sees
    type(night.season.club).objects.update(is_public=True)
    assert stranger.face["result"]["rows"][0]["rate"]


def test_a_guest_is_called_by_the_first_name_also_once_the_result_is_published():
    live = LiveNight()
    zoe, ada = live.enter("Zoe Confidential", "Ada")
    screen = Phone(live, Role.SCREEN)
    live.out(zoe, minute=30)
    publish_now(live)
    rows = screen.face["result"]["rows"]
    assert [(row["name"], row["entry"]) for row in rows] == [("Ada", ada), ("Zoe", zoe)]


def test_a_member_keeps_the_own_name_and_the_guest_of_the_same_name_a_number():
    live = LiveNight()
    member = member_of(live, "Anton")
    live.enter("Anton Guest")
    live.enter("Anton", player=member.pk)
    names = [row["name"] for row in Phone(live, Role.SCREEN).face["left"]]
    assert names == ["Anton 2", "Anton"]


def test_a_name_that_is_hidden_meanwhile_is_news_to_every_phone():
    live = LiveNight()
    member = member_of(live, "Edda Smith")
    live.enter("Edda Smith", player=member.pk)
    phone = Phone(live, Role.PLAYER)
    token = phone.read().json()["token"]
    assert phone.read(after=token).status_code == 204
    shown = hide_name(member, actor=live.actor)
    answer = phone.read(after=token)
    assert answer.status_code == 200
    assert "Edda" not in answer.content.decode()
    assert answer.json()["face"]["left"][0]["name"] == shown.name


def test_the_points_of_the_result_are_those_that_were_given():
    """A tie for the third of four places halves its point; five bonus points come on top."""
    live = LiveNight()
    ada, boris, cleo, _dora = live.enter("Ada", "Boris", "Cleo", "Dora")
    live.out([ada, boris], minute=30)
    live.out(cleo, minute=40)
    live.record("bonus", entry=ada, points=5, reason="high hand", minute=41)
    screen = Phone(live, Role.SCREEN)
    publish_now(live)
    assert {row["points"] for row in screen.face["result"]["rows"]} == {""}  # not computed yet
    recompute(live.season.pool_id)
    found = {row["name"]: float(row["points"]) for row in screen.face["result"]["rows"]}
    # VP_KID of four: votes 100, 60, 40, 25 by D'Hondt: seats at 100, 60, 50, 40.
    assert found == {"Dora": 2, "Cleo": 1, "Boris": 0.5, "Ada": 5.5}


@pytest.mark.parametrize(
    ("structure", "points"),
    [
        ({"name": "fixed_table", "votes": ["10", "6", "3"]}, ["10", "6", "3", "0"]),
        ({"name": "expression", "expression": "n - k"}, []),
    ],
)
def test_points_of_places_are_shown_where_places_alone_decide(structure, points):
    live = LiveNight()
    SeasonRules.objects.filter(season=live.season).update(structure=structure)
    live.enter("Ada", "Boris", "Cleo", "Dora")
    face = Phone(live, Role.SCREEN).face
    by_place = {place: value for first, last, value in face["points"] for place in range(first, last + 1)}
    assert [by_place.get(place, "0") for place in range(1, len(points) + 1)] == points
    assert bool(face["points"]) == bool(points)


def test_without_an_account_a_phone_sees_what_places_would_bring():
    live = LiveNight()
    phone = Phone(live, Role.PLAYER)
    live.enter("Boris", "Cleo")
    live.phones["zoe"] = phone.device
    ask = live.record("ask_in", phone="zoe", name="Zoe")
    assert phone.brings == []
    live.enter("Zoe", ask=ask, minute=1)
    assert [row["place"] for row in phone.brings] == [1, 2, 3]
    assert [row["points"] for row in phone.brings] == ["2", "1", "0"]


def test_after_a_deal_the_screen_says_who_gets_what():
    night = an_evening(**PRICE)
    ClubMoney.objects.create(club=night.season.club, shows_net=True)
    screen = Phone(night, Role.SCREEN)
    before = screen.face["money"]
    assert sum(before["by_place"]) == before["pool"]
    assert before["shares"] == []
    dora, ada = night.ids["Dora"], night.ids["Ada"]
    night.record("chop", method="even", money={dora: 4100, ada: 3100}, minute=60)
    money = screen.face["money"]
    assert money["by_place"] == []
    assert [(each["name"], each["amount"]) for each in money["shares"]] == [("Dora", 4100), ("Ada", 3100)]
    publish_now(night)
    rows = screen.face["result"]["rows"]
    assert {row["name"]: row["prize"] for row in rows} == {
        "Dora": 4100,
        "Ada": 3100,
        "Boris": None,
        "Cleo": None,
    }


def test_organizers_see_what_is_played_for_where_the_club_shows_no_money():
    night = an_evening(**PRICE, payouts=[50, 30, 20])
    desk = Phone(night, Role.ORGANIZER)
    told = Client().get(f"/live/{desk.night}/room", HTTP_X_DEVICE_KEY=desk.key).json()
    assert told["prizes"] == {"pool": 7200, "by_place": [3700, 2100, 1400]}
    assert Phone(night, Role.SCREEN).face["money"] is None


def test_nothing_is_proposed_before_anybody_plays_and_a_big_blind_is_not_remembered():
    live = LiveNight(seating="drawn", table_size=8, expected=16)
    entries = []
    for i in range(12):
        entries += live.enter(f"Player {i}")
        assert proposal_of(live.night, state_of(live.night), now_ms=START_MS) is None
    live.record("clock", op="start")
    assert proposal_of(live.night, state_of(live.night), now_ms=START_MS) is None
    seats = {entry.id: entry.seat for entry in state_of(live.night).still_in}
    first = [each for each in entries if seats[each][0] == 1]
    second = [each for each in entries if seats[each][0] == 2]
    live.record("button", table=1, entry=first[-1], minute=10)
    live.record("button", table=2, entry=second[-1], minute=10)
    for i in range(2):
        live.out(first[i], minute=11 + i)
    state = state_of(live.night)
    soon = proposal_of(live.night, state, now_ms=START_MS + 13 * 60_000)
    late = proposal_of(live.night, state, now_ms=START_MS + 60 * 60_000)
    assert (soon.kind, soon.asks, soon.draws) == ("balance", (), [])
    assert (late.kind, late.asks) == ("balance", (1, 2))


def test_an_add_on_counts_its_own_chips():
    night = Writer()
    night.add("setup", stack=5000)
    (ada,) = night.enter("Ada")
    night.add("buy", entry=ada, kind="addon", chips=10_000)
    night.add("buy", entry=ada, kind="rebuy")
    assert chips_of(project(night.actions)) == 20_000


def test_the_version_of_the_club_is_read_with_the_device(django_assert_num_queries):
    live = LiveNight()
    phone = Phone(live, Role.SCREEN)
    with django_assert_num_queries(1):
        assert device_of(phone.key).club_version is not None


@pytest.mark.parametrize(("setup", "status"), [({}, "held"), ({"self_out": True}, "in")])
def test_a_player_says_to_be_out_only_where_the_club_lets_players(setup, status):
    live = LiveNight(**setup)
    live.phones["zoe"] = Phone(live, Role.PLAYER).device
    ask = live.record("ask_in", phone="zoe", name="Zoe")
    own = live.enter("Zoe", ask=ask, minute=1)[0]
    live.record("ask_out", phone="zoe", entry=own, minute=2)
    assert live.reply.status == status
