"""The season table, the odds of the title, why a rate has changed, money, and laboratory runs."""

from decimal import Decimal
from fractions import Fraction

import pytest

from payouts.models import EntryMoney, EventMoney, SeasonRules
from standings.recomputation.service import recompute
from tests.addresses import a_run
from tests.factories import enter
from tests.forecasts.seasons import played as season_with_odds

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(season):
    events = [enter(season, "Ada\nBoris\nCleo", day=0), enter(season, "Boris\nAda x2", day=7)]
    recompute(season.pool_id)
    return events


def got(client, path, **parameters):
    answer = client.get(f"/api/v1/{path}", parameters)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_the_table_has_the_points_of_each_event_that_add_up(client, season, played):
    rows = got(client, f"seasons/{season.pk}/table/")["results"]
    assert [row["player"]["name"] for row in rows] == ["Ada", "Boris", "Cleo"] or rows[0]["rank"] == 1
    for row in rows:
        assert Fraction(row["points"]) == sum(Fraction(each["points"]) for each in row["events"])
    cleo = next(row for row in rows if row["player"]["name"] == "Cleo")
    assert [each["event"] for each in cleo["events"]] == [played[0].pk]
    ada = next(row for row in rows if row["player"]["name"] == "Ada")
    assert [(each["event"], each["is_won"]) for each in ada["events"]] == [
        (played[1].pk, False), (played[0].pk, True),
    ]  # fmt: skip
    assert all(not row["events"] for row in got(client, f"seasons/{season.pk}/table/", part=2)["results"])


def test_the_table_says_what_does_not_count(client, season, played):
    SeasonRules.objects.filter(season=season).update(best_n=1)
    rows = got(client, f"seasons/{season.pk}/table/")["results"]
    counted = {row["player"]["name"]: [each["not_counted"] == "" for each in row["events"]] for row in rows}
    assert (sorted(counted["Ada"]), counted["Cleo"]) == ([False, True], [True])


@pytest.mark.parametrize(("name", "value"), [("part", "0"), ("part", "x"), ("page", "9"), ("other", "1")])
def test_odd_parameters_of_the_table(client, season, played, name, value):
    answer = client.get(f"/api/v1/seasons/{season.pk}/table/", {name: value})
    assert answer.status_code == (404 if name == "page" else 400)


def test_a_season_without_odds_has_no_players(client, season):
    assert got(client, f"seasons/{season.pk}/odds/")["players"] == []


def test_chances_of_the_title_add_up(client):
    season = season_with_odds()
    found = got(client, f"seasons/{season.pk}/odds/")
    assert not found["is_waiting"]
    players = found["players"]
    assert sum(each["title"] for each in players) == pytest.approx(1, abs=0.01)
    assert players[0]["title"] == max(each["title"] for each in players)
    for each in players:
        assert sum(each["positions"]) == pytest.approx(1, abs=0.01)


def test_steps_of_a_rate_add_up(client, season, played):
    ada = played[0].entries.get(place=1).player
    found = got(client, f"events/{played[1].pk}/players/{ada.pk}/explanation/")
    assert len(found["entries"]) == 2
    for entry in found["entries"]:
        change = round(10 * (entry["after"] - entry["before"]))
        assert change == sum(round(10 * step["change"]) for step in entry["steps"])
    ratings = got(client, f"players/{ada.pk}/ratings/")["results"]
    assert found["entries"][-1]["after"] in {round(each["rate"], 1) for each in ratings}
    cleo = played[0].entries.get(place=3).player
    assert client.get(f"/api/v1/events/{played[1].pk}/players/{cleo.pk}/explanation/").status_code == 404


def test_money_is_told_to_those_who_keep_it(client_of, season, played):
    path = f"events/{played[0].pk}/money/"
    nothing = got(client_of("organizer"), path)
    assert (nothing["version"], nothing["entries"]) == (0, [])
    EventMoney.objects.create(
        event=played[0], buy_in=Decimal("12.50"), payouts=["60", "40"], result_version=1
    )
    EntryMoney.objects.create(entry=played[0].entries.get(place=1), rebuys=1, prize=Decimal(20))
    found = got(client_of("organizer"), path)
    assert (found["buy_in"], found["payouts"], found["stated_pool"]) == ("12.5", ["60", "40"], None)
    [entry] = found["entries"]
    assert (entry["player"]["name"], entry["rebuys"], entry["prize"], entry["given"]) == (
        "Ada",
        1,
        "20",
        None,
    )
    assert client_of("member").get(f"/api/v1/{path}").status_code == 403


def test_runs_are_listed_and_read_with_their_report(client_of, club):
    run = a_run(club)
    member = client_of("member")
    [listed] = got(member, f"clubs/{club.slug}/runs/")["results"]
    found = got(member, f"runs/{run.pk}/")
    assert {name: found[name] for name in listed} == listed
    assert (found["state"], found["n_seasons"]) == (run.state, run.n_seasons)
    if run.totals is not None:
        assert 0 <= found["report"][0]["best_wins"] <= 1
    assert client_of("anonymous").get(f"/api/v1/runs/{run.pk}/").status_code == 401
