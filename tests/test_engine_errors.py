"""Errors of the engines that input can cause have codes, and each code has a message in both languages."""

import ast
import re
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest
from django.utils import translation

from lab import error_messages as lab
from lab.engine.errors import TEXTS as LAB_TEXTS
from payouts import error_messages as points
from payouts.engine.errors import TEXTS as POINTS_TEXTS
from ratings import error_messages as ratings
from ratings.engine.errors import TEXTS as RATINGS_TEXTS

ROOT = Path(__file__).parents[1]
WORDS = {
    "payouts": (POINTS_TEXTS, points.MESSAGES),
    "ratings": (RATINGS_TEXTS, ratings.MESSAGES),
    "lab": (LAB_TEXTS, lab.MESSAGES),
}
CODES = [(engine, code) for engine, (texts, _messages) in WORDS.items() for code in texts]
MODULES = [
    path.relative_to(ROOT)
    for engine in WORDS
    for path in sorted((ROOT / engine / "engine").rglob("*.py"))
    if path.name != "errors.py"
]
# Position of the code in calls that make an error, and in those of helpers that modules of an engine share; a module's own
# functions with an argument `code` are added.
MAKERS = {"EngineError": 1, "BadEventError": 3}
SHARED_HELPERS = {"ratings": {"refuse": 2}}  # ProfitHistory.refuse
ARRAYS = "arrays made by the engine or ratings/histories.py"
# Files, or functions in them, that raise errors without a code, and why no input can cause these.
WITHOUT_CODE = {
    "lab/engine/holdem/equity.py _drawn": "callers give a generator with the number of samples",
    "lab/engine/holdem/hand.py act": "what a player may do is asked before; the page says what is wrong",
    "lab/engine/holdem/hand.py _raise": "what a player may do is asked before; the page says what is wrong",
    "lab/engine/holdem/sit_and_go.py _require": "the service turns it into a message",
    "payouts/engine/seasons/awards.py award_winners": "kinds of awards are chosen from a list",
    "payouts/engine/structures/formulas.py rounded": "caught where the formula is evaluated",
    "payouts/engine/seasons/season.py check_season": "terms of events are checked when they are saved",
    "payouts/engine/seasons/season.py _check_results": "results are checked when they are saved",
    "payouts/engine/seasons/season.py _check_brought_forward": "totals are checked line by line when they are typed",
    "payouts/engine/structures/structure.py event_points": "callers have facts of each entry",
    "payouts/engine/seasons/tie_breaks.py keys": "callers have the names of all players",
    "ratings/engine/chain.py": ARRAYS,
    "ratings/engine/tier/hands.py": ARRAYS,
    "ratings/engine/history.py require_array": ARRAYS,
    "ratings/engine/history.py _check_events": ARRAYS,
    "ratings/engine/icm.py": ARRAYS,
    "ratings/engine/tier/pipeline.py replay_events": "no input is wrong if a computation does not converge",
    "ratings/engine/tier/pipeline.py rate_event": "callers have one event",
    "ratings/engine/tier/place_weights.py": ARRAYS,
    "ratings/engine/tier/pool_state.py": ARRAYS,
    "ratings/engine/forecasts/prediction.py": ARRAYS,
    "ratings/engine/profit/params.py carried_over": "used for theory only, not for ratings",
    "ratings/engine/profit/params.py stationary": "used for theory only, not for ratings",
    "ratings/engine/profit/history.py __post_init__": ARRAYS,
    "ratings/engine/profit/replay.py __post_init__": ARRAYS,
    "ratings/engine/reference.py": "the slow twin, for tests",
    "ratings/engine/tier/badges.py badges": ARRAYS,
}


def nodes_of(path):
    """List every node of a module with the name of its function."""

    def below(node, function):
        for child in ast.iter_child_nodes(node):
            name = child.name if isinstance(child, ast.FunctionDef) else function
            yield name, child
            yield from below(child, name)

    return list(below(ast.parse((ROOT / path).read_text(encoding="utf-8")), ""))


def makers_of(path):
    makers = MAKERS | SHARED_HELPERS.get(path.parts[0], {})
    for _function, node in nodes_of(path):
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in node.args.args if argument.arg != "self"]
            if "code" in names:
                makers[node.name] = names.index("code")
    return makers


def called_name(node):
    """Name the function or class that a node calls; None if it calls none."""
    if not isinstance(node, ast.Call):
        return None
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)


def codes_given(path, node):
    """List the codes that an expression can be; none if it passes on the argument `code`."""
    match node:
        case ast.Constant(code):
            return [code]
        case ast.Subscript(ast.Name(table)):
            module = import_module(".".join(path.with_suffix("").parts))
            return list(getattr(module, table).values())
        case ast.Name("code"):
            return []
    pytest.fail(f"{path}: {ast.unparse(node)} is no code")


def errors_made(path):
    """Yield code, value names and whether these are all, of every error a module makes; helpers may add values."""
    makers = makers_of(path)
    for _function, node in nodes_of(path):
        if (name := called_name(node)) in makers:
            values = {keyword.arg for keyword in node.keywords} - {"entry"}
            is_all = name in MAKERS and None not in values
            for code in codes_given(path, node.args[makers[name]]):
                yield code, values - {None}, is_all


def values_of(engine, code):
    return {name for _text, name, _format, _conversion in Formatter().parse(WORDS[engine][0][code])} - {
        None,
        "field",
    }


@pytest.mark.parametrize(("engine", "code"), CODES)
def test_each_code_has_a_message_in_both_languages(engine, code):
    message = WORDS[engine][1][code]
    texts = {}
    for language in ("en", "ja"):
        with translation.override(language):
            texts[language] = str(message)
        assert set(re.findall(r"%\((\w+)\)s", texts[language])) <= values_of(engine, code)
        assert "%" not in texts[language] % dict.fromkeys(values_of(engine, code), "7")
    assert texts["en"] != texts["ja"]


@pytest.mark.parametrize("engine", WORDS)
def test_every_message_and_code_is_used(engine):
    texts, messages = WORDS[engine]
    used = {code for path in MODULES if path.parts[0] == engine for code, *_values in errors_made(path)}
    assert set(messages) == set(texts)
    assert used == set(texts)


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_errors_carry_the_values_their_texts_name(path):
    for code, values, is_all in errors_made(path):
        named = values_of(path.parts[0], code)
        assert values == named if is_all else values <= named, code


def test_raised_errors_have_a_code():
    uncoded = set()
    for path in MODULES:
        makers = makers_of(path)
        for function, node in nodes_of(path):
            is_new = isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call | ast.Name)
            if is_new and called_name(node.exc) not in makers:
                location = f"{path} {function}"
                uncoded.add(str(path) if str(path) in WITHOUT_CODE else location)
    assert uncoded == set(WITHOUT_CODE)
