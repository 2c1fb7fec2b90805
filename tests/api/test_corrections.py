"""What a correction would change is answered before it is made, and any version comes back after it."""

import pytest

from league.models import Change, Event
from standings.awards.services import add_award
from standings.recomputation.service import recompute
from tests.factories import correct, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(season, people):
    add_award(season, kind="most_wins", title="", min_events=1, player=None, actor=people["owner"])
    event = enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    return event


def sent(event, *names, version=1):
    entries = [{"player": name} for name in names]
    return {"starts_at": event.starts_at.isoformat(), "entries": entries, "version": version}


def post(client, path, data=None):
    return client.post(f"/api/v1/{path}", data or {}, content_type="application/json")


def test_a_preview_says_what_would_change_and_saves_nothing(organizer_client, client_of, event):
    client, path = client_of("anonymous"), f"events/{event.pk}/preview/"
    assert post(client, path, sent(event, "Boris", "Ada", "Cleo")).status_code == 401
    found = post(organizer_client, path, sent(event, "Boris", "Ada", "Cleo")).json()
    boris = next(mover for mover in found["movers"] if mover["player"]["name"] == "Boris")
    assert boris["rank"] == {"before": 2.0, "after": 1.0}
    assert boris["rate"]["after"] > boris["rate"]["before"]
    [award] = found["awards"]
    assert award["before"] == [{"place": 1, "names": ["Ada"]}]
    assert award["after"] == [{"place": 1, "names": ["Boris"]}]
    assert Event.objects.get().version == 1
    assert not Change.objects.filter(kind=Change.Kind.RESULT_CORRECTED).exists()
    corrected = organizer_client.put(
        f"/api/v1/events/{event.pk}/", sent(event, "Boris", "Ada", "Cleo"), content_type="application/json"
    )
    assert corrected.status_code == 200
    recompute(event.pool_id)
    after = client.get(f"/api/v1/seasons/{event.season_id}/standings/").json()["results"]
    assert {row["player"]["name"]: row["rate"] for row in after}["Boris"] == boris["rate"]["after"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"version": 7}, 409),
        ({"entries": []}, 400),
        ({"entries": [{"player": "Ada"}, {"player": "Boriss"}]}, 400),
    ],
)
def test_a_preview_refuses_what_a_correction_would(organizer_client, event, change, status):
    answer = post(
        organizer_client, f"events/{event.pk}/preview/", sent(event, "Boris", "Ada", "Cleo") | change
    )
    assert answer.status_code == status
    assert Event.objects.get().version == 1


def test_each_version_comes_back(organizer_client, client_of, event):
    correct(event, "Boris\nAda\nCleo")
    correct(event, "Cleo\nBoris\nAda", version=2)
    client, path = client_of("anonymous"), f"events/{event.pk}/corrections/"
    listed = client.get(f"/api/v1/{path}").json()["results"]
    assert [(line["kind"], line["keeps_version"]) for line in listed] == [("result-corrected", True)] * 2
    first, second = listed[1]["id"], listed[0]["id"]

    def names(answer):
        return [entry["player"]["name"] for entry in answer.json()["entries"]]

    assert post(client, f"{path}{first}/bring-back/").status_code == 401
    assert names(post(organizer_client, f"{path}{first}/bring-back/")) == ["Ada", "Boris", "Cleo"]
    assert names(post(organizer_client, f"{path}{first}/bring-back/")) == ["Ada", "Boris", "Cleo"]
    assert Event.objects.get().version == 4  # the second time changed nothing
    assert names(post(organizer_client, f"{path}{second}/bring-back/")) == ["Boris", "Ada", "Cleo"]
    assert post(organizer_client, f"events/{event.pk}/corrections/999999/bring-back/").status_code == 404
