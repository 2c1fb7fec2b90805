"""An organizer's own formula, read to a syntax tree whose every node is checked, and evaluated in columns.

No text is compiled or run: it is parsed to a tree, every node must be of one of a few types, and
`columns.Evaluation` walks the tree. All numbers are floats, so that powers overflow at once and cannot grow, and there
are no loops (decision 6).
"""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from types import MappingProxyType

import numpy as np

from payouts.engine.errors import EngineError
from payouts.engine.results import Ints
from payouts.engine.structures.columns import (
    COMPARISONS,
    FUNCTIONS,
    OPERATORS,
    Column,
    Evaluation,
    Failure,
    Kind,
)
from payouts.engine.structures.facts import Case, EntryFacts, EventFacts
from payouts.engine.structures.formulas import MAX_POINTS, SCALE, rounded_units

NAMES = ("n", "k", "entries", "knockouts", "buy_in", "paid", "balance")
MAX_LENGTH = 200
# Numbers, names and signs of a formula that may be saved or tried. Those stored before there was this bound may be
# longer: they are still computed.
MAX_PARTS = 40
REMEMBERED = 1_000
DOUBT = 0.01  # in 1/SCALE points; a product of at most MAX_POINTS * SCALE, rounded to a float, errs by less than 0.001
# Usual field sizes come first, because the error names the first size that fails.
GRID = (*range(5, 101), 150, 200, 300, 500, 1000, 2, 3, 4)
CASE_GRID = (5, 9, 10, 50, 100)
OTHER_FACTS = tuple(
    (EventFacts(Fraction(buy_in), paid), EntryFacts(entries, knockouts))
    for buy_in, paid, entries, knockouts in (
        (0, 1, 1, 0), (1, 3, 1, 0), (1, 1, 2, 0), (1, 1, 1, 1), (10, 3, 3, 4), (1000, 9, 1, 9),
    )
) + tuple((EventFacts(), EntryFacts(balance=Fraction(balance))) for balance in (-50, "62.2"))  # fmt: skip
CODES: Mapping[Kind, str] = MappingProxyType(
    {
        "zero": "division_by_zero",
        "undefined": "no_root_or_logarithm",
        "too_large": "result_too_large",
        "negative": "negative_points",
        "rising": "rising_points",
    }
)
# Letters, digits and the signs of arithmetic; no quotes, colons, square or curly brackets.
ALLOWED = re.compile(r"[A-Za-z0-9_ .,+*/%()<>=!\-]*", re.ASCII)
NUMBER_THEN_NAME = re.compile(r"(?<![A-Za-z0-9_])[0-9][0-9.]*[A-Za-z_]")
# The other functions take two or more arguments.
ONE_ARGUMENT = frozenset(FUNCTIONS) - {"min", "max"}
SIGNS = (*OPERATORS, *COMPARISONS, ast.And, ast.Or, ast.IfExp)
NODES = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.Name, ast.Constant, ast.Load, *SIGNS)


class Expression:
    """A formula in n, k, entries, knockouts, buy_in, paid and balance.

    Parameters
    ----------
    text : str
        Numbers, names, + - * / // % ^ (or **), comparisons, `a if b else c`, and or not, and the functions of
        `FUNCTIONS`. At most `MAX_LENGTH` characters.

    Raises
    ------
    EngineError
        If the text is not a valid formula.

    Examples
    --------
    >>> Expression("10 * sqrt(n / k)").values([Case(n=9, k=1)])
    [Fraction(30, 1)]
    """

    def __init__(self, text: str) -> None:
        self._tree = _parsed(text)
        self.names = frozenset(node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name))
        self.uses_balance = "balance" in self.names

    @property
    def n_parts(self) -> int:
        """Count the numbers, names and signs."""
        return sum(isinstance(node, (ast.Constant, ast.Name, *SIGNS)) for node in ast.walk(self._tree))

    def values(self, cases: Sequence[Case]) -> list[Fraction]:
        """Compute the points of each case, rounded as by `formulas.rounded`.

        Raises
        ------
        EngineError
            If the formula has no value for a case, needs a balance that it lacks, or is negative though it uses no
            balance; the error names the first such case.
        """
        if self.uses_balance:
            for case in cases:
                case.balance  # noqa: B018  reading a balance that is not recorded raises the error
        units, failure = self.units(_columns(cases))
        if not self.uses_balance and (units < 0).any():
            failure = Failure(int(np.argmax(units < 0)), "negative")
        if failure:
            raise _error(CODES[failure.kind], cases[failure.position])
        return [Fraction(points, SCALE) for points in units.tolist()]

    def units(self, columns: dict[str, Column]) -> tuple[Ints, Failure | None]:
        """Compute points in 1/`SCALE` of each case before the first one without a value, and find that one."""
        evaluation = Evaluation(self._tree, columns)
        rows = np.arange(len(evaluation.values))
        evaluation.refuse(rows, np.abs(evaluation.values) > MAX_POINTS, lambda _row: "too_large")
        failure = evaluation.failure
        return _rounded(evaluation.values[: failure.position] if failure else evaluation.values), failure


def _rounded(values: Column) -> Ints:
    """Round each value as `rounded_units` does. The product of a float may err, but by less than `DOUBT`."""
    products = values * SCALE
    units: Ints = np.rint(products).astype(np.int64)
    is_doubtful = np.abs(np.abs(products - np.rint(products)) - 0.5) < DOUBT
    units[is_doubtful] = list(map(rounded_units, values[is_doubtful].tolist()))
    return units


