"""The sealed export: results, rules, standings and awards, exactly."""

import hashlib
import json
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from league.models import Change, Player, Season
from league.services.changes import lock_pool, record_change
from league.services.seasons import close_season
from ratings.models import RatingSettings
from standings.models import SeasonSeal, Standing
from standings.recomputation.service import recompute
from standings.seals import document as sealed_document
from standings.seals.services import seal_season
from tests.standings.seals.seasons import COMPUTED, check, url

pytestmark = pytest.mark.django_db


def test_the_export_holds_results_rules_standings_and_awards(sealed, client):
    answer = client.get(url(sealed, "seal-file"))
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"].endswith('-sealed.json"')
    assert hashlib.sha256(answer.content).hexdigest() == SeasonSeal.objects.get().sha256
    document = json.loads(answer.content)
    assert answer.content.decode() == sealed_document.canonical_text(document)
    assert document["format"] == "tierboard-season/1"
    assert (document["club"], document["season"]["slug"]) == (sealed.club.slug, sealed.slug)
    assert document["rules"] == {
        "structure": {"name": "vp_kid", "ties": "better"},
        "attendance_points": 1,
        "min_events": 1,
        "best_n": None,
        "best_n_per_month": None,
        "drop_worst": 0,
        "missed_count_as_zero": False,
        "tie_breaks": ["wins", "profit"],
        "inactive_after": 12,
    }
    assert document["rating"] is None
    first = document["events"][0]
    assert (first["meet"], document["events"][1]["meet"]) == ("First meet", None)
    assert first["starts_at"] == "2026-01-06T19:30:00Z"
    assert first["rules"] == {"structure": {"name": "vp_kid", "ties": "better"}}
    assert (first["terms"], document["brought"]) == (None, [])
    ada = Player.objects.get(name="Ada").pk
    assert first["entries"][0] == {
        "player_id": ada,
        "number": 1,
        "place": 1,
        "is_last": True,
        "registered_at": None,
        "busted_at": None,
        "knockouts": None,
        "cost": None,
        "points": "2",
    }
    assert [entry["busted_at"] for entry in first["entries"]][2:4] == [
        "2026-01-06T21:40:00Z",
        "2026-01-06T21:10:00Z",
    ]
    standing = Standing.objects.get(points_position=1)
    assert document["standings"][0]["rate"] == repr(standing.rate)
    assert Fraction(document["standings"][0]["total"]) == Fraction(standing.total)
    assert [award["kind"] for award in document["awards"]] == [*COMPUTED, "chosen"]
    assert document["awards"][-1] == {
        "kind": "chosen",
        "title": "Best dealer",
        "min_events": 1,
        "places": [{"place": 1, "players": [Player.objects.get(name="Dana").pk], "value": None}],
    }
    assert "髙橋" in answer.content.decode()


def test_a_shared_place_is_an_exact_fraction(season, enter_event):
    enter_event("Ada = Boris = Cleo\nDana\nEmil")
    document = sealed_document.season_document(season)
    assert {entry["points"] for entry in document["events"][0]["entries"]} >= {"5/3"}


def test_the_export_is_read_in_as_many_queries_for_three_events_as_for_one(
    season, enter_event, django_assert_num_queries
):
    enter_event("Ada\nBoris")
    for day in (None, 7, 14):
        if day:
            enter_event("Cleo\nAda\nBoris", day=day)
        read = Season.objects.select_related("club", "rules").get(pk=season.pk)
        # standings, entries, events, awards, rating, players, totals brought forward
        with django_assert_num_queries(7):
            sealed_document.season_document(read)


def test_rating_settings_in_force_are_sealed_with_it(played, owner):
    pool = lock_pool(played.pool_id)
    RatingSettings.objects.create(pool=pool, revision=1, params={"beta": 400.0})
    record_change(
        pool, kind=Change.Kind.RATINGS_CHANGED, actor=owner, rated_from=datetime(1, 1, 1, tzinfo=UTC)
    )
    close_season(played, actor=owner)
    recompute(played.pool_id)
    text = seal_season(played, actor=owner).text
    assert json.loads(text)["rating"] == {"revision": 1, "params": {"beta": "400.0"}}
    pool = lock_pool(played.pool_id)
    RatingSettings.objects.create(pool=pool, revision=2, params={"beta": 300.0})
    record_change(
        pool, kind=Change.Kind.RATINGS_CHANGED, actor=owner, rated_from=datetime(1, 1, 1, tzinfo=UTC)
    )
    recompute(played.pool_id)
    assert "the seal holds" in check(played)
