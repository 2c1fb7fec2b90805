"""Rules of scoring: the presets as their organizations publish them, and rules that make no sense."""

from dataclasses import replace
from decimal import Decimal

import pytest

from scores.errors import TEXTS, ScoreError
from scores.rules import PRESETS, ScoreRules, decimal_of, preset_of


def test_presets_are_as_published():
    assert {name: (rules.start, rules.back, rules.oka, rules.ties) for name, rules in PRESETS.items()} == {
        "ema": (30_000, 30_000, 0, "split"),
        "wrc": (30_000, 30_000, 0, "split"),
        "jpml": (30_000, 30_000, 0, "split"),
        "mleague": (25_000, 30_000, 20, "split"),
    }
    assert PRESETS["ema"].uma == PRESETS["wrc"].uma == (15, 5, -5, -15)
    assert PRESETS["jpml"].floating == ((0, 0, 0, 0), (12, -1, -3, -8), (8, 4, -4, -8), (8, 3, 1, -12))
    assert PRESETS["mleague"].uma == (30, 10, -10, -30)


@pytest.mark.parametrize("rules", [*PRESETS.values(), ScoreRules(chip_value=Decimal("0.5"), ties="wind")])
def test_stored_rules_are_read_as_they_were(rules):
    import json

    assert ScoreRules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


def test_rules_left_out_have_their_defaults():
    assert ScoreRules.from_dict(None) == ScoreRules.from_dict({}) == PRESETS["mleague"]
    assert ScoreRules.from_dict({"house_per_player": "0.5"}).house(4) == 2


def test_the_preset_of_rules_does_not_depend_on_chips_and_house():
    assert preset_of(replace(PRESETS["jpml"], chip_value=Decimal(2), house_per_table=Decimal(1))) == "jpml"
    assert preset_of(replace(PRESETS["mleague"], ties="wind")) == ""


@pytest.mark.parametrize(
    ("data", "field", "code"),
    [
        ({"umma": 3}, "umma", "unknown_rule"),
        ({"n_players": 5}, "n_players", "out_of_range"),
        ({"n_players": 3}, "uma", "wrong_length"),
        ({"start": 25_050}, "start", "not_hundreds"),
        ({"start": "many"}, "start", "not_a_number"),
        ({"start": True}, "start", "not_a_number"),
        ({"start": 0}, "start", "out_of_range"),
        ({"start": 25_000.5}, "start", "not_a_whole_number"),
        ({"back": 20_000}, "back", "back_below_start"),
        ({"uma": 30}, "uma", "not_a_number"),
        ({"uma": [30, 10, -10, -20]}, "uma", "uma_not_zero"),
        ({"uma": [10, 30, -10, -30]}, "uma", "uma_rises"),
        ({"uma": ["0.0001", 0, 0, "-0.0001"]}, "uma", "too_many_decimals"),
        ({"uma": ["Infinity", 0, 0, 0]}, "uma", "not_a_number"),
        ({"uma": ["1e999999", 0, 0, 0]}, "uma", "out_of_range"),
        ({"floating": [[0, 0, 0, 0]]}, "floating", "wrong_length"),
        ({"floating": "none"}, "floating", "not_a_number"),
        ({"floating": [[1, 0, 0, 0]] * 4}, "floating", "uma_not_zero"),
        ({"ties": "age"}, "ties", "unknown_choice"),
        ({"sticks": "last"}, "sticks", "unknown_choice"),
        ({"chip_value": -1}, "chip_value", "out_of_range"),
    ],
)
def test_rules_that_make_no_sense_are_refused_by_field(data, field, code):
    with pytest.raises(ScoreError) as caught:
        ScoreRules.from_dict(data)
    assert (caught.value.field, caught.value.code) == (field, code)
    assert code in TEXTS


def test_negative_zero_is_zero():
    assert str(decimal_of("uma", "-0.00")) == "0"
