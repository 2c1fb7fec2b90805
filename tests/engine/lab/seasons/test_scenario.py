"""Scenarios are checked, and read as they were written."""

import json
from fractions import Fraction

import pytest

from lab.engine.errors import EngineError
from lab.engine.seasons.estimate import check_seasons, chunk_sizes, enough_seasons
from lab.engine.seasons.points import points_table
from lab.engine.seasons.scenario import Scenario, Variant
from payouts.engine.errors import EngineError as PointsError
from payouts.engine.structures.structure import PointsStructure
from tests.engine.lab.seasons.test_chunks import CLUB, RATED, RULED

GOOD = {"counts": [1, 6, 10, 6, 1], "size": 15}


@pytest.mark.parametrize("scenario", [CLUB, RULED, RATED], ids=["club", "ruled", "rated"])
def test_a_scenario_is_read_as_it_was_written(scenario):
    assert Scenario.from_dict(json.loads(json.dumps(scenario.to_dict()))) == scenario


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"counts": [1, 6]}, "counts"),
        ({"counts": [-1, 6, 10, 6, 1]}, "counts"),
        ({"counts": [1.5, 6, 10, 6, 1]}, "counts"),
        ({"counts": [1, 1, 0, 0, 0]}, "players"),
        ({"counts": [0, 0, 201, 0, 0]}, "counts"),
        ({"counts": [0, 0, 199, 9, 0]}, "players"),
        ({"mu": [1500, 1400, 1300]}, "players"),
        ({"size": 1}, "size"),
        ({"size": 25}, "size"),
        ({"size": None}, "attendance"),
        ({"attendance": [0.5, 0.5]}, "attendance"),
        ({"attendance": 1.01}, "attendance"),
        ({"attendance": float("nan")}, "attendance"),
        ({"nights": 0}, "nights"),
        ({"nights": 101}, "nights"),
        ({"nights": "many"}, "nights"),
        ({"late": 0.8}, "late"),
        ({"re_entry": -0.1}, "re_entry"),
        ({"variants": []}, "variants"),
        ({"variants": [{}] * 9}, "variants"),
        ({"variants": 3}, "variants"),
        ({"variants": [3]}, "variants"),
        ({"variants": [{"structure": "vp_kid"}]}, "structure"),
        ({"variants": [{"structure": {"name": "balance"}}]}, "structure"),
        ({"variants": [{"rules": {"best_n": 0}}]}, "best_n"),
        ({"variants": [{"rules": {"drop_worst": 1001}}]}, "drop_worst"),
        ({"variants": [{"rules": {"tie_breaks": ["luck"]}}]}, "tie_breaks"),
        ({"variants": [{"rules": {"best": 1}}]}, "best"),
        ({"stakes": 1}, "stakes"),
    ],
)
def test_bad_input_is_refused_with_its_field(change, field):
    with pytest.raises((EngineError, PointsError)) as caught:
        Scenario.from_dict(GOOD | change)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"sigma": [300, 300]}, "sigma"),
        ({"sigma": [300, 0, 300]}, "sigma"),
        ({"mu": [1, 2, 3]}, "mu"),
        ({"beta": 0}, "beta"),
    ],
)
def test_bad_ratings_are_refused_with_their_field(change, field):
    with pytest.raises(EngineError) as caught:
        Scenario.from_dict({"mu": [3, 2, 1], "sigma": [300, 300, 300], "size": 2} | change)
    assert caught.value.field == field


def test_tie_breaks_that_are_not_simulated_are_left_out():
    variant = Variant.from_dict({"rules": {"tie_breaks": ["head_to_head", "wins", "alphabetical"]}})
    assert variant.rules.tie_breaks == ("wins",)


def test_a_million_seasons_are_refused_with_time_and_a_number_that_suffices():
    with pytest.raises(EngineError) as caught:
        check_seasons(CLUB, 1_000_000)
    assert caught.value.code == "too_many_seasons"
    assert caught.value.values["enough"] == enough_seasons() == 20_000
    assert caught.value.values["seconds"] > 30
    check_seasons(CLUB, 20_000)
    with pytest.raises(EngineError):
        check_seasons(CLUB, 0)


def test_a_large_scenario_is_refused_earlier():
    large = Scenario(counts=(0, 0, 200, 0, 0), nights=100, size=200, variants=CLUB.variants * 2)
    with pytest.raises(EngineError) as caught:
        check_seasons(large, 50_000)
    check_seasons(large, caught.value.values["enough"])


@pytest.mark.parametrize("n_seasons", [1, 3, 2000, 20_001])
def test_chunks_add_up_and_are_even(n_seasons):
    sizes = chunk_sizes(CLUB, n_seasons)
    assert sum(sizes) == n_seasons
    assert max(sizes) - min(sizes) <= 1


def test_points_too_large_to_be_summed_are_refused():
    with pytest.raises(EngineError) as caught:
        points_table(PointsStructure("fixed_table", votes=(Fraction(200_000),)), 3, 3)
    assert (caught.value.field, caught.value.code) == ("structure", "points_too_large")
