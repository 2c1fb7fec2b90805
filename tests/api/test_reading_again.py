"""Reading again: what has not changed is a 304, what has is listed after a version, other sites read what is public."""

import pytest

from league.models import Change, Club
from standings.recomputation.service import recompute
from tests.factories import correct, enter

pytestmark = pytest.mark.django_db


def test_an_answer_that_is_known_is_not_sent_again(client, season):
    event = enter(season, "Ada\nBoris")
    url = f"/api/v1/events/{event.pk}/"
    first = client.get(url)
    known = {"if-none-match": first.headers["ETag"]}
    again = client.get(url, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert client.get("/api/v1/schema/", headers=known).status_code == 200
    correct(event, "Boris\nAda")
    assert client.get(url, headers=known).json()["version"] == 2


@pytest.mark.parametrize(
    "part", ["", "rules/", "standings/", "standings/?by=profit", "awards/", "table/", "events/"]
)
def test_what_belongs_to_a_season_is_not_computed_again(client, season, part, django_assert_max_num_queries):
    event = enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    url = f"/api/v1/seasons/{season.pk}/{part}"
    first = client.get(url)
    known = {"if-none-match": first.headers["ETag"]}
    with django_assert_max_num_queries(3):
        assert client.get(url, headers=known).status_code == 304
    weak = {"if-none-match": f"W/{known['if-none-match']}"}  # as it is after compression
    with django_assert_max_num_queries(3):
        assert client.get(url, headers=weak).status_code == 304
    assert client.get(url, headers=known | {"accept-language": "ja"}).status_code == 200
    Club.objects.update(is_public=False)
    assert client.get(url, headers=known).status_code == 404
    Club.objects.update(is_public=True)
    correct(event, "Boris\nAda")
    recompute(season.pool_id)
    assert client.get(url, headers=known).status_code == 200


def test_changes_come_after_a_version_in_order(client, season, django_assert_num_queries):
    url = f"/api/v1/pools/{season.pool_id}/changes/"
    event = enter(season, "Ada\nBoris")
    seen = client.get(url).json()["results"][-1]["version"]
    correct(event, "Boris\nAda")
    enter(season, "Cleo\nDora", day=1)
    with django_assert_num_queries(3):
        one, two = client.get(url, {"since": seen}).json()["results"]
    assert (one["kind"], one["event"], one["season"]) == ("result-corrected", event.pk, season.pk)
    assert (two["kind"], two["version"]) == ("result-entered", one["version"] + 1)
    assert client.get(url, {"since": two["version"]}).json()["count"] == 0
    assert client.get(url, {"since": "-1"}).json().keys() == {"since"}
    assert Change.objects.filter(pool=season.pool).count() == client.get(url).json()["count"]


ELSEWHERE = {"origin": "https://elsewhere.example"}


def test_other_sites_read_what_is_public_only_if_the_operator_says_so(client, season, settings):
    url = f"/api/v1/seasons/{season.pk}/"
    assert "Access-Control-Allow-Origin" not in client.get(url, headers=ELSEWHERE).headers
    settings.CORS_ALLOW_ALL_ORIGINS = True
    answer = client.get(url, headers=ELSEWHERE)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Access-Control-Allow-Origin" not in client.get("/", headers=ELSEWHERE).headers
    asking = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    allowed = client.options("/api/v1/clubs/", headers=ELSEWHERE | asking).headers
    assert "POST" not in allowed["Access-Control-Allow-Methods"]
    assert "authorization" not in allowed["Access-Control-Allow-Headers"].lower()
