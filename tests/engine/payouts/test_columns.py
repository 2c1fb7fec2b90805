"""Formulas evaluated in columns: the bits of one evaluation after another, and no formula that takes long."""

import ast
import math
import random
import sys
from fractions import Fraction

import pytest

from payouts.engine.errors import EngineError
from payouts.engine.structures import expression
from payouts.engine.structures.columns import Evaluation
from payouts.engine.structures.expression import MAX_LENGTH, MAX_PARTS, NAMES, Expression, check_expression
from payouts.engine.structures.facts import Case, EntryFacts, EventFacts
from tests.engine.payouts.formulas import fuzzed_formulas, random_formula

N_FUZZED = 2_000
CASES = [
    Case(n, k, EventFacts(Fraction(buy_in), paid), EntryFacts(entries, knockouts, balance=Fraction(balance)))
    for n, k in ((2, 1), (7, 3), (9, 9), (100, 41))
    for buy_in, paid, entries, knockouts, balance in (
        (1, 1, 1, 0, 0),
        (0, 3, 2, 4, -30),
        (12, 9, 1, 1, "62.2"),
    )
]
FUNCTIONS = {
    "sqrt": math.sqrt, "ln": math.log, "log": math.log, "log10": math.log10, "log2": math.log2, "exp": math.exp,
    "abs": abs, "floor": math.floor, "ceil": math.ceil, "round": round, "min": min, "max": max,
}  # fmt: skip


def finite(number):
    if not math.isfinite(number):
        raise OverflowError
    return float(number)


class Finite(ast.NodeTransformer):
    """Turn the numbers of a formula to floats and its powers to calls, and let every step refuse infinity."""

    def visit_Constant(self, node):
        return ast.Constant(float(node.value))

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Pow):
            node = call("pow", node.left, node.right)
        return call("finite", node)

    def visit_UnaryOp(self, node):
        return call("finite", self.generic_visit(node))

    def visit_Call(self, node):
        return call("finite", self.generic_visit(node))


def call(name, *arguments):
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def slow_formula(text):
    """Compile a formula of this test, which Python itself then computes for one case after another."""
    tree = Finite().visit(ast.parse(text, mode="eval"))
    code = compile(ast.fix_missing_locations(tree), "formula", "eval")
    known = {**FUNCTIONS, "pow": math.pow, "finite": finite}
    return lambda names: finite(eval(code, known, names))


def slow_result(formula, case, *, may_be_negative):
    """Points, or the code of the error, computed for one case alone."""
    entry, event = case.entry, case.event
    facts = (case.n, case.k, entry.entries, entry.knockouts, event.buy_in, event.paid, entry.balance or 0)
    names = dict(zip(NAMES, map(float, facts), strict=True))
    try:
        value = formula(names)
        points = Fraction(round(Fraction(value) * 10_000), 10_000)
    except ZeroDivisionError:
        return "division_by_zero"
    except OverflowError:
        return "result_too_large"
    except ValueError:
        return "no_root_or_logarithm"
    if abs(value) > 10**9:
        return "result_too_large"
    return "negative_points" if points < 0 and not may_be_negative else points


def result_of(function, *arguments):
    """What a function returns, or its error's code, field size and place."""
    try:
        return function(*arguments)
    except EngineError as error:
        return error.code, error.values.get("n"), error.values.get("place")


def test_every_case_gets_the_bits_of_a_single_evaluation():
    rng = random.Random(61)
    n_compared, codes = 0, set()
    for text in filter(is_short, [random_formula(rng) for _i in range(250)]):
        formula, slow = Expression(text), slow_formula(text)
        results = [slow_result(slow, case, may_be_negative="balance" in text) for case in CASES]
        failed = [i for i, result in enumerate(results) if isinstance(result, str)]
        good = CASES[: failed[0]] if failed else CASES
        if good:
            assert formula.values(good) == results[: len(good)]
            assert formula.values(good[-1:]) == results[len(good) - 1 : len(good)]
        if failed:
            code, case = results[failed[0]], CASES[failed[0]]
            assert result_of(formula.values, CASES) == (code, case.n, case.k)
            codes.add(code)
        n_compared += not failed
    assert n_compared > 50
    assert codes == {"division_by_zero", "no_root_or_logarithm", "result_too_large", "negative_points"}


def is_short(text):
    return len(text) <= MAX_LENGTH


@pytest.fixture
def small_grid(monkeypatch):
    """Try formulas on a few fields only, so that they can be tried one case after another too."""
    caches = (expression._grid, expression._fault)
    monkeypatch.setattr(expression, "GRID", (6, 9, 2))
    monkeypatch.setattr(expression, "CASE_GRID", (5,))
    for cached in caches:
        cached.cache_clear()
    fields = [(n, ()) for n in (6, 9, 2)] + [(5, facts) for facts in expression.OTHER_FACTS]
    yield [[Case(n, k, *facts) for k in range(1, n + 1)] for n, facts in fields]
    for cached in caches:
        cached.cache_clear()


def slow_fault(text, fields):
    """Code and case of the first case without a value, else of the first that is negative or rises; None if neither."""
    wrong, formula = None, slow_formula(text)
    for field in fields:
        before = None
        for case in field:
            result = slow_result(formula, case, may_be_negative="balance" in text)
            if isinstance(result, str) and result != "negative_points":
                return result, case
            is_negative = result == "negative_points"
            if is_negative or (before is not None and result > before):
                wrong = wrong or ("negative_points" if is_negative else "rising_points", case)
            before = None if is_negative else result
    return wrong


def test_the_grid_finds_the_fault_that_single_evaluations_find(small_grid):
    rng = random.Random(62)
    found = set()
    for text in [random_formula(rng, depth=2) for _i in range(400)]:
        fault = slow_fault(text, small_grid)
        code, case = fault or (None, None)
        assert result_of(check_expression, text) == (fault and (code, case.n, case.k))
        found.add(code)
    assert found == {
        None, "division_by_zero", "negative_points", "rising_points", "result_too_large", "no_root_or_logarithm"
    }  # fmt: skip


@pytest.fixture
def counted(monkeypatch):
    """The numbers of all columns that have been computed: one operation for each column."""
    n_rows, value = [], Evaluation._value
    monkeypatch.setattr(
        Evaluation, "_value", lambda self, node, rows: n_rows.append(len(rows)) or value(self, node, rows)
    )
    return n_rows


def python_calls(function, *arguments):
    """Count the calls of functions that are made in Python code, also of those that are written in C."""
    n_calls = 0

    def count(_frame, event, _argument):
        nonlocal n_calls
        n_calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        result_of(function, *arguments)
    finally:
        sys.setprofile(before)
    return n_calls


@pytest.mark.rest
def test_every_formula_is_taken_or_refused_after_few_operations(counted):
    """At most one column for each part; calls for each sign that is read, and for each number that may be half a unit."""
    n_cases = len(expression._grid().columns["n"])
    all_halves = "0.00005"
    for text in [all_halves, *fuzzed_formulas(random.Random(63), N_FUZZED)]:
        counted.clear()
        n_calls = python_calls(check_expression, text)
        assert n_calls <= 100 * MAX_LENGTH + 4 * n_cases, text
        assert len(counted) <= MAX_PARTS, text
        assert max(counted, default=0) <= n_cases, text
