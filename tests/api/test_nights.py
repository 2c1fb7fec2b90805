"""Games at tables over the API."""

from decimal import Decimal

import pytest

from league.models import Event, Meet, Player, PlayerAlias
from tests.entry.nights.tables import NAMES, SCORES, make_cash_game, make_game
from tests.factories import ClubFactory, enter

pytestmark = pytest.mark.django_db
OTHERS = ("Eve", "Fumi", "Gus", "Hana")


@pytest.fixture
def game(club):
    return make_game(club)


@pytest.fixture
def post(organizer_client, season):
    def post(data, client=organizer_client, key=None):
        headers = {"Idempotency-Key": key} if key else {}
        url = f"/api/v1/seasons/{season.pk}/nights/"
        return client.post(url, data, content_type="application/json", headers=headers)

    return post


def seats(names=NAMES, scores=SCORES):
    return [{"player": name, "score": score} for name, score in zip(names, scores, strict=True)]


def night(game, *tables, **fields):
    return {
        "game": game.pk,
        "starts_at": "2026-01-13T19:30:00Z",
        "name": "Tuesday",
        "tables": list(tables) or [{"seats": seats()}],
    } | fields


def test_a_night_is_entered_once(post, game, client):
    data = night(game, {"seats": seats()}, {"table": 2, "seats": seats(OTHERS), "sticks_left": 0})
    first = post(data, key="tuesday")
    assert first.status_code == 201
    assert post(data, key="tuesday").json() == first.json()
    nights = client.get(f"/api/v1/seasons/{game.club.seasons.get().pk}/nights/").json()["results"]
    ids = [event["id"] for event in first.json()["events"]]
    assert nights == [{"meet": first.json()["meet"], "name": "Tuesday", "events": ids}]
    assert (Meet.objects.count(), Event.objects.count()) == (1, 2)
    one = first.json()["events"][0]
    assert (one["name"], one["round"], one["table"], one["scoring"]["house"]) == ("Tuesday 1-1", 1, 1, "0")
    assert [(entry["player"]["name"], entry["place"], entry["seat"]) for entry in one["entries"]] == [
        (name, place, place) for place, name in enumerate(NAMES, start=1)
    ]
    assert (Decimal(one["entries"][0]["score"]), Decimal(one["entries"][0]["balance"])) == (
        42_200,
        Decimal("62.2"),
    )


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        (
            {"tables": [{"seats": seats(scores=(42_200, 22_300, 20_500, 14_900))}]},
            "tables",
            "The sum is 99,900",
        ),
        (
            {"tables": [{"seats": seats(), "table": 1}, {"seats": seats(), "table": 2}]},
            "tables",
            "Ada sits at table 1",
        ),
        (
            {"tables": [{"seats": [*seats(), {"player": "Eve", "score": 0}]}]},
            "tables",
            "has 4 players, not 5",
        ),
        (
            {"tables": [{"seats": seats(names=("Ada", "ada", "Bo", "Cy"))}]},
            "tables",
            "ada is at this table twice",
        ),
        ({"rules": {"uma": [1, 2, 3, 4]}}, "rules", "uma: The uma adds up to 10"),
        ({"game": 999}, "game", "no such game"),
        ({"color": "red"}, "color", "There is no such field"),
        ({"token": "x"}, "token", "There is no such field"),
        ({"starts_at": "2199-01-13T19:30:00Z"}, "starts_at", "This day is still to come"),
        ({"starts_at": "2025-12-31T19:30:00Z"}, "starts_at", "2025-12-31 is outside the season"),
    ],
)
def test_bad_nights_are_a_400_that_names_the_field(post, game, change, field, message):
    answer = post(night(game) | change)
    assert answer.status_code == 400, answer.json()
    assert list(answer.json()) == [field]
    assert message in str(answer.json()[field])
    assert Event.objects.count() == 0


def test_unknown_fields_and_names_of_a_seat_are_refused(post, game):
    tables = [{"seats": [{"player": "=Ada", "score": 1}, {"player": "Bo", "points": 3}]}]
    answer = post(night(game, *tables))
    assert (answer.status_code, list(answer.json())) == (400, ["tables"])
    for part in ("'player': ['“=Ada” begins with =", "'points': ['There is no such field"):
        assert part in str(answer.json())


