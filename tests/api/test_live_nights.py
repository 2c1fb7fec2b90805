"""Nights that are run live, read and recorded by a program with a key."""

import json
import random
import uuid

import pytest

from api.serializers.live import LiveStateSerializer
from league.models import Role
from live.engine.project import project_raw
from live.engine.summary import summary
from live.models import Action, Night
from people.services.members import set_member
from tests.live.nights import LiveNight
from tests.live.random_logs import random_log

pytestmark = pytest.mark.django_db


@pytest.fixture
def live(client):
    found = LiveNight()
    set_member(found.season.club, user=found.actor, role=Role.HELPER, actor=None)
    client.force_login(found.actor)
    found.url = f"/api/v1/live/{found.night.pk}/"
    return found


def post(client, live, *actions):
    return client.post(live.url, {"actions": list(actions)}, content_type="application/json")


def an_action(kind, **body):
    return {"id": str(uuid.uuid4()), "kind": kind, "body": body}


def test_it_says_what_the_log_says(client, live):
    ada, _boris = live.enter("Ada", "Boris")
    live.out(ada, minute=10)
    told = client.get(live.url).json()
    assert told["state"]["places"] == {"Ada": 2, "Boris": 1}
    (line,) = client.get(f"/api/v1/clubs/{live.season.club.slug}/live/").json()["results"]
    assert (line["id"], line["stage"], line["season"]) == (live.night.pk, "open", live.season.pk)


def test_actions_are_recorded_once(client, live):
    actions = [an_action("enter", name="Ada"), an_action("enter", name="Boris")]
    first, again = post(client, live, *actions), post(client, live, *actions)
    assert [each["status"] for each in first.json()] == ["in", "in"]
    assert [each["status"] for each in again.json()] == ["again", "again"]
    assert Action.objects.filter(kind="enter").count() == 2


def test_a_wrong_one_is_named_and_nothing_is_recorded(client, live):
    answer = post(client, live, an_action("enter", name="Ada"), an_action("bust"))
    assert answer.status_code == 400
    assert "unknown kind bust" in str(answer.json())
    assert Action.objects.filter(kind="enter").count() == 0


def test_what_no_database_stores_in_json_is_replaced(client, live):
    assert post(client, live, an_action("note", text="a\0b")).json()[0]["status"] == "in"
    assert Action.objects.get(kind="note").body == {"text": "a\ufffdb"}


def test_a_night_that_is_over_takes_nothing(client, live):
    Night.objects.update(stage=Night.Stage.PUBLISHED)
    assert post(client, live, an_action("note", text="late")).status_code == 409


def test_of_what_a_log_says_nothing_is_lost():
    """Of the logs that the twins of the projection are compared on, so that each part has had a value."""
    seen = set()
    for seed in range(300):
        state = json.loads(json.dumps(summary(project_raw(random_log(random.Random(seed))))))
        shown = json.loads(json.dumps(LiveStateSerializer(state).data))
        assert shown == state, seed
        seen |= {name for name, value in state.items() if value not in (None, [], {})}
    assert seen >= {"entries", "exits", "questions", "places", "in", "clock", "levels", "deal"}
