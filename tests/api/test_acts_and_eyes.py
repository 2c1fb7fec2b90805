"""Test what each role reads, and what a write leaves as it is."""

from decimal import Decimal

import pytest

from league.models import Entry, Player
from payouts.models import EntryBonus, EntryMoney
from standings.recomputation.service import recompute
from tests.factories import enter

pytestmark = pytest.mark.django_db
EVERYBODY = ["anonymous", "stranger", "member", "helper", "organizer", "owner"]


@pytest.fixture
def event(season):
    return enter(season, "Ada\nBoris\nCleo")


def body_of(event, *names):
    entries = [{"player": name} for name in names]
    return {"starts_at": event.starts_at.isoformat(), "version": event.version, "entries": entries}


@pytest.mark.parametrize("who", EVERYBODY)
def test_what_somebody_paid_is_for_those_who_enter_results(event, client_of, who):
    Entry.objects.filter(event=event, place=1).update(cost=Decimal("777.25"))
    answer = client_of(who).get(f"/api/v1/events/{event.pk}/")
    costs = [entry["cost"] for entry in answer.json()["entries"]]
    assert costs == (["777.25", None, None] if who in {"helper", "organizer", "owner"} else [None] * 3)
    assert ("777" in answer.content.decode()) == (costs[0] is not None)


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_has_no_results_is_listed_for_those_who_keep_players(event, club, client_of, who):
    Player.objects.create(club=club, name="Zoe", key="zoe")
    found = client_of(who).get(f"/api/v1/clubs/{club.slug}/players/").json()["results"]
    names = [player["name"] for player in found]
    assert ("Zoe" in names) == (who in {"organizer", "owner"})
    assert {"Ada", "Boris", "Cleo"} <= {*names}


@pytest.mark.parametrize("noted", [EntryBonus, EntryMoney])
def test_a_result_that_drops_what_is_noted_for_an_entry_is_refused(event, client_of, put, noted):
    boris = event.entries.get(player__name="Boris")
    noted.objects.create(entry=boris, **({"points": 5} if noted is EntryBonus else {"prize": 5}))
    helper, url = client_of("helper"), f"/api/v1/events/{event.pk}/"
    answer = put(helper, url, body_of(event, "Ada", "Zorro", "Cleo"))
    assert answer.status_code == 409
    assert "Bonus points or money" in answer.json()["detail"]
    assert put(helper, url, body_of(event, "Boris", "Ada", "Cleo")).status_code == 200
    assert noted.objects.get().entry.player.name == "Boris"


def test_a_deletion_names_its_event(event, season, client_of):
    organizer = client_of("organizer")
    organizer.delete(f"/api/v1/events/{event.pk}/?version={event.version}")
    rows = organizer.get(f"/api/v1/pools/{season.pool_id}/changes/?since=0").json()["results"]
    assert [(row["event"], row["kind"]) for row in rows][-1] == (event.pk, "result-deleted")


def test_names_of_several_events_are_compared_with_each_other(season, client_of):
    organizer, url = client_of("organizer"), f"/api/v1/seasons/{season.pk}/events/many/"
    days = ("2026-01-10T19:00:00Z", "2026-01-17T19:00:00Z")
    names = ("Ada Lovelace", "Ada Lovelase")

    def send(**more):
        events = [
            {"starts_at": day, "entries": [{"player": name}, {"player": "Boris"}], **more}
            for day, name in zip(days, names, strict=True)
        ]
        return organizer.post(url, {"events": events}, content_type="application/json")

    answer = send()
    assert answer.status_code == 400
    assert "Ada Lovelase" in answer.content.decode()
    assert not Player.objects.exists()
    assert send(new_players=True).status_code == 201
    assert set(Player.objects.values_list("name", flat=True)) == {*names, "Boris"}


def test_two_plans_of_one_moment_are_one_plan_or_refused(season, client_of):
    organizer, url = client_of("organizer"), f"/api/v1/seasons/{season.pk}/planned/"
    plan = {"starts_at": "2026-12-31T19:00:00Z"}

    def send(*plans):
        return organizer.post(url, {"events": list(plans)}, content_type="application/json")

    assert send(plan, plan | {"name": "Final"}).status_code == 409
    assert not season.planned_events.exists()
    answer = send(plan, plan)
    assert answer.status_code == 201
    assert season.planned_events.count() == 1
    assert len({row["id"] for row in answer.json()["events"]}) == 1
    planned = season.planned_events.get()
    one = f"/api/v1/planned/{planned.pk}/"
    assert organizer.delete(one).status_code == 400
    assert organizer.delete(f"{one}?version=99").status_code == 409
    assert organizer.delete(f"{one}?version={planned.version}").status_code == 204


def test_a_change_of_one_field_leaves_what_others_have_changed_meanwhile(season, client_of, monkeypatch):
    """Somebody else renames the season between its reading and the lock."""
    from league.models import Season

    def locks(club):
        Season.objects.filter(pk=season.pk).update(name="Renamed")
        return {}

    with monkeypatch.context() as patch:
        patch.setattr("api.views.seasons.lock_pools", locks)
        answer = client_of("organizer").patch(
            f"/api/v1/seasons/{season.pk}/", {"ends_on": "2026-12-30"}, content_type="application/json"
        )
    assert answer.status_code == 200
    assert (answer.json()["name"], answer.json()["ends_on"]) == ("Renamed", "2026-12-30")


@pytest.mark.parametrize("path", ["seasons/{season}/", "events/{event}/", "clubs/{club}/"])
def test_a_parameter_that_does_not_exist_is_refused_everywhere(season, event, client, path):
    url = path.format(season=season.pk, event=event.pk, club=season.club.slug)
    answer = client.get(f"/api/v1/{url}?foo=1")
    assert answer.status_code == 400
    assert list(answer.json()) == ["foo"]


def test_an_award_is_added_computed_or_chosen(season, event, client_of):
    recompute(season.pool_id)
    organizer, url = client_of("organizer"), f"/api/v1/seasons/{season.pk}/awards/"

    def send(who=organizer, **award):
        return who.post(url, award, content_type="application/json")

    answer = send(kind="first_three")
    assert answer.status_code == 201
    assert [place["players"][0]["name"] for place in answer.json()["places"]] == ["Ada", "Boris", "Cleo"]
    ada = season.club.players.get(name="Ada")
    chosen = send(kind="chosen", title="Fair play", player_id=ada.pk)
    assert chosen.json()["places"][0]["players"][0]["id"] == ada.pk
    assert send(kind="first_three").status_code == 409
    assert list(send(kind="chosen", title="Fair play").json()) == ["player"]
    assert list(send(kind="chosen", title="Fair play", player_id=99999).json()) == ["player_id"]
    assert send(client_of("helper"), kind="most_wins").status_code == 403
    assert len(organizer.get(url).json()["results"]) == 2
