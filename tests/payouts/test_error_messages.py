"""Errors of the points engine in the reader's language."""

import pytest
from django.utils import translation

from payouts.engine.seasons.season import SeasonRules, check_rules
from payouts.engine.structures.structure import PointsStructure
from payouts.error_messages import field_and_message
from payouts.models import EventTerms


@pytest.mark.parametrize(
    ("call", "field", "message"),
    [
        (
            lambda: PointsStructure.from_dict({"name": "custom", "votes": "5, x"}),
            "votes",
            "Place 2: “x” is not a number.",
        ),
        (
            lambda: PointsStructure.from_dict({"name": "custom", "votes": [1] * 1001}),
            "votes",
            "At most 1000 places can be listed, not 1001.",
        ),
        (
            lambda: PointsStructure.from_dict({"name": "percentage_pool", "votes": "100, 0"}),
            "votes",
            "Place 2 has 0: percentages must be positive.",
        ),
        (
            lambda: PointsStructure.from_dict({"name": "fixed_table", "votes": "5, -1"}),
            "votes",
            "Place 2 has -1: points must not be negative.",
        ),
        (
            lambda: PointsStructure.from_dict({"name": "linear", "cap": 5}),
            "cap",
            "linear has no such setting.",
        ),
        (
            lambda: PointsStructure.from_dict({"cap": "5"}),
            "cap",
            "A whole number is needed, not '5'.",
        ),
        (
            lambda: PointsStructure.from_dict({"100%": "red"}),
            "100%",
            "There is no such setting. There are: alpha, cap, expression, name, per_balance, per_entry, tail, ties, votes.",
        ),
        (
            lambda: PointsStructure.from_dict({"name": "expression", "expression": "n%s"}),
            "expression",
            "“s” is not known. There are: n, k, entries, knockouts, buy_in, paid, balance.",
        ),
        (
            lambda: PointsStructure().points(10_000_001),
            "n_entries",
            "It must be at most 10000000, not 10000001.",
        ),
        (
            lambda: PointsStructure("linear").points(5, total=3),
            "total",
            "linear is a formula and shares out no total.",
        ),
        (
            lambda: check_rules(SeasonRules(tie_breaks=("wins", "wins"))),
            "tie_breaks",
            "Number 2: “wins” is there twice.",
        ),
        (lambda: check_rules(SeasonRules(best_n=0)), "best_n", "It must be at least 1, not 0."),
        (lambda: check_rules(SeasonRules(drop_worst=-1)), "drop_worst", "It must be 0 or more, not -1."),
        (
            lambda: EventTerms(buy_in=-1).facts,
            "buy_in",
            "It must be from 0 to 1000000000000, not -1.",
        ),
        (lambda: EventTerms(paid=0).facts, "paid", "It must be at least 1, not 0."),
    ],
)
def test_errors_name_their_field_in_both_languages(call, field, message):
    with pytest.raises(ValueError) as caught:
        call()
    assert field_and_message(caught.value) == (field, message)
    with translation.override("ja"):
        japanese = field_and_message(caught.value)
    assert japanese[0] == field
    assert japanese[1] != message


def test_an_error_without_a_code_stays_in_english():
    assert field_and_message(ValueError("100% of it is wrong")) == ("", "100% of it is wrong")
