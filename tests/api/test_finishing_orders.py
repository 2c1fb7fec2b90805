"""Finishing orders over the API: entered, corrected, changed by one entry, deleted and brought back."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from league.models import BinItem, Event, Player, PlayerAlias
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, enter

pytestmark = pytest.mark.django_db
STARTS_AT = "2026-01-13T19:30:00Z"


@pytest.fixture
def url(season):
    return f"/api/v1/seasons/{season.pk}/events/"


@pytest.fixture
def post(organizer_client, url):
    def post(data, key=None, at=url, client=organizer_client):
        headers = {"Idempotency-Key": key} if key else {}
        return client.post(at, data, content_type="application/json", headers=headers)

    return post


def order(*names, **fields):
    return {"starts_at": STARTS_AT, "entries": [{"player": name} for name in names]} | fields


def placed(answer):
    return [(entry["player"]["name"], entry["number"], entry["place"]) for entry in answer.json()["entries"]]


def test_names_in_order_are_a_finishing_order(post, season):
    answer = post(order("Ada", "Boris", "Cleo", name="Tuesday"))
    assert answer.status_code == 201
    assert placed(answer) == [("Ada", 1, 1), ("Boris", 1, 2), ("Cleo", 1, 3)]
    event = Event.objects.get()
    assert (event.season, event.name, event.starts_at) == (
        season, "Tuesday", datetime(2026, 1, 13, 19, 30, tzinfo=UTC),
    )  # fmt: skip
    assert (answer.json()["id"], answer.json()["version"], answer.json()["is_waiting"]) == (event.pk, 1, True)


def test_everything_about_an_entry_is_kept(post):
    entries = [
        {"player": "Ada", "place": 1, "knockouts": 2, "cost": "60.5"},
        {"player": "Boris", "place": 2, "number": 2, "registered_at": "2026-01-13T20:15:30Z"},
        {"player": "Cleo", "place": 2, "busted_at": "2026-01-13T22:01:02Z"},
        {"player": "Boris", "place": 4, "number": 1},
    ]
    answer = post({"starts_at": STARTS_AT, "entries": entries, "table_size": 6})
    assert placed(answer) == [("Ada", 1, 1), ("Boris", 2, 2), ("Cleo", 1, 2), ("Boris", 1, 4)]
    event = Event.objects.get()
    ada, boris, cleo, first = event.entries.order_by("place", "pk")
    assert (ada.knockouts, ada.cost, event.table_size) == (2, Decimal("60.5"), 6)
    assert boris.registered_at == datetime(2026, 1, 13, 20, 15, 30, tzinfo=UTC)
    assert cleo.busted_at == datetime(2026, 1, 13, 22, 1, 2, tzinfo=UTC)
    assert (boris.is_last, first.is_last) == (True, False)
    assert answer.json()["entries"][0]["cost"] == "60.5"


def test_entries_of_a_player_are_numbered_from_the_worst_place_up(post):
    assert placed(post(order("Ada", "Boris", "Ada", "Ada"))) == [
        ("Ada", 3, 1), ("Boris", 1, 2), ("Ada", 2, 3), ("Ada", 1, 4),
    ]  # fmt: skip


def test_a_text_is_read_like_that_of_the_form(post):
    text = "Ada x2 ko3\nBoris = Cleo\nDora @22:10"
    answer = post({"starts_at": STARTS_AT, "text": text})
    assert placed(answer) == [("Ada", 2, 1), ("Boris", 1, 2), ("Cleo", 1, 2), ("Dora", 1, 4), ("Ada", 1, 5)]
    assert answer.json()["entries"][0]["knockouts"] == 3
    assert answer.json()["entries"][3]["busted_at"] == "2026-01-13T22:10:00Z"


def test_what_is_doubtful_in_a_text_is_asked(post, season):
    Player.objects.create(club=season.club, name="Ada Lovelace", key="ada lovelace")
    wrong = post({"starts_at": STARTS_AT, "text": "Ada Lovelace\nAda Lovelace"})
    assert wrong.json()["text"][0].startswith("Line 2: ")
    answer = post({"starts_at": STARTS_AT, "text": "Boris\nAda Lovelase"})
    assert (answer.status_code, list(answer.json())) == (400, ["text"])
    [question] = answer.json()["text"]
    ada = Player.objects.get()
    assert f"name:Ada Lovelase={ada.pk} (Ada Lovelace)" in question
    answers = [f"name:Ada Lovelase={ada.pk}"]
    assert placed(post({"starts_at": STARTS_AT, "text": "Boris\nAda Lovelase", "answers": answers})) == [
        ("Boris", 1, 1), ("Ada Lovelace", 1, 2),
    ]  # fmt: skip
    assert PlayerAlias.objects.get().name == "Ada Lovelase"


def test_a_name_like_another_is_asked_about(post, season):
    Player.objects.create(club=season.club, name="Ada Lovelace", key="ada lovelace")
    answer = post(order("Ada Lovelase", "Boris"))
    assert (answer.status_code, list(answer.json())) == (400, ["entries"])
    assert not Event.objects.exists()
    assert post(order("Ada Lovelase", "Boris", new_players=True)).status_code == 201


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"entries": []}, "entries"),
        ({"text": "Ada"}, "entries"),
        ({"entries": [{"player": "Ada", "place": 1}, {"player": "Boris"}]}, "entries"),
        ({"entries": [{"player": "Ada", "place": 1}, {"player": "Boris", "place": 3}]}, "entries"),
        (
            {"entries": [{"player": "Ada", "number": 2, "place": 1}, {"player": "Boris", "place": 2}]},
            "entries",
        ),
        ({"entries": [{"player": "Ada", "hands": 3}]}, "entries"),
        ({"entries": [{"place": 1}]}, "entries"),
        ({"entries": [{"player_id": 9**15}]}, "entries"),
        ({"entries": [{"player": "Ada", "cost": "-1"}]}, "entries"),
        ({"starts_at": "2025-12-31T19:30:00Z"}, "starts_at"),
        ({"starts_at": "2999-12-31T19:30:00Z"}, "starts_at"),
        ({"ends_at": "2026-01-13T19:29:00Z"}, "ends_at"),
        ({"closes_at": "2026-01-13T19:29:00Z"}, "closes_at"),
        ({"table_size": 11}, "table_size"),
        ({"game": 999}, "game"),
        ({"name": "To\u0007day"}, "name"),
        ({"places": 3}, "places"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_saved(post, change, field):
    answer = post(order("Ada", "Boris") | change)
    assert (answer.status_code, list(answer.json())) == (400, [field]), answer.json()
    assert not Event.objects.exists()


def test_a_gap_in_the_places_is_shown_where_it_is(post):
    entries = [{"player": name, "place": place} for name, place in (("Ada", 1), ("Boris", 3), ("Cleo", 3))]
    answer = post(order() | {"entries": entries})
    assert answer.json() == {"entries": {"1": {"place": ["place 3 should be 2 in the event 2026-01-13"]}}}


def test_without_a_key_an_event_like_one_that_is_there_is_asked_about(post):
    post(order("Ada", "Boris"))
    assert post(order("Ada", "Boris")).status_code == 409
    assert post(order("Ada", "Boris", another=True)).status_code == 201


def test_many_events_are_entered_together_or_not_at_all(post, url):
    good, bad = order("Ada", "Boris"), order("Cleo", "Dora", starts_at="2025-12-31T19:30:00Z")
    refused = post({"events": [good, bad]}, at=f"{url}many/")
    assert (refused.status_code, list(refused.json()["events"])) == (400, ["1"])
    assert not Event.objects.exists()
    events = [good, bad | {"starts_at": "2026-01-14T19:30:00Z"}]
    saved = post({"events": events}, key="week-3", at=f"{url}many/")
    assert saved.status_code == 201
    assert [event["entries"][0]["player"]["name"] for event in saved.json()["events"]] == ["Ada", "Cleo"]
    assert post({"events": events}, key="week-3", at=f"{url}many/").json() == saved.json()
    assert Event.objects.count() == 2


def test_a_result_is_corrected_by_its_version(post, put, organizer_client, client, season):
    event = post(order("Ada", "Boris", "Cleo")).json()
    address = f"/api/v1/events/{event['id']}/"
    corrected = order("Boris", "Ada", "Cleo", version=1, reason="seen on the film")
    answer = put(organizer_client, address, corrected)
    assert (answer.status_code, answer.json()["version"], placed(answer)[0]) == (200, 2, ("Boris", 1, 1))
    assert put(organizer_client, address, corrected).json() == answer.json()
    assert put(organizer_client, address, order("Cleo", "Ada", "Boris", version=1)).status_code == 409
    recompute(season.pool_id)
    shown = client.get(address).json()
    assert (shown["is_waiting"], shown["entries"][0]["points"]) == (False, "2")
    assert shown["entries"][0]["rating"]["after"] > shown["entries"][0]["rating"]["before"]


def test_one_entry_is_changed_and_the_others_stay(post, organizer_client):
    event = post(
        {
            "starts_at": STARTS_AT,
            "entries": [{"player": "Ada", "cost": "5"}, {"player": "Boris", "cost": "7"}],
        }
    ).json()
    second = event["entries"][1]
    address = f"/api/v1/events/{event['id']}/entries/{second['id']}/"

    def patch(**changes):
        return organizer_client.patch(address, changes, content_type="application/json")

    answer = patch(version=1, knockouts=1, cost=None)
    assert (answer.status_code, answer.json()["version"]) == (200, 2)
    ada, boris = answer.json()["entries"]
    assert (ada["cost"], boris["cost"], boris["knockouts"]) == ("5", None, 1)
    renamed = patch(version=2, player="Cleo")
    assert [entry["player"]["name"] for entry in renamed.json()["entries"]] == ["Ada", "Cleo"]
    assert patch(version=1, knockouts=2).status_code == 404  # Boris has no entry any more
    cleo = renamed.json()["entries"][1]["id"]
    address = f"/api/v1/events/{event['id']}/entries/{cleo}/"
    assert patch(version=1, knockouts=2).status_code == 409
    assert list(patch(version=3, place=3).json()) == ["place"]
    assert list(patch(version=3, placed=3).json()) == ["placed"]


def test_an_event_is_deleted_and_brought_back(post, organizer_client, client_of, season):
    event = post(order("Ada", "Boris")).json()
    address, bin_ = f"/api/v1/events/{event['id']}/", f"/api/v1/clubs/{season.club.slug}/bin/"
    assert organizer_client.delete(address).json() == {"version": ["This field is required."]}
    assert client_of("helper").delete(f"{address}?version=1").status_code == 403
    item = organizer_client.delete(f"{address}?version=1").json()
    assert organizer_client.get(address).status_code == 404
    assert organizer_client.get(bin_).json()["results"] == [item]
    back = organizer_client.post(f"{bin_}{item['id']}/restore/", {}, content_type="application/json")
    assert back.status_code == 200
    assert placed(organizer_client.get(address)) == [("Ada", 1, 1), ("Boris", 1, 2)]
    assert not BinItem.objects.exists()


def test_a_game_with_scores_is_not_corrected_as_a_finishing_order(put, organizer_client, season):
    event = enter(season, "Ada\nBoris")
    game = season.club.games.create(
        name="Scored", kind="mahjong-4", entry_form="scores", pool=season.pool, table_size=4
    )
    Event.objects.filter(pk=event.pk).update(game=game, round=1, table=1)
    answer = put(organizer_client, f"/api/v1/events/{event.pk}/", order("Boris", "Ada", version=1))
    assert (answer.status_code, list(answer.json())) == (400, ["entries"])


def test_only_players_of_the_club_are_named_by_id(post):
    other = Player.objects.create(club=ClubFactory(), name="Stranger", key="stranger")
    answer = post({"starts_at": STARTS_AT, "entries": [{"player_id": other.pk}, {"player": "Ada"}]})
    assert answer.json() == {"entries": [f"The club has no player with the id {other.pk}."]}


def test_who_may_enter(post, client_of, refused_to_all_below, season):
    answers = {
        who: post(order("Ada", "Boris"), client=client_of(who)).status_code
        for who in ("anonymous", "stranger", "foreign", "member", "helper")
    }
    assert answers == {"anonymous": 401, "stranger": 403, "foreign": 403, "member": 403, "helper": 201}
    refused_to_all_below(f"/api/v1/events/{Event.objects.get().pk}/", {})
