"""A write that is sent again with its key is answered as the first time, and nothing is written twice."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from api.idempotency import MOST_KEPT
from api.models import KEPT, SentWrite
from league.hooks.signals import purging
from league.models import Event, Season
from tests.factories import enter
from tests.league.racing import at_once

pytestmark = pytest.mark.django_db
EVENING = {"starts_at": "2026-01-13T19:30:00Z", "entries": [{"player": "Ada"}, {"player": "Boris"}]}


@pytest.fixture
def send(organizer_client):
    def send(method, path, data=None, *, key, client=organizer_client):
        url, headers = f"/api/v1/{path}", {"Idempotency-Key": key}
        return getattr(client, method)(url, data or {}, content_type="application/json", headers=headers)

    return send


def test_a_result_is_entered_once(send, season):
    path = f"seasons/{season.pk}/events/"
    first, again = (send("post", path, EVENING, key="tuesday-1") for _time in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert ("Idempotent-Replayed" in first.headers, again.headers["Idempotent-Replayed"]) == (False, "true")
    assert Event.objects.count() == 1


def test_so_is_every_other_write(send, season, club):
    event = enter(season, "Ada\nBoris")
    new = {"name": "Autumn", "starts_on": "2026-09-01"}
    writes = [
        ("post", f"clubs/{club.slug}/seasons/", new),
        ("patch", f"seasons/{season.pk}/", {"name": "Renamed"}),
        ("post", f"clubs/{club.slug}/players/", {"name": "Cleo"}),
        ("delete", f"events/{event.pk}/?version=1", None),
    ]
    for i, (method, path, data) in enumerate(writes):
        first = send(method, path, data, key=str(i))
        assert first.status_code < 300, first.content
        # The event is gone, so the last one finds nothing to be admitted to; it is not done twice either.
        again = send(method, path, data, key=str(i))
        assert again.status_code == (404 if method == "delete" else first.status_code)
        assert method == "delete" or again.json() == first.json()
    assert Season.objects.filter(club=club).count() == 2


def test_a_key_is_good_for_one_request(send, season):
    path = f"seasons/{season.pk}/events/"
    send("post", path, EVENING, key="a")
    changed = EVENING | {"entries": EVENING["entries"][::-1]}
    assert send("post", path, changed, key="a").status_code == 422
    assert send("post", f"{path}many/", EVENING, key="a").status_code == 422
    assert Event.objects.get().entries.get(place=1).player.name == "Ada"


def test_after_an_error_nothing_is_kept_of_it(send, season):
    path = f"seasons/{season.pk}/events/"
    assert send("post", path, EVENING | {"entries": []}, key="a").status_code == 400
    assert not SentWrite.objects.exists()
    assert send("post", path, EVENING, key="a").status_code == 201


@pytest.mark.parametrize("key", ["", "two words", "é", "x" * 201])
def test_what_is_no_key_is_refused(send, season, key):
    answer = send("post", f"seasons/{season.pk}/events/", EVENING, key=key)
    assert (answer.status_code, list(answer.json())) == (400, ["Idempotency-Key"])
    assert not Event.objects.exists()


def test_an_upload_takes_no_key(organizer_client, season):
    url, headers = f"/api/v1/seasons/{season.pk}/imports/", {"Idempotency-Key": "a"}
    answer = organizer_client.post(url, {"text": "x"}, headers=headers)
    assert (answer.status_code, list(answer.json())) == (400, ["Idempotency-Key"])


def test_another_account_has_keys_of_its_own(send, season, client_of):
    path = f"seasons/{season.pk}/events/"
    send("post", path, EVENING, key="a")
    other = send("post", path, EVENING | {"another": True}, key="a", client=client_of("owner"))
    assert (other.status_code, Event.objects.count()) == (201, 2)


def test_who_may_not_write_any_more_is_refused(send, season, people, organizer_client):
    path = f"seasons/{season.pk}/events/"
    send("post", path, EVENING, key="a")
    season.club.memberships.filter(user=people["organizer"]).delete()
    assert send("post", path, EVENING, key="a").status_code == 403


def test_answers_are_forgotten_after_a_day_and_the_oldest_of_many(send, season, people):
    path = f"seasons/{season.pk}/events/"
    send("post", path, EVENING, key="a")
    SentWrite.objects.update(at=timezone.now() - KEPT - timedelta(minutes=1))
    purging.send(sender=None)
    assert not SentWrite.objects.exists()
    many = [SentWrite(user=people["organizer"], key=str(n), digest="") for n in range(MOST_KEPT)]
    SentWrite.objects.bulk_create(many)
    send("post", path, EVENING | {"another": True}, key="a")
    assert SentWrite.objects.count() == MOST_KEPT
    assert not SentWrite.objects.filter(key="0").exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_of_two_at_the_same_moment_the_second_waits_for_the_first(season, client_of, tmp_path):
    path, headers = f"/api/v1/seasons/{season.pk}/events/", {"Idempotency-Key": "a"}
    clients = [client_of("organizer") for _request in range(2)]

    def post(client):
        return client.post(path, EVENING, content_type="application/json", headers=headers)

    answers, n_events = at_once([partial(post, each) for each in clients], Event.objects.count, tmp_path)
    assert [answer.status_code for answer in answers] == [201, 201]
    assert (answers[0].json(), n_events) == (answers[1].json(), 1)
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 1
