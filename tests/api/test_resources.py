"""Read clubs, seasons, events, players and pools, as the pages show them."""

import pytest

from directory.services.listings import answer_listing, ask_for_listing
from league.models import Event, Player, Season
from people.services.hidden_names import hide_name
from ratings.models import PlayerRating, RatedEntry
from standings.models import Award
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(season):
    """Three events of three players, computed."""
    events = [enter(season, "Ada\nBoris\nCleo", day=day) for day in (0, 7)]
    events.append(enter(season, "Boris\nAda x2\nCleo", day=14))
    recompute(season.pool_id)
    return events


def ref(player):
    return {"id": player.pk, "name": player.name, "url": f"http://testserver{player.get_absolute_url()}"}


def rows(client, url, **options):
    answer = client.get(url, options)
    assert answer.status_code == 200, answer.json()
    return answer.json()["results"]


def test_it_begins_with_addresses_that_are_there(client):
    for address in client.get("/api/v1/").json().values():
        assert client.get(address).status_code in {200, 400}, address  # 400: it needs parameters


def test_clubs_are_your_own_and_those_of_the_directory(client, client_of, club, season, people):
    hidden = ClubFactory(name="Unlisted", is_public=True)
    assert rows(client, "/api/v1/clubs/") == []
    assert [row["slug"] for row in rows(client_of("member"), "/api/v1/clubs/")] == [club.slug]
    owner = people["owner"]
    answer_listing(ask_for_listing(club, place="Cork", actor=owner), is_taken_in=True, actor=owner)
    [listed] = rows(client, "/api/v1/clubs/")
    assert (listed["slug"], listed["is_closed"]) == (club.slug, False)
    assert (
        client.get(f"/api/v1/clubs/{hidden.slug}/").json()["name"] == "Unlisted"
    )  # who has its address reads it


def test_a_club_names_its_games_and_your_role(client, client_of, club, season):
    game = club.games.get()
    answer = client.get(f"/api/v1/clubs/{club.slug}/").json()
    assert answer["games"] == [
        {
            "id": game.pk, "name": "Poker", "kind": "poker", "entry_form": "order", "pool": game.pool_id,
            "table_size": 9, "is_shut": False,
        }
    ]  # fmt: skip
    assert answer["role"] == "public"
    assert client_of("helper").get(f"/api/v1/clubs/{club.slug}/").json()["role"] == "helper"


def test_a_season_is_begun_with_the_rules_that_are_sent(organizer_client, club):
    url = f"/api/v1/clubs/{club.slug}/seasons/"
    data = {"name": "Autumn", "starts_on": "2026-09-01", "rules": {"best_n": 5}}
    answer = organizer_client.post(url, data, content_type="application/json")
    assert answer.status_code == 201
    season = Season.objects.get(name="Autumn")
    assert answer.json() == organizer_client.get(f"/api/v1/seasons/{season.pk}/").json()
    assert organizer_client.get(f"/api/v1/seasons/{season.pk}/rules/").json()["best_n"] == 5
    assert organizer_client.post(url, data, content_type="application/json").status_code == 409
    taken = {"name": "Winter", "starts_on": "2026-12-01", "taken_from": season.pk}
    winter = organizer_client.post(url, taken, content_type="application/json").json()
    assert organizer_client.get(f"/api/v1/seasons/{winter['id']}/rules/").json()["best_n"] == 5


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"starts_on": "soon"}, "starts_on"),
        ({"starts_on": "0001-01-01"}, "starts_on"),
        ({"ends_on": "2026-08-31"}, "ends_on"),
        ({"ends_on": "9999-12-31"}, "ends_on"),
        ({"rules": {"best_n": 0}}, "rules"),
        ({"rules": {"best": 1}}, "rules"),
        ({"rules": {"best_n": "many"}}, "rules"),
        ({"rules": {"structure": 3}}, "rules"),
        ({"rules": {"structure": {"name": "dhondt", "votes": [[]]}}}, "votes"),
        ({"taken_from": 999}, "taken_from"),
        ({"days": 3}, "days"),
    ],
)
def test_a_season_that_cannot_be_begun(organizer_client, club, change, field):
    url, n = f"/api/v1/clubs/{club.slug}/seasons/", Season.objects.count()
    data = {"name": "Autumn", "starts_on": "2026-09-01"} | change
    answer = organizer_client.post(url, data, content_type="application/json")
    assert (answer.status_code, list(answer.json())) == (400, [field]), answer.json()
    assert Season.objects.count() == n


