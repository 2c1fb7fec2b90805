"""Calibration of a pool: what is read, the preview, adoption, stretching, taking back."""

from datetime import timedelta
from decimal import Decimal

import pytest

from league.models import Change, Entry, Event, Pool
from league.services.errors import Refused, Stale
from ratings.engine.profit.params import BALANCE_F, BALANCE_G, ProfitParams
from ratings.models import ProfitRating, RatedGame, RatingSettings
from ratings.queries import profit_params_of, settings_in_force, wanted_settings
from ratings.services.calibration import (
    adopt_calibration,
    calibration_of,
    left_out_events,
    preview,
    take_back_calibration,
)
from standings.recomputation.service import recompute
from tests.factories import START, SeasonFactory
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(club):
    season = profit_season(club)
    add_games(season)
    return season


def adopt(season, chosen, *, since=None, calibration=None, **changes):
    found = calibration or calibration_of(season.pool)
    params = found.candidates[chosen]
    shown = {"origin": chosen, "pair": (params.f, params.g), "revision": found.revision}
    return adopt_calibration(season.pool, **(shown | changes), season=since, actor=None)


def r_now(season):
    return dict(ProfitRating.objects.filter(pool=season.pool).values_list("player__name", "r"))


def r_after_each(season, **conditions):
    rows = RatedGame.objects.filter(pool=season.pool, **conditions).order_by(
        "starts_at", "event_id", "player_id"
    )
    return list(rows.values_list("event_id", "player_id", "r_before", "r_after"))


def test_the_estimate_rests_on_the_stored_games(season):
    found = calibration_of(season.pool)
    assert (found.found.n_games, found.found.n_players, found.found.n_regulars) == (200, 8, 8)
    assert found.found.l.low < 143.87 < found.found.l.high
    assert found.found.k.low < 11.737 < found.found.k.high
    assert set(found.candidates) == {"quick-start", "estimate"}
    assert found.candidates["quick-start"].g == 1.0
    assert found.candidates["quick-start"].f == pytest.approx(20.0**0.5 / found.found.spread, rel=0.05)
    assert found.candidates["estimate"].balance_unit == 1.0


def test_the_preview_is_what_adoption_makes_of_every_r(season):
    rows = preview(calibration_of(season.pool))
    now = r_now(season)
    assert [row.player.name for row in rows] == sorted(now, key=now.get, reverse=True)
    assert {row.player.name: row.now for row in rows} == now
    assert [row.place for row in rows] == list(range(1, 9))
    expected = {row.player.name: row.then["estimate"] for row in rows}
    adopt(season, "estimate")
    recompute(season.pool_id)
    assert r_now(season) == expected
    assert {row.player.name: row.place_then["estimate"] for row in rows} == {
        name: i + 1 for i, name in enumerate(sorted(expected, key=expected.get, reverse=True))
    }


def test_adopting_twice_saves_one_revision(season):
    found = calibration_of(season.pool)
    first = adopt(season, "quick-start", calibration=found)
    assert adopt(season, "quick-start", calibration=found) == first
    assert RatingSettings.objects.count() == 1
    change = Change.objects.get(kind=Change.Kind.RATINGS_CHANGED)
    assert change.before == {"f": BALANCE_F, "g": BALANCE_G}
    assert change.after == {"f": profit_params_of(first).f, "g": 1.0}


@pytest.mark.parametrize(
    "changes", [{"revision": 4}, {"pair": (0.5, 0.5)}, {"origin": "typed", "pair": (BALANCE_F, BALANCE_G)}]
)
def test_what_was_not_shown_is_not_adopted(season, changes):
    with pytest.raises(Stale):
        adopt(season, "estimate", **changes)
    assert not RatingSettings.objects.exists()


def test_new_results_make_what_was_shown_stale(season):
    found = calibration_of(season.pool)
    add_games(season, seed=2, n_games=60, start=START + timedelta(days=10))
    with pytest.raises(Stale):
        adopt(season, "estimate", calibration=found)


def test_stretching_keeps_earlier_games_and_the_order(season, club):
    spring = SeasonFactory(club=club, name="Spring", starts_on=(START + timedelta(days=20)).date())
    before, old_r = r_after_each(season), r_now(season)
    saved = adopt(season, "estimate", since=spring)
    assert saved.stretch == pytest.approx(saved.params["f"] / saved.params["g"] / (BALANCE_F / BALANCE_G))
    recompute(season.pool_id)
    assert (r_now(season), settings_in_force(season.pool_id)) == (old_r, None)
    add_games(spring, seed=3, n_games=1, start=START + timedelta(days=21))
    recompute(season.pool_id)
    assert settings_in_force(season.pool_id) == saved
    assert r_after_each(season, event__season=season) == before
    stretched = {name: 1500.0 + saved.stretch * (r - 1500.0) for name, r in old_r.items()}
    played = {row.player.name: row for row in RatedGame.objects.filter(event__season=spring)}
    assert {name: row.r_before for name, row in played.items()} == {name: stretched[name] for name in played}
    assert {name: played[name].r_after if name in played else r for name, r in stretched.items()} == r_now(
        season
    )


