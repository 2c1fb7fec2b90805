"""An organizer's own formula: valid and invalid ones, and the grid they are tried on."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.engine.structures import expression
from payouts.engine.structures.expression import FUNCTIONS, MAX_LENGTH, NAMES, Expression, check_expression
from payouts.engine.structures.facts import Case, EntryFacts, EventFacts
from payouts.engine.structures.formulas import FORMULAS, rounded

CASE = Case(9, 4, EventFacts(Fraction(5, 2), 3), EntryFacts(entries=2, knockouts=7))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n-k+1", 6),
        ("n - k * entries", 1),
        ("knockouts + buy_in + paid", Fraction("12.5")),
        ("10*sqrt(n)/sqrt(k)", 15),
        ("2^3 + 2**3", 16),
        ("7 // 2 + 7 % 4 + -1 + +1", 6),
        ("100 if k <= paid else 3", 3),
        ("100 if k >= paid and not n < 9 else 3", 100),
        ("100 if k == 1 or k != 4 else 3", 3),
        ("(k < 5) + (k > 5)", 1),
        ("max(n, k, 20) - min(1, 2)", 19),
        ("floor(2.5) + ceil(2.5) + round(2.6) + abs(-1)", 9),
        ("ln(exp(2)) + log(exp(1)) + log10(1000) + log2(8)", 9),
        ("1/3", Fraction("0.3333")),
        (".5", Fraction(1, 2)),
    ],
)
def test_values(text, value):
    assert Expression(text).values([CASE]) == [value]


@pytest.mark.parametrize(
    ("preset", "text"),
    [
        ("linear", "n-k+1"),
        ("sqrt", "10*sqrt(n)/sqrt(k)"),
        ("pokerstars", "10*sqrt(n)/sqrt(k)*(1+log10(buy_in+0.25))"),
        ("dr_neau", "sqrt(n*buy_in^2/(buy_in*entries))/(k+1)"),
        ("log_field", "ln((n+1)/k)"),
    ],
)
def test_presets_written_as_expressions_are_the_presets(preset, text):
    typed = Expression(text)
    for n in (5, 9, 31):
        for k in range(1, n + 1):
            case = Case(n, k, CASE.event, CASE.entry)
            (points,), (of_preset,) = typed.values([case]), FORMULAS[preset].points([case])
            assert abs(points - of_preset) <= Fraction(1, 10_000)


@pytest.mark.parametrize(
    "text", ["n-k+1", "100/k", "(n-k)/(n-1)", "10*sqrt(n)/k if k<=9 else 0", "5", "0", "n"]
)
def test_good_formulas_pass_the_grid(text):
    check_expression(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("100/k + 0/(n-7)", "division by zero for 7 entries, place 1"),
        ("100/k + 0/((n-7)^2+(k-3)^2)", "division by zero for 7 entries, place 3"),
        ("100/k + 0/(n-150)", "division by zero for 150 entries, place 1"),
        ("100/k + 0/(n-3)", "division by zero for 3 entries, place 1"),
        ("1/(n-7)", "division by zero for 7 entries, place 1"),
        ("n-k-3 + 0/(n-300)", "division by zero for 300 entries, place 1"),
        ("(n+1)(k)", "put a sign between brackets, as in (n+1)*(k)"),
        ("4(3)", "put a sign between brackets, as in (n+1)*(k)"),
        ("sqrt(4)(3)", "put a sign between brackets, as in (n+1)*(k)"),
        ("n % 0", "division by zero for 5 entries, place 1"),
        ("8-k", "negative points for 9 entries, place 9"),
        ("k", "more points than the place before for 5 entries, place 2"),
        ("100-k+abs(n-12)*0 if n != 12 or k < 4 else 100", "more points than the place before for 12 entries, place 4"),
        ("sqrt(20-k)", "a root or logarithm has no value for 21 entries, place 21"),
        ("ln(k-1)", "a root or logarithm has no value for 5 entries, place 1"),
        ("(-1)^0.5", "a root or logarithm has no value for 5 entries, place 1"),
        ("exp(n)", "the result is too large for 21 entries, place 1"),
        ("exp(exp(exp(n)))", "the result is too large for 5 entries, place 1"),
        ("9**9**9", "the result is too large for 5 entries, place 1"),
        ("9^9^9^9^9^9", "the result is too large for 5 entries, place 1"),
        ("10^300*10^300", "the result is too large for 5 entries, place 1"),
        ("1/(10^300*10^300)", "the result is too large for 5 entries, place 1"),
        ("n*1000000000", "the result is too large for 5 entries, place 1"),
        ("n/buy_in", "division by zero for 5 entries, place 1, buy_in 0"),
        ("1/(entries-2)^2", "division by zero for 5 entries, place 1, entries 2"),
        ("n-k+1-10*knockouts", "negative points for 5 entries, place 1, knockouts 1"),
        ("0/(paid-3)", "division by zero for 5 entries, place 1, paid 3"),
    ],
)  # fmt: skip
def test_a_failure_on_the_grid_names_field_size_and_place(text, message):
    with pytest.raises(ValueError) as caught:
        check_expression(text)
    assert str(caught.value) == f"expression: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a formula is needed"),
        ("   ", "a formula is needed"),
        ("n" * (MAX_LENGTH + 1), "at most 200 characters, got 201"),
        ("n +", "this is not a formula"),
        ("n n", "this is not a formula"),
        ("n = 3", "this is not a formula"),
        ("import os", "this is not a formula"),
        ("(" * 150 + ")" * 50, "this is not a formula"),
        ("2n", "put a sign between number and name in '2n', as in 2*n"),
        ("n + 3.5k", "put a sign between number and name in '3.5k', as in 2*n"),
        ("1e9", "put a sign between number and name in '1e', as in 2*n"),
        ("n²", "'²' is not part of a formula"),
        ("'a' * 9", '"\'" is not part of a formula'),
        ("[1][0]", "'[' is not part of a formula"),
        ("{}", "'{' is not part of a formula"),
        ("lambda: n", "':' is not part of a formula"),
        ("n; k", "';' is not part of a formula"),
        ("n\nk", "'\\n' is not part of a formula"),
        ("n.real", "only numbers, names and arithmetic can be used"),
        ("().__class__", "only numbers, names and arithmetic can be used"),
        ("n.__class__.__mro__", "only numbers, names and arithmetic can be used"),
        ("(n, k)", "only numbers, names and arithmetic can be used"),
        ("n in k", "only numbers, names and arithmetic can be used"),
        ("n is k", "only numbers, names and arithmetic can be used"),
        ("min(n, *k)", "only numbers, names and arithmetic can be used"),
        ("players", f"'players' is not known, one of: {', '.join(NAMES)}"),
        ("__import__(n)", f"'__import__' is not a function, one of: {', '.join(FUNCTIONS)}"),
        ("n(k)", f"'n' is not a function, one of: {', '.join(FUNCTIONS)}"),
        ("sqrt", f"'sqrt' is not known, one of: {', '.join(NAMES)}"),
        ("sqrt()", "sqrt takes one number"),
        ("sqrt(n, k)", "sqrt takes one number"),
        ("sqrt(x=n)", "sqrt takes one number"),
        ("max(n)", "max takes two numbers or more"),
        ("max(n, k, key=n)", "max takes two numbers or more"),
        ("max(*n)", "max takes two numbers or more"),
        ("True", "True is not a number"),
        ("None", "None is not a number"),
    ],
)
def test_invalid_formulas(text, message):
    with pytest.raises(ValueError) as caught:
        Expression(text)
    assert str(caught.value) == f"expression: {message}"


@pytest.mark.parametrize(
    ("text", "n_parts"),
    [
        ("-" * 150 + "1", 151),
        ("^".join(["9"] * 60), 119),
        ("max(" + ", ".join(["n"] * 40) + ")", 41),
        (" + ".join(["n"] * 20) + " + (k < 3)", 43),
    ],
)
def test_a_formula_of_more_than_40_parts_is_not_taken_but_still_computed(text, n_parts):
    with pytest.raises(ValueError) as caught:
        check_expression(text)
    assert str(caught.value) == f"expression: at most 40 numbers, names and signs, got {n_parts}"
    points, message = value_or_message(text)
    assert points or "the result is too large for 9 entries, place 4" in message


def test_a_formula_of_40_parts_is_taken():
    check_expression("-(-(" * 9 + "n" + "))" * 9 + " + 1" * 10 + "")


@pytest.mark.parametrize("text", ["10*sqrt(n/k)", "ln(k-1)", "k"])
def test_a_checked_formula_is_remembered(text, monkeypatch):
    answers = [message_of(text)]

    def fail(*_args):
        raise AssertionError("evaluated again")

    monkeypatch.setattr(expression, "Evaluation", fail)
    answers.append(message_of(text))
    assert answers[0] == answers[1]


def message_of(text):
    try:
        check_expression(text)
    except ValueError as error:
        return str(error)
    return ""


def value_or_message(text):
    try:
        return Expression(text).values([CASE])[0], ""
    except ValueError as error:
        return Fraction(0), str(error)


@given(st.text("nk0123456789.+-*/%^()<>=! ,sqrtlogmaxbuy_if", max_size=40))
def test_any_text_is_a_number_or_one_clear_message(text):
    value, message = value_or_message(text)
    assert abs(value) <= 10**9
    assert not message or (message.startswith("expression: ") and "\n" not in message)


def test_rounding_is_half_to_even_at_four_decimals():
    assert (rounded(1 / 32), rounded(3 / 32)) == (Fraction(312, 10_000), Fraction(938, 10_000))
    assert rounded(1 / 3) == Fraction(3333, 10_000)
    assert rounded(0.00003125) == 0
    assert rounded(0.5) == Fraction(1, 2)
    assert rounded(math.pi) == Fraction("3.1416")
    halves = [(2 * i + 1) / 2**j for i in range(1, 5_000, 97) for j in range(1, 40)]
    near = [math.nextafter(i / 20_000, toward) for i in range(1, 5_000, 7) for toward in (0, 9)]
    for value in [*halves, *near, 10**9 - 0.00005, 123456789.00015]:
        exact = Fraction(round(Fraction(value) * 10_000), 10_000)
        assert rounded(value) == exact
        assert Expression("buy_in").values([Case(2, 1, EventFacts(Fraction(value)))]) == [exact]
        assert rounded(-value) == -exact
    with pytest.raises(ValueError):
        rounded(math.nan)
    with pytest.raises(OverflowError):
        rounded(math.inf)