def test_events_are_listed_with_their_winners(client, season, played):
    newest, *_others = rows(client, f"/api/v1/seasons/{season.pk}/events/")
    boris = Player.objects.get(name="Boris")
    assert (newest["id"], newest["players"], newest["entries"]) == (played[2].pk, 3, 4)
    assert newest["winners"] == [ref(boris)]
    assert rows(client, f"/api/v1/clubs/{season.club.slug}/events/")[0] == newest


def test_events_are_filtered_and_ordered(client, season, played):
    url = f"/api/v1/clubs/{season.club.slug}/events/"

    def ids(**options):
        return [row["id"] for row in rows(client, url, **options)]

    first, second, third = (event.pk for event in played)
    assert ids(ordering="starts_at") == [first, second, third]
    assert ids(ordering="-entries")[0] == third
    assert ids(since=played[1].starts_at.isoformat()) == [third, second]
    assert ids(until=played[1].starts_at.isoformat()) == [first]
    assert ids(player=Player.objects.get(name="Ada").pk, season=season.pk) == [third, second, first]
    assert ids(pool=season.pool_id + 1) == ids(player=0) == []
    for wrong in ({"ordering": "name"}, {"since": "soon"}, {"player": "Ada"}, {"sort": "name"}):
        answer = client.get(url, wrong)
        assert (answer.status_code, list(answer.json())) == (400, list(wrong))


@pytest.mark.parametrize("number", ["9" * 30, "-1", "1.5", "1e3", "1e400", "NaN"])
@pytest.mark.parametrize("name", ["player", "season", "pool", "game"])
def test_odd_numbers_in_filters_find_nothing_or_are_refused(client, season, played, name, number):
    answer = client.get(f"/api/v1/clubs/{season.club.slug}/events/", {name: number})
    assert answer.status_code == 400 or answer.json()["results"] == []


def test_players_have_their_ratings_in_each_pool(client, season, played):
    ada, boris, cleo = rows(client, f"/api/v1/clubs/{season.club.slug}/players/")
    stored = PlayerRating.objects.get(player__name="Ada")
    assert ada["ratings"] == [
        {
            "pool": season.pool_id, "rate": stored.rate, "badge": stored.badge, "is_provisional": False, "entries": 4,
            "last_at": played[2].starts_at.isoformat().replace("+00:00", "Z"),
        }
    ]  # fmt: skip
    assert [boris["name"], cleo["name"]] == ["Boris", "Cleo"]
    assert client.get(f"/api/v1/players/{ada['id']}/").json() == ada


def test_players_are_found_by_name_and_badge(client, season, played):
    url = f"/api/v1/clubs/{season.club.slug}/players/"
    assert [row["name"] for row in rows(client, url, q="O")] == ["Boris", "Cleo"]
    assert [row["name"] for row in rows(client, url, ordering="-name")] == ["Cleo", "Boris", "Ada"]
    best_first = [row.player.name for row in PlayerRating.objects.order_by("-rate").select_related("player")]
    assert [row["name"] for row in rows(client, url, ordering="-rate", pool=season.pool_id)] == best_first
    assert [row["name"] for row in rows(client, url, ordering="entries")] == ["Boris", "Cleo", "Ada"]
    assert len(rows(client, url, ordering="-last_at")) == 3
    for wrong in ({"pool": 99999}, {"pool": "x"}, {"ordering": "badge"}):
        assert client.get(url, wrong).status_code == 400
    PlayerRating.objects.filter(player__name="Ada").update(badge="S")
    assert [row["name"] for row in rows(client, url, badge="S")] == ["Ada"]
    assert rows(client, url, is_guest="false") == []