@pytest.mark.rest
def test_a_correction_before_the_stretch_agrees_with_a_replay_from_scratch(season, club):
    spring = SeasonFactory(club=club, name="Spring", starts_on=(START + timedelta(days=20)).date())
    adopt(season, "estimate", since=spring)
    add_games(spring, seed=3, n_games=20, start=START + timedelta(days=21))
    for event in (season.events.order_by("starts_at")[150], spring.events.order_by("starts_at")[10]):
        entries = list(event.entries.all())
        entries[0].balance, entries[1].balance = entries[1].balance, entries[0].balance
        Entry.objects.bulk_update(entries, ["balance"])
        recompute(season.pool_id, since=event.starts_at)
        rows, now = r_after_each(season), r_now(season)
        recompute(season.pool_id, from_scratch=True)
        assert (r_after_each(season), r_now(season)) == (rows, now)


@pytest.mark.rest
def test_taking_back_restores_every_number(season, club):
    spring = SeasonFactory(club=club, name="Spring", starts_on=(START + timedelta(days=20)).date())
    adopt(season, "quick-start", since=spring)
    add_games(spring, seed=3, n_games=5, start=START + timedelta(days=21))
    rows, now = r_after_each(season), r_now(season)
    adopted = adopt(season, "estimate")
    recompute(season.pool_id)
    assert r_now(season) != now
    take_back_calibration(season.pool, revision=adopted.revision, actor=None)
    recompute(season.pool_id)
    assert (r_after_each(season), r_now(season)) == (rows, now)
    n = RatingSettings.objects.count()
    take_back_calibration(season.pool, revision=adopted.revision, actor=None)
    assert RatingSettings.objects.count() == n
    with pytest.raises(Stale):
        take_back_calibration(season.pool, revision=n, actor=None)


def test_taking_back_the_first_adoption_leads_to_the_published_pair(season):
    now = r_now(season)
    adopted = adopt(season, "quick-start")
    recompute(season.pool_id)
    take_back_calibration(season.pool, revision=adopted.revision, actor=None)
    recompute(season.pool_id)
    assert r_now(season) == now
    restored = profit_params_of(wanted_settings(season.pool_id))
    assert (restored.f, restored.g) == (BALANCE_F, BALANCE_G)


def test_a_game_with_a_wrong_sum_is_named_and_left_out(season):
    wrong = season.events.order_by("starts_at")[3]
    entry = wrong.entries.first()
    Entry.objects.filter(pk=entry.pk).update(balance=entry.balance + Decimal("1.0"))
    found = calibration_of(season.pool)
    assert left_out_events(found) == [wrong]
    assert found.found.n_games == 199
    Event.objects.filter(pk=wrong.pk).update(scoring={"house": "-1.0"})
    assert left_out_events(calibration_of(season.pool)) == []


def test_tables_of_three_start_without_parameters(club):
    season = profit_season(club)
    add_games(season, n_seats=3, n_games=30)
    assert calibration_of(season.pool).lacks_published
    adopt(season, "quick-start")
    assert not calibration_of(season.pool).lacks_published


def test_pools_without_balances_are_refused(club):
    season = SeasonFactory(club=club)
    with pytest.raises(Refused):
        calibration_of(season.pool)
    placement = profit_season(club)
    RatingSettings.objects.create(pool=placement.pool, revision=1, params={"system": "placement"})
    with pytest.raises(Refused):
        calibration_of(placement.pool)


def test_a_season_of_another_pool_is_refused(season, club):
    other = SeasonFactory(club=club)
    other.pool = Pool.objects.create(club=club, name="Another")
    other.save()
    with pytest.raises(Refused):
        adopt(season, "estimate", since=other)


def test_an_empty_pool_has_nothing_to_adopt(club):
    season = profit_season(club)
    found = calibration_of(season.pool)
    assert (found.found.n_games, found.candidates, preview(found)) == (0, {}, [])


def test_reading_and_preview_take_the_same_number_of_queries(season, django_assert_num_queries):
    with django_assert_num_queries(9):
        preview(calibration_of(season.pool))
    add_games(season, seed=2, n_games=60, n_members=12, start=START + timedelta(days=10))
    with django_assert_num_queries(9):
        preview(calibration_of(season.pool))


def test_parameters_are_the_figures_that_were_shown(season):
    """Four digits, so that the page shows exactly what is adopted."""
    for params in calibration_of(season.pool).candidates.values():
        assert isinstance(params, ProfitParams)
        assert float(f"{params.f:.4g}") == params.f
        assert float(f"{params.g:.4g}") == params.g
