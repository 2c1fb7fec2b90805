"""The calibration of a pool by the API: figures, adoption, refusals."""

import pytest

from ratings.models import RatingSettings
from ratings.queries import wanted_settings
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(season):
    profit_season(season.club)
    season.pool.refresh_from_db()
    add_games(season, n_games=120)
    return season


@pytest.fixture
def url(rated):
    return f"/api/v1/pools/{rated.pool_id}/calibration/"


def adoption(client, url, **changes):
    read = client.get(url).json()
    chosen = {
        "origin": "quick-start",
        **read["candidates"]["quick-start"],
        "revision": read["revision"],
    } | changes
    return client.post(url, chosen, content_type="application/json")


def test_organizers_read_and_adopt(organizer_client, url, rated, people):
    read = organizer_client.get(url).json()
    assert (read["n_games"], read["n_players"], read["in_use"]) == (120, 8, {"f": 0.08158, "g": 0.9575})
    assert read["l"]["low"] < read["l"]["value"] < read["l"]["high"]
    answer = adoption(organizer_client, url)
    assert (answer.status_code, answer.json()["in_use"]) == (200, read["candidates"]["quick-start"])
    assert adoption(organizer_client, url).status_code == 200
    assert RatingSettings.objects.count() == 1
    assert wanted_settings(rated.pool_id).changed_by == people["organizer"]


def test_only_organizers_do(client_of, url):
    for who, status in {"anonymous": 401, "stranger": 403, "foreign": 403, "member": 403}.items():
        client = client_of(who)
        assert client.get(url).status_code == client.post(url).status_code == status
    assert not RatingSettings.objects.exists()


@pytest.mark.parametrize(
    ("changes", "status", "field"),
    [
        ({"f": "much"}, 400, "f"),
        ({"origin": "typed"}, 400, "origin"),
        ({"season": 999}, 400, "season"),
        ({"h": 1}, 400, "h"),
        ({"f": 0.5}, 409, "detail"),
        ({"revision": 7}, 409, "detail"),
    ],
)
def test_what_cannot_be_adopted_is_named(organizer_client, url, changes, status, field):
    answer = adoption(organizer_client, url, **changes)
    assert (answer.status_code, list(answer.json())) == (status, [field])
    assert not RatingSettings.objects.exists()