def test_a_result_is_read_and_corrected_by_its_version(post, put, game, client, organizer_client):
    event = post(night(game)).json()["events"][0]
    url = f"/api/v1/events/{event['id']}/scores/"
    assert client.get(url.replace("scores/", "")).json() == event
    corrected = {"version": 1, "seats": seats(scores=SCORES[::-1])}
    answer = put(organizer_client, url, corrected)
    assert (answer.status_code, answer.json()["version"]) == (200, 2)
    assert answer.json()["entries"][0]["player"]["name"] == "Dmitri"
    again = put(organizer_client, url, corrected)
    assert (again.status_code, again.json()) == (200, answer.json())
    assert put(organizer_client, url, {"version": 1, "seats": seats()}).status_code == 409
    wrong = put(
        organizer_client, url, {"version": 2, "seats": seats(scores=(42_200, 22_300, 20_500, 14_900))}
    )
    assert (wrong.status_code, list(wrong.json())) == (400, ["seats"])


def test_a_finishing_order_is_not_corrected_here(season, put, organizer_client):
    event = enter(season, "Ada\nBoris")
    url = f"/api/v1/events/{event.pk}/scores/"
    answer = put(organizer_client, url, {"version": 1, "seats": [{"player": "Ada"}]})
    assert (answer.status_code, list(answer.json())) == (400, ["seats"])


def test_balances(post, club):
    game = make_cash_game(club)
    table = {"seats": [{"player": "Ada", "balance": "12.5"}, {"player": "Boris", "balance": "-12.5"}]}
    assert post(night(game, table)).status_code == 201
    assert Event.objects.get().entries.get(place=2).balance == Decimal("-12.5")


def test_only_organizers_write(post, put, game, refused_to_all_below, client_of, organizer_client):
    event = post(night(game)).json()["events"][0]
    refused_to_all_below(f"/api/v1/events/{event['id']}/scores/", {"version": 1, "seats": seats()})
    answers = {
        who: post(night(game), client_of(who)).status_code
        for who in ("anonymous", "stranger", "foreign", "member")
    }
    assert answers == {"anonymous": 401, "stranger": 403, "foreign": 403, "member": 403}


def with_name(name, **fields):
    return [{"player": name, "score": SCORES[0]} | fields, *seats()[1:]]


def test_a_name_that_resembles_a_players_is_refused_with_whom_it_may_mean(post, game):
    post(night(game, {"seats": seats(("Ada Lovelace", *NAMES[1:]))}))
    ada = Player.objects.get(name="Ada Lovelace")
    data = night(game, {"seats": with_name("Ada Lovelase")}, name="Late", another=True)
    answer = post(data)
    assert (answer.status_code, list(answer.json())) == (400, ["tables"])
    [message] = answer.json()["tables"]
    assert message.startswith(
        f"“Ada Lovelase” is unknown and resembles Ada Lovelace (player_id {ada.pk}). Send"
    )
    assert not Player.objects.filter(name="Ada Lovelase").exists()
    assert post(data | {"new_players": True}).status_code == 201
    assert Player.objects.filter(name="Ada Lovelase").exists()


def test_a_seat_names_its_player_by_the_id(post, put, game, organizer_client):
    event = post(night(game)).json()["events"][0]
    url = f"/api/v1/events/{event['id']}/scores/"
    ada = Player.objects.get(name="Ada")
    one, *others = seats(scores=SCORES[::-1])
    by_id = {"player_id": ada.pk, "score": one["score"]}
    answer = put(organizer_client, url, {"version": 1, "seats": [by_id, *others]})
    assert (answer.status_code, answer.json()["entries"][-1]["player"]["name"]) == (200, "Ada")
    stranger = Player.objects.create(club=ClubFactory(), name="Stranger", key="stranger")
    refused = put(
        organizer_client, url, {"version": 2, "seats": [by_id | {"player_id": stranger.pk}, *others]}
    )
    assert refused.json() == {"seats": [f"The club has no player with the id {stranger.pk}."]}
    nobody = put(organizer_client, url, {"version": 2, "seats": [{"score": one["score"]}, *others]})
    assert nobody.json() == {"seats": {"0": {"player": ["This field is required."]}}}


def test_a_name_sent_with_an_id_is_remembered_and_the_name_of_another_is_refused(post, game, season):
    ada, bo = (
        Player.objects.create(club=season.club, name=name, key=name.casefold()) for name in ("Ada", "Bo")
    )
    table = seats(("Lady A", *NAMES[1:]))
    table[0]["player_id"] = bo.pk
    wrong = post(night(game, {"seats": [{**table[0], "player": "Ada"}, *table[1:]]}, new_players=True))
    assert wrong.json() == {"tables": [f"“Ada” is the name of the player {ada.pk}."]}
    assert not Event.objects.exists()
    table[0]["player_id"] = ada.pk
    assert post(night(game, {"seats": table}, new_players=True)).status_code == 201
    assert PlayerAlias.objects.get().player == ada
    again = seats(("lady a", *NAMES[1:]))
    data = night(game, {"seats": again}, name="Late")
    assert post(data).status_code == 409
    kept = post(data | {"another": True}).json()
    assert kept["events"][0]["entries"][0]["player"]["name"] == "Ada"