@lru_cache(maxsize=REMEMBERED)
def _parsed(text: str) -> ast.expr:
    if not text.strip():
        raise EngineError("expression", "no_formula")
    if len(text) > MAX_LENGTH:
        raise EngineError("expression", "formula_too_long", most=MAX_LENGTH, got=len(text))
    written = text.strip().replace("^", "**")
    if not ALLOWED.fullmatch(written):
        sign = ALLOWED.sub("", written, count=1)[:1]
        raise EngineError("expression", "not_part_of_formula", sign=sign)
    if match := NUMBER_THEN_NAME.search(written):
        raise EngineError("expression", "no_sign_before_name", text=match[0])
    try:
        tree = ast.parse(written, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise EngineError("expression", "not_a_formula") from None
    _check_tree(tree)
    return tree


def _check_tree(tree: ast.expr) -> None:
    nodes = list(ast.walk(tree))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        _check_node(node, is_called=id(node) in called)


def _check_node(node: ast.AST, *, is_called: bool) -> None:
    if not isinstance(node, NODES):
        raise EngineError("expression", "not_arithmetic")
    if isinstance(node, ast.Constant):
        _check_constant(node)
    if isinstance(node, ast.Name):
        _check_name(node.id, is_called=is_called)
    if isinstance(node, ast.Call):
        _check_call(node)


def _check_constant(node: ast.Constant) -> None:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise EngineError("expression", "not_a_number", text=node.value)
    # A number of at most MAX_LENGTH digits always fits a float.
    node.value = float(node.value)


def _check_name(name: str, *, is_called: bool) -> None:
    if is_called and name not in FUNCTIONS:
        raise EngineError("expression", "unknown_function", name=name, known=", ".join(FUNCTIONS))
    if not is_called and name not in NAMES:
        raise EngineError("expression", "unknown_name", name=name, known=", ".join(NAMES))


def _check_call(node: ast.Call) -> None:
    if not isinstance(node.func, ast.Name):
        raise EngineError("expression", "no_sign_between_brackets")
    name = node.func.id
    if name in ONE_ARGUMENT and (len(node.args) != 1 or node.keywords):
        raise EngineError("expression", "takes_one_number", name=name)
    if name in FUNCTIONS and (len(node.args) < 1 + (name not in ONE_ARGUMENT) or node.keywords):
        raise EngineError("expression", "takes_two_numbers", name=name)


def _columns(cases: Sequence[Case]) -> dict[str, Column]:
    rows = [
        (
            case.n, case.k, case.entry.entries, case.entry.knockouts, case.event.buy_in, case.event.paid,
            case.entry.balance or 0,
        )
        for case in cases
    ]  # fmt: skip
    return dict(zip(NAMES, np.array(rows, dtype=np.float64).T, strict=True))


def _error(code: str, case: Case) -> EngineError:
    """Make the error of a case, with field size, place and every unusual fact."""
    differing = {"entries": 1.0, "knockouts": 0.0, "buy_in": 1.0, "paid": 1.0, "balance": 0.0}
    values = _columns([case])
    others = "".join(
        f", {name} {values[name][0]:g}" for name, usual in differing.items() if values[name][0] != usual
    )
    return EngineError("expression", code, n=case.n, place=case.k, others=others)


def check_expression(text: str) -> None:
    """Refuse a formula that is too large, or fails, is negative or gives a worse place more points in the grid.

    A formula of the balance may be negative.

    Called before a formula is saved or tried. It takes some milliseconds, and none for a formula checked before.

    Parameters
    ----------
    text : str
        The formula, as for `Expression`.

    Raises
    ------
    EngineError
        Naming field size, place and every unusual fact of the case that fails. Fields of 5 to 100 are
        tried first, then `GRID`'s larger and smaller ones, then other buy-ins, paid places, entries, knock-outs and
        balances.

    Examples
    --------
    >>> check_expression("n - k + 1 / abs(n - 7)")
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: expression: division by zero for 7 entries, place 1
    """
    n_parts = Expression(text).n_parts
    if n_parts > MAX_PARTS:
        raise EngineError("expression", "formula_too_large", most=MAX_PARTS, got=n_parts)
    if fault := _fault(text):
        raise _error(CODES[fault.kind], _grid().case(fault.position))


@lru_cache(maxsize=REMEMBERED)
def _fault(text: str) -> Failure | None:
    """Find the first case of the grid without a value; if all have one, the first with wrong points."""
    formula = Expression(text)
    units, failure = formula.units(_grid().columns)
    if failure:
        return failure
    rises = np.diff(units, prepend=units[0]) > 0
    is_negative = (units < 0) & (not formula.uses_balance)
    is_wrong = is_negative | (rises & (_grid().columns["k"] > 1))
    if not is_wrong.any():
        return None
    position = int(np.argmax(is_wrong))
    return Failure(position, "negative" if is_negative[position] else "rising")


class _Grid:
    """All places of the fields that a formula is tried on."""

    def __init__(self) -> None:
        usual = [Case(n, 1) for n in GRID]
        self._fields = usual + [Case(n, 1, *facts) for facts in OTHER_FACTS for n in CASE_GRID]
        sizes = [field.n for field in self._fields]
        self._starts = np.cumsum([0, *sizes])
        columns = _columns(self._fields)
        self.columns = {name: np.repeat(column, sizes) for name, column in columns.items()}
        self.columns["k"] += np.arange(len(self.columns["k"])) - np.repeat(self._starts[:-1], sizes)

    def case(self, position: int) -> Case:
        index = int(np.searchsorted(self._starts, position, side="right")) - 1
        return replace(self._fields[index], k=1 + position - int(self._starts[index]))


_grid = cache(_Grid)