def test_a_players_ratings_come_event_by_event(client, season, played):
    ada = Player.objects.get(name="Ada")
    history = rows(client, f"/api/v1/players/{ada.pk}/ratings/")
    assert [row["event"] for row in history] == [event.pk for event in played]
    assert [row["place"] for row in history] == [1, 1, 2]
    last = RatedEntry.objects.get(player=ada, event=played[2], number=2)
    assert history[2]["rate"] == last.posterior_rate
    assert history[1]["rate"] == history[2]["rate_before"]
    assert client.get(f"/api/v1/players/{ada.pk}/ratings/", {"pool": 999}).json().keys() == {"pool"}


def test_opponents_and_how_often_a_player_was_ahead(client, season, played):
    boris = Player.objects.get(name="Boris")
    met = {row["opponent"]["name"]: row for row in rows(client, f"/api/v1/players/{boris.pk}/opponents/")}
    assert (met["Ada"]["events"], met["Ada"]["ahead"]) == (3, 1)
    assert (met["Cleo"]["events"], met["Cleo"]["ahead"]) == (3, 3)


def test_awards_name_those_who_have_them(client, season, played):
    Award.objects.create(season=season, position=1, kind="most_wins")
    [award] = rows(client, f"/api/v1/seasons/{season.pk}/awards/")
    [place] = award["places"]
    assert (place["place"], place["value"], place["players"]) == (1, 2, [ref(Player.objects.get(name="Ada"))])


def test_pools_say_how_far_their_ratings_are(client, season, played):
    [pool] = rows(client, f"/api/v1/clubs/{season.club.slug}/pools/")
    assert (pool["id"], pool["kind"], pool["is_behind"]) == (season.pool_id, "tier", False)
    enter(season, "Cleo\nAda", day=15)
    answer = client.get(f"/api/v1/pools/{season.pool_id}/").json()
    assert (answer["is_behind"], answer["settings"]["beta"] > 0) == (True, True)


def test_times_are_told_by_the_clock_of_the_club(client, season):
    season.club.time_zone = "Asia/Tokyo"
    season.club.save()
    event = enter(season, "Ada\nBoris")
    shown = client.get(f"/api/v1/events/{event.pk}/").json()
    assert shown["starts_at"].endswith("+09:00")


def test_a_hidden_name_stands_in_no_answer(client, season, played, people):
    ada = Player.objects.get(name="Ada")
    hide_name(ada, actor=people["owner"])
    recompute(season.pool_id)
    slug = season.club.slug
    for url in (
        f"/api/v1/clubs/{slug}/players/?q=ada",
        f"/api/v1/clubs/{slug}/events/",
        f"/api/v1/seasons/{season.pk}/standings/",
        f"/api/v1/events/{played[0].pk}/",
        f"/api/v1/players/{ada.pk}/",
    ):
        answer = client.get(url)
        assert answer.status_code == 200
        assert '"Ada"' not in answer.content.decode()


LISTS = [
    "clubs/{slug}/players/",
    "clubs/{slug}/events/",
    "clubs/{slug}/seasons/",
    "clubs/{slug}/pools/",
    "seasons/{season}/events/",
    "seasons/{season}/standings/",
    "seasons/{season}/awards/",
    "seasons/{season}/table/",
    "players/{player}/ratings/",
    "players/{player}/opponents/",
    "events/{event}/",
]


@pytest.mark.parametrize("path", LISTS)
def test_lists_of_30_take_as_many_queries_as_lists_of_one(client, season, path):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def n_queries():
        player, event = Player.objects.get(name="Ada"), Event.objects.first()
        url = f"/api/v1/{path}".format(
            slug=season.club.slug, season=season.pk, player=player.pk, event=event.pk
        )
        with CaptureQueriesContext(connection) as captured:
            assert client.get(url).status_code == 200
        return len(captured)

    enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    Award.objects.create(season=season, position=1, kind="most_wins")
    few = n_queries()
    names = "\n".join(chr(65 + n) * 5 for n in range(25))
    Event.objects.all().delete() if path.startswith("events/") else None
    for day in range(1, 30):
        enter(season, f"Ada\n{names}\nBoris", day=day)
    recompute(season.pool_id)
    for n in range(2, 30):
        Award.objects.create(season=season, position=n, kind="most_wins")
        Season.objects.create(
            club=season.club, pool=season.pool, name=f"S{n}", slug=f"s{n}", starts_on="2025-01-01"
        )
    assert n_queries() <= few
