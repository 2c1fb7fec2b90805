"""Run a club over the API, beside its results: plans and answers, members, invitations, claims, players, history."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.models import Claim, Invitation, Membership, PlannedEvent, Player, PlayerAlias, Role, Season
from tests.factories import correct, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def send(organizer_client):
    def send(method, path, data=None, client=organizer_client):
        return getattr(client, method)(f"/api/v1/{path}", data or {}, content_type="application/json")

    return send


@pytest.fixture
def owner_sends(send, client_of):
    return lambda method, path, data=None: send(method, path, data, client_of("owner"))


def in_days(n):
    return (timezone.now() + timedelta(days=n)).replace(microsecond=0)


def test_events_are_planned_changed_answered_and_cancelled(send, season, client_of):
    client, start = client_of("anonymous"), in_days(3)
    Season.objects.filter(pk=season.pk).update(starts_on=start.date() - timedelta(days=30), ends_on=None)
    plan = {"starts_at": start.isoformat(), "name": "Heads-up", "place": "Back room", "is_last": True}
    made = send("post", f"seasons/{season.pk}/planned/", {"events": [plan]})
    assert made.status_code == 201
    [planned] = client.get(f"/api/v1/seasons/{season.pk}/planned/").json()["results"]
    assert made.json() == {"events": [planned]}
    assert (planned["name"], planned["is_last"], planned["version"]) == ("Heads-up", True, 1)
    path = f"planned/{planned['id']}/"
    coming = send("put", f"{path}answer/", {"answer": "yes"}, client_of("member"))
    assert (coming.json()["coming"]["yes"], coming.json()["coming"]["own"]) == (1, "yes")
    assert len(coming.json()["names"]) == 1
    shown = client.get(f"/api/v1/{path}").json()
    assert (shown["coming"]["yes"], shown["names"]) == (1, None)  # who comes is told to members alone
    changed = send("put", path, plan | {"name": "Freeroll", "version": 1})
    assert (changed.json()["name"], changed.json()["version"]) == ("Freeroll", 2)
    assert send("put", path, plan | {"name": "Other", "version": 1}).status_code == 409
    assert send("delete", f"{path}?version=2").status_code == 204
    assert not PlannedEvent.objects.exists()


def test_plans_that_cannot_be(send, season):
    far = {"starts_at": (timezone.now() + timedelta(days=2000)).isoformat()}
    outside = {"starts_at": "2025-01-01T19:00:00Z"}
    for plan in (far, outside, {"starts_at": "soon"}, {"starts_at": far["starts_at"], "note": "a\0"}):
        answer = send("post", f"seasons/{season.pk}/planned/", {"events": [plan]})
        assert (answer.status_code, list(answer.json())) == (400, ["events"]), plan
    assert not PlannedEvent.objects.exists()


def test_members_are_listed_get_another_role_and_are_removed(owner_sends, send, club, people):
    rows = owner_sends("get", f"clubs/{club.slug}/members/").json()["results"]
    assert [row["role"] for row in rows] == ["owner", "owner", "organizer", "helper", "member"]
    member = Membership.objects.get(club=club, role=Role.MEMBER)
    path = f"clubs/{club.slug}/members/{member.pk}/"
    assert send("put", path, {"role": "helper"}).status_code == 403  # an organizer
    assert owner_sends("put", path, {"role": "helper"}).json()["role"] == "helper"
    assert owner_sends("put", path, {"role": "king"}).json().keys() == {"role"}
    assert owner_sends("delete", path).status_code == 204
    assert not Membership.objects.filter(pk=member.pk).exists()
    other = Membership.objects.filter(club=club, role=Role.OWNER).exclude(user=people["owner"]).get()
    assert owner_sends("delete", f"clubs/{club.slug}/members/{other.pk}/").status_code == 204
    last = Membership.objects.get(club=club, role=Role.OWNER)
    assert owner_sends("delete", f"clubs/{club.slug}/members/{last.pk}/").status_code == 409


def test_members_have_the_player_they_are(owner_sends, club, people):
    ada = Player.objects.create(club=club, name="Ada", key="ada", user=people["member"])
    rows = owner_sends("get", f"clubs/{club.slug}/members/").json()["results"]
    assert [row["player"] and row["player"]["id"] for row in rows] == [None, None, None, None, ada.pk]


def test_invitations_are_made_and_revoked(send, club):
    path = f"clubs/{club.slug}/invitations/"
    made = send("post", path, {"role": "helper", "hours": 1, "most_uses": 3})
    assert made.status_code == 201
    invitation = Invitation.objects.get()
    assert made.json()["link"] == f"http://testserver{invitation.get_absolute_url()}"
    assert send("get", path).json()["results"] == [made.json()]
    assert send("post", path, {"role": "owner"}).status_code == 409  # only owners make owners
    assert send("post", path, {"role": "member", "hours": 9999}).json().keys() == {"hours"}
    assert send("post", path, {"role": "member", "player_id": 999}).json().keys() == {"player_id"}
    assert send("delete", f"{path}{invitation.pk}/").status_code == 204
    assert send("get", path).json()["count"] == 0


def test_a_member_says_which_player_it_is(send, club, client_of, people):
    ada = Player.objects.create(club=club, name="Ada", key="ada")
    asked = send("post", f"players/{ada.pk}/claim/", client=client_of("member"))
    assert (asked.status_code, asked.json()["player"]["id"]) == (201, ada.pk)
    assert send("post", f"players/{ada.pk}/claim/", client=client_of("member")).json() == asked.json()
    assert Claim.objects.get().user == people["member"]
    assert send("post", f"players/{ada.pk}/claim/", client=client_of("stranger")).status_code == 403


def test_claims_are_answered(send, club, people):
    ada = Player.objects.create(club=club, name="Ada", key="ada")
    claim = Claim.objects.create(player=ada, user=people["member"])
    [row] = send("get", f"clubs/{club.slug}/claims/").json()["results"]
    assert (row["id"], row["account"], row["player"]["id"]) == (claim.pk, people["member"].username, ada.pk)
    assert send("post", f"clubs/{club.slug}/claims/{claim.pk}/", {"is_approved": True}).status_code == 204
    ada.refresh_from_db()
    assert (ada.user, Claim.objects.exists()) == (people["member"], False)


def test_players_are_added_renamed_and_forget_other_names(send, club, season):
    made = send("post", f"clubs/{club.slug}/players/", {"name": "Ada"})
    assert (made.status_code, made.json()["is_guest"]) == (201, False)
    assert send("post", f"clubs/{club.slug}/players/", {"name": "ADA"}).status_code == 409
    assert send("post", f"clubs/{club.slug}/players/", {"name": "=1"}).json().keys() == {"name"}
    path = f"players/{made.json()['id']}/"
    renamed = send("patch", path, {"name": "Ada L."})
    assert (renamed.json()["name"], renamed.json()["is_guest"]) == ("Ada L.", False)
    assert send("patch", path, {"is_guest": True}).json()["name"] == "Ada L."
    alias = PlayerAlias.objects.create(club=club, player_id=made.json()["id"], name="Lady A", key="lady a")
    [row] = send("get", f"{path}aliases/").json()["results"]
    assert (row["id"], row["name"]) == (alias.pk, "Lady A")
    assert send("delete", f"{path}aliases/{alias.pk}/").status_code == 204
    assert not PlayerAlias.objects.exists()


def test_a_season_is_changed_closed_and_reopened(send, season):
    path = f"seasons/{season.pk}/"
    assert send("patch", path, {"name": "Spring"}).json()["name"] == "Spring"
    assert send("patch", path, {"ends_on": "2026-12-31", "is_closed": True}).json()["is_closed"] is True
    assert send("patch", path, {"is_closed": False}).json()["ends_on"] == "2026-12-31"
    assert send("patch", path, {"ends_on": "2025-01-01"}).json().keys() == {"ends_on"}
    enter(season, "Ada\nBoris")
    assert send("patch", path, {"starts_on": "2026-11-01"}).status_code == 409  # it has an event before
    season.refresh_from_db()
    assert (season.name, season.is_closed) == ("Spring", False)


def test_the_history_says_what_was_changed_and_to_members_by_whom(season, client_of, people):
    event = enter(season, "Ada\nBoris", actor=people["organizer"])
    correct(event, "Boris\nAda")
    path = f"/api/v1/clubs/{season.club.slug}/history/"
    corrected, entered, *_more = client_of("anonymous").get(path).json()["results"]
    assert (corrected["kind"], corrected["event"], corrected["season"]) == (
        "result-corrected", event.pk, season.pk,
    )  # fmt: skip
    assert (entered["by"], any("Boris" in text for text in corrected["descriptions"])) == ("", True)
    assert client_of("member").get(path).json()["results"][1]["by"] == people["organizer"].username
