"""Every message of the engine that somebody can meet is said in both languages."""

import ast
import re
from itertools import product
from pathlib import Path

import pytest
from django.utils import translation

from payouts import engine
from payouts.engine.quotients import LEAST
from payouts.engine.season import SeasonRules, check_rules
from payouts.engine.structure import PointsStructure
from payouts.engine_words import SAID, engine_error
from payouts.models import EventTerms

# What stands in the messages, by its expression; everything else is a number.
SAMPLES = {
    "LEAST[noun]": tuple(LEAST.values()),
    "_where(case)": ("7 entries, place 3", "7 entries, place 3, buy_in 2.5"),
    "bound": ("must be at least 1", "must not be negative"),
    "bounds": ("more than 0, at most 10", "1 to 10"),
    "fault": ("division by zero", "the result is too large", "a root or logarithm has no value"),
    "faults[0]": (
        "expression: negative points for 7 entries, place 3",
        "expression: more points than the place before for 7 entries, place 3, paid 3",
    ),
    "field": ("alpha",),
    "least": ("at least 1", "at most 100"),
}
# Of results, places and totals, which are checked where they are read, and of what no page asks for.
INTERNAL = re.compile(
    r"\((player|event|game|brought)|competition ranking|needs the (month|name) of|^places: |given for|"
    r"^kind: |^seats: (a total|at most \d+ can be put in order)"
)


def raised():
    """The messages of every ValueError of the engine, with samples in them."""
    for path in Path(engine.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Raise(exc=ast.Call(func=ast.Name("ValueError"), args=[message])):
                    yield from rendered(message)


def rendered(message):
    parts = message.values if isinstance(message, ast.JoinedStr) else [message]
    return ["".join(texts) for texts in product(*map(samples, parts))]


def samples(part):
    match part:
        case ast.Constant(text):
            return [text]
        case ast.FormattedValue(value, conversion):
            texts = SAMPLES.get(ast.unparse(value), ("7",))
            return list(map(repr, texts)) if conversion == ord("r") else texts
    return SAMPLES.get(ast.unparse(part), ())


MESSAGES = sorted({text for text in raised() if not INTERNAL.search(text)})


def test_the_messages_are_found():
    assert len(MESSAGES) > 50
    assert "tie_breaks: number 7 is there twice: '7'" in MESSAGES


@pytest.mark.parametrize("message", MESSAGES)
def test_each_message_has_a_pattern(message):
    said_in_two_languages(ValueError(message))


def said_in_two_languages(error):
    text = str(error).partition(": ")[2]
    assert any(re.fullmatch(pattern, text) for pattern, _said in SAID), text
    with translation.override("ja"):
        japanese = engine_error(error)
    english = engine_error(error)
    assert english[0] == japanese[0]
    assert english[1] not in {text, japanese[1]}
    assert "%" not in english[1] + japanese[1]


@pytest.mark.parametrize(
    "refused",
    [
        lambda: PointsStructure.from_dict({"name": "custom", "votes": "5, x"}),
        lambda: PointsStructure.from_dict({"name": "custom", "votes": [1] * 1001}),
        lambda: PointsStructure.from_dict({"name": "percentage_pool", "votes": "100, 0"}),
        lambda: PointsStructure.from_dict({"name": "fixed_table", "votes": "5, -1"}),
        lambda: PointsStructure.from_dict({"name": "linear", "cap": 5}),
        lambda: PointsStructure.from_dict({"color": "red"}),
        lambda: PointsStructure().points(10_000_001),
        lambda: PointsStructure("linear").points(5, total=3),
        lambda: check_rules(SeasonRules(tie_breaks=("wins", "wins"))),
        lambda: check_rules(SeasonRules(tie_breaks=("age",))),
        lambda: check_rules(SeasonRules(best_n=0)),
        lambda: check_rules(SeasonRules(drop_worst=-1)),
        lambda: EventTerms(buy_in=-1).facts,
        lambda: EventTerms(paid=0).facts,
    ],
)
def test_what_is_refused_is_said_in_both_languages(refused):
    with pytest.raises(ValueError) as caught:
        refused()
    said_in_two_languages(caught.value)
