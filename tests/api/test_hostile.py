"""Try to break the API: rights, odd times and numbers, and values that a change must not lose."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from api.models import ApiKey
from api.services import make_key
from league.models import Entry, Event, Invitation, Player
from live.models import Action
from payouts.models import EntryBonus
from tests.addresses import a_night
from tests.factories import enter

pytestmark = pytest.mark.django_db
STARTS_AT = "2026-01-13T19:30:00Z"


@pytest.fixture
def send(organizer_client):
    def send(method, path, data, client=organizer_client):
        return getattr(client, method)(f"/api/v1/{path}", data, content_type="application/json")

    return send


def entered(*entries, **fields):
    return {"starts_at": STARTS_AT, "entries": list(entries)} | fields


def test_without_a_required_second_factor_an_owner_is_shown_what_members_are(club, people, client, settings):
    headers = {"authorization": f"Bearer {make_key(people['owner'], label='mine')}"}

    def get(path):
        return client.get(f"/api/v1/clubs/{path}", headers=headers).json()

    settings.SECOND_FACTOR = "clubs"
    assert "key-made" in {row["kind"] for row in get(f"{club.slug}/history/")["results"]}
    assert [get(f"{club.slug}/")["role"], *(row["role"] for row in get("")["results"])] == ["owner", "owner"]
    settings.SECOND_FACTOR = "organizers"
    assert "key-made" not in {row["kind"] for row in get(f"{club.slug}/history/")["results"]}
    assert [get(f"{club.slug}/")["role"], *(row["role"] for row in get("")["results"])] == [
        "member",
        "member",
    ]
    settings.SECOND_FACTOR = "everybody"
    assert get("")["results"] == []


def test_a_key_that_may_only_read_gets_no_link_that_gives_a_role(club, people, client):
    Invitation.objects.create(club=club, ends_at=timezone.now() + timedelta(days=1))
    for scope in ApiKey.Scope:
        key = make_key(people["owner"], label=scope, scope=scope)
        headers = {"authorization": f"Bearer {key}"}
        [row] = client.get(f"/api/v1/clubs/{club.slug}/invitations/", headers=headers).json()["results"]
        assert (row["link"] is None) == (scope == ApiKey.Scope.READ)


@pytest.mark.parametrize("kind", ["seed", "draw", "envelope"])
def test_nobody_records_what_the_site_draws(send, club, season, people, kind):
    night = a_night(club, actor=people["owner"])
    before = Action.objects.count()
    action = {"id": "x" * 12, "kind": kind, "body": {}}
    answer = send("post", f"live/{night.pk}/", {"actions": [action]})
    assert answer.json() == {"actions": {"0": {"kind": ["The site alone records this."]}}}
    assert Action.objects.count() == before


def test_an_action_that_is_nested_deeply_is_refused(send, club, season, people):
    night = a_night(club, actor=people["owner"])
    deep = []
    for _level in range(40):
        deep = [deep]
    action = {"id": "x" * 12, "kind": "note", "body": {"text": "", "z": deep}}
    answer = send("post", f"live/{night.pk}/", {"actions": [action]})
    assert (answer.status_code, list(answer.json())) == (400, ["actions"])


def test_a_change_of_the_player_keeps_scores_and_never_loses_bonus_points(send, season):
    event = enter(season, "Ada\nBoris")
    ada, boris = event.entries.order_by("place")
    Entry.objects.filter(pk=ada.pk).update(score=Decimal(12), chips=3, seat=2)
    path = f"events/{event.pk}/entries/"
    changed = send("patch", f"{path}{ada.pk}/", {"version": 1, "player": "Zacharias"})
    zach = changed.json()["entries"][0]
    assert (zach["player"]["name"], zach["score"], zach["chips"], zach["seat"]) == ("Zacharias", "12", 3, 2)
    EntryBonus.objects.create(entry=boris, points=5)
    refused = send("patch", f"{path}{boris.pk}/", {"version": 2, "player": "Yvonne"})
    assert (refused.status_code, EntryBonus.objects.count()) == (409, 1)
    assert send("patch", f"{path}{boris.pk}/", {"version": 2, "knockouts": 1}).status_code == 200


@pytest.mark.parametrize("name", ["registered_at", "busted_at"])
@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])
def test_times_of_entries_are_about_the_event(send, season, name, moment):
    data = entered({"player": "Ada", name: moment}, {"player": "Boris"})
    answer = send("post", f"seasons/{season.pk}/events/", data)
    assert (answer.status_code, list(answer.json())) == (400, ["entries"])


@pytest.mark.parametrize("name", ["ends_at", "closes_at"])
def test_times_of_an_event_are_about_it(send, season, name):
    data = entered({"player": "Ada"}, {"player": "Boris"}, **{name: "2099-01-01T00:00:00Z"})
    answer = send("post", f"seasons/{season.pk}/events/", data)
    assert (answer.status_code, list(answer.json())) == (400, [name])


@pytest.mark.parametrize(
    "moment", ["2026-01-13T19:30:00", "2026-01-13", "2026-01-13 19:30+09:00", 1768332600, ""]
)
def test_a_moment_needs_time_and_offset(send, season, moment):
    answer = send("post", f"seasons/{season.pk}/events/", entered({"player": "Ada"}) | {"starts_at": moment})
    assert (answer.status_code, list(answer.json())) == (400, ["starts_at"])


@pytest.mark.parametrize("player", [1, 6.5, True, ["Ada"]])
def test_a_name_is_a_text(send, season, player):
    answer = send("post", f"seasons/{season.pk}/events/", entered({"player": player}, {"player": "Boris"}))
    assert (answer.status_code, Player.objects.exists()) == (400, False)


def test_one_name_stands_for_one_player(send, season):
    ada, boris = (
        Player.objects.create(club=season.club, name=name, key=name.lower()) for name in ("Ada", "Boris")
    )
    others = [{"player": name, "player_id": boris.pk} for name in ("Zed", "ZED")]
    for other in (*others, {"player": "Zed"}, {"player": "zed"}):
        data = entered({"player": "Zed", "player_id": ada.pk}, other, new_players=True)
        answer = send("post", f"seasons/{season.pk}/events/", data)
        assert [text.casefold() for text in answer.json()["entries"]] == [
            "“zed” stands there for two players."
        ]


def test_a_pool_of_nothing_or_of_another_club_is_a_wrong_field(send, season, client_of):
    for pool in (9**12, season.pool_id + 999):
        answer = send("post", f"seasons/{season.pk}/events/", entered({"player": "Ada"}, pool=pool))
        assert (answer.status_code, list(answer.json())) == (400, ["pool"])


def test_many_events_are_bounded_by_their_entries(send, season):
    long = entered(*({"player": f"Player {n}"} for n in range(600)))
    answer = send("post", f"seasons/{season.pk}/events/many/", {"events": [long, long]})
    assert answer.json()["events"][0].startswith("These are more than 1000 entries")
    assert not Event.objects.exists()


def test_a_field_is_changed_although_stored_times_of_others_contradict(send, season):
    event = enter(season, "Ada\nBoris\nCleo")
    ada, boris, cleo = event.entries.order_by("place")
    late, early = event.starts_at + timedelta(hours=3), event.starts_at + timedelta(hours=1)
    Entry.objects.filter(pk=ada.pk).update(busted_at=early)
    Entry.objects.filter(pk=boris.pk).update(busted_at=late)
    answer = send("patch", f"events/{event.pk}/entries/{cleo.pk}/", {"version": 1, "cost": "3"})
    assert (answer.status_code, answer.json()["entries"][2]["cost"]) == (200, "3")


def test_null_removes_any_arrival(send, season):
    event = enter(season, "Ada\nBoris")
    ada = event.entries.get(place=1)
    Entry.objects.filter(pk=ada.pk).update(registered_at=event.starts_at - timedelta(hours=2))
    answer = send("patch", f"events/{event.pk}/entries/{ada.pk}/", {"version": 1, "registered_at": None})
    assert answer.json()["entries"][0]["registered_at"] is None


@pytest.mark.parametrize("typed", ["0001-01-01T00:00:00%2B23:59", "9999-12-31T23:59:59-23:59"])
@pytest.mark.parametrize("name", ["since", "until"])
def test_moments_beyond_all_clocks_are_refused(client, season, name, typed):
    answer = client.get(f"/api/v1/clubs/{season.club.slug}/events/?{name}={typed}")
    assert (answer.status_code, list(answer.json())) == (400, [name])


def test_a_flag_is_true_or_false(client, season):
    url = f"/api/v1/clubs/{season.club.slug}/players/"
    assert client.get(url, {"is_guest": "maybe"}).json().keys() == {"is_guest"}


def test_equal_rows_keep_their_order_from_page_to_page(client, season):
    for day in range(5):
        enter(season, "Ada\nBoris", day=day)
    url = f"/api/v1/seasons/{season.pk}/events/?ordering=players&page_size=1&page="
    pages = [client.get(f"{url}{page}").json()["results"][0]["id"] for page in range(1, 6)]
    assert sorted(pages) == pages == sorted(Event.objects.values_list("pk", flat=True))


def test_a_reason_that_nobody_can_read_is_refused(send, season):
    event = enter(season, "Ada\nBoris")
    data = entered({"player": "Boris"}, {"player": "Ada"}, version=1, reason="a\u202eb")
    assert send("put", f"events/{event.pk}/", data).json().keys() == {"reason"}


def test_a_head_has_the_etag_and_if_match_is_nothing_to_reading(client, season):
    url = f"/api/v1/seasons/{season.pk}/"
    assert client.head(url).headers["ETag"] == client.get(url).headers["ETag"]
    assert client.get(url, headers={"if-match": '"other"'}).status_code == 200


def test_the_reference_brings_the_cookie_that_trying_needs(client):
    assert "csrftoken" in client.get("/api/v1/reference/").cookies


def test_stored_times_may_be_moved_however_far_away_they_are(send, season):
    event = enter(season, "Ada\nBoris")
    Entry.objects.filter(event=event, place=1).update(busted_at=datetime(9999, 12, 31, 23, tzinfo=UTC))
    moved = (event.starts_at + timedelta(days=1)).isoformat()
    data = {"starts_at": moved, "text": "Ada\nBoris", "version": 1}
    assert send("put", f"events/{event.pk}/", data).status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", 5),
        ("name", True),
        ("new_players", "yes"),
        ("new_players", 1),
        ("table_size", "9"),
        ("table_size", 9.0),
    ],
)
def test_another_type_of_json_than_described_is_refused(season, client_of, field, value):
    body = {
        "starts_at": "2026-01-10T19:00:00Z",
        "entries": [{"player": "Ada"}, {"player": "Boris"}],
        field: value,
    }
    answer = client_of("organizer").post(
        f"/api/v1/seasons/{season.pk}/events/", body, content_type="application/json"
    )
    assert (answer.status_code, list(answer.json())) == (400, [field])
