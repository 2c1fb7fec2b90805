"""An organizer's own formula, evaluated by simpleeval on a syntax tree whose every node has been checked.

No text is compiled or run: it is parsed to a tree, every node must be of one of a few types, and simpleeval walks
the tree. All numbers are floats, so that powers overflow at once and cannot grow; length and number of nodes are
bounded and there are no loops, so an evaluation ends in microseconds (decision 6).
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any

from simpleeval import SimpleEval

from payouts.engine.errors import EngineError
from payouts.engine.facts import Case, EntryFacts, EventFacts
from payouts.engine.formulas import rounded

NAMES = ("n", "k", "entries", "knockouts", "buy_in", "paid")
MAX_LENGTH = 200
MAX_NODES = 200
# Usual field sizes come first, because the error names the first size that fails.
GRID = (*range(5, 101), 150, 200, 300, 500, 1000, 2, 3, 4)
CASE_GRID = (5, 9, 10, 50, 100)
OTHER_FACTS = tuple(
    (EventFacts(Fraction(buy_in), paid), EntryFacts(entries, knockouts))
    for buy_in, paid, entries, knockouts in (
        (0, 1, 1, 0), (1, 3, 1, 0), (1, 1, 2, 0), (1, 1, 1, 1), (10, 3, 3, 4), (1000, 9, 1, 9),
    )
)  # fmt: skip
# Letters, digits and the signs of arithmetic; no quotes, colons, square or curly brackets.
ALLOWED = re.compile(r"[A-Za-z0-9_ .,+*/%()<>=!\-]*", re.ASCII)
NUMBER_THEN_NAME = re.compile(r"(?<![A-Za-z0-9_])[0-9][0-9.]*[A-Za-z_]")


def _finite(function: Callable[..., Any]) -> Callable[..., float]:
    """Wrap a function to take floats and raise OverflowError unless its result is finite."""

    def compute(*arguments: float) -> float:
        value = float(function(*map(float, arguments)))
        if not math.isfinite(value):
            raise OverflowError
        return value

    return compute


OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = MappingProxyType(
    {
        ast.Add: _finite(operator.add),
        ast.Sub: _finite(operator.sub),
        ast.Mult: _finite(operator.mul),
        ast.Div: _finite(operator.truediv),
        ast.FloorDiv: _finite(operator.floordiv),
        ast.Mod: _finite(operator.mod),
        ast.Pow: _finite(math.pow),
        ast.USub: _finite(operator.neg),
        ast.UAdd: _finite(operator.pos),
        ast.Eq: operator.eq,
        ast.NotEq: operator.ne,
        ast.Lt: operator.lt,
        ast.LtE: operator.le,
        ast.Gt: operator.gt,
        ast.GtE: operator.ge,
        ast.Not: operator.not_,
    }
)
FUNCTIONS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "sqrt": _finite(math.sqrt),
        "ln": _finite(math.log),
        "log": _finite(math.log),
        "log10": _finite(math.log10),
        "log2": _finite(math.log2),
        "exp": _finite(math.exp),
        "abs": _finite(abs),
        "floor": _finite(math.floor),
        "ceil": _finite(math.ceil),
        "round": _finite(round),
        "min": _finite(min),
        "max": _finite(max),
    }
)
# The other functions take two or more arguments.
ONE_ARGUMENT = frozenset(FUNCTIONS) - {"min", "max"}
NODES = (
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Name, ast.Constant,
    ast.And, ast.Or, ast.Load, *OPERATORS,
)  # fmt: skip


class Expression:
    """A formula in n, k, entries, knockouts, buy_in and paid.

    Parameters
    ----------
    text : str
        Numbers, names, + - * / // % ^ (or **), comparisons, `a if b else c`, and or not, and the functions of
        `FUNCTIONS`. At most `MAX_LENGTH` characters.

    Raises
    ------
    EngineError
        If the text is not a valid formula.

    Notes
    -----
    Not thread-safe: the evaluator holds the numbers of the current case.

    References
    ----------
    .. [1] simpleeval, https://github.com/danthedeckie/simpleeval (docs/decisions/0006-safe-expressions.md).

    Examples
    --------
    >>> Expression("10 * sqrt(n / k)").value(Case(n=9, k=1))
    Fraction(30, 1)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._tree = _parsed(text)
        self._evaluator = _evaluator()

    def value(self, case: Case) -> Fraction:
        """Compute the points of a case, rounded by `formulas.rounded`.

        Raises
        ------
        EngineError
            If the formula has no value for the case, or a negative one; the error names field size and place.
        """
        points = self.computed(case)
        if points < 0:
            raise _failure("negative_points", case)
        return points

    def computed(self, case: Case) -> Fraction:
        """Compute the points of a case as `value` does, but allow negative ones."""
        self._evaluator.names = _names(case)
        try:
            return rounded(float(self._evaluator.eval(self.text, self._tree)))
        except ZeroDivisionError:
            raise _failure("division_by_zero", case) from None
        except OverflowError:
            raise _failure("result_too_large", case) from None
        except ValueError:
            raise _failure("no_root_or_logarithm", case) from None


@lru_cache(maxsize=256)
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
    if len(nodes) > MAX_NODES:
        raise EngineError("expression", "formula_too_large", most=MAX_NODES, got=len(nodes))
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


def _evaluator() -> SimpleEval:
    evaluator = SimpleEval(operators=OPERATORS, functions=FUNCTIONS, names={}, allowed_attrs={})
    evaluator.nodes = {node: handler for node, handler in evaluator.nodes.items() if node in NODES}
    return evaluator


def _names(case: Case) -> dict[str, float]:
    return {
        "n": float(case.n),
        "k": float(case.k),
        "entries": float(case.entry.entries),
        "knockouts": float(case.entry.knockouts),
        "buy_in": float(case.event.buy_in),
        "paid": float(case.event.paid),
    }


def _failure(code: str, case: Case) -> EngineError:
    """Make the error of a case, with field size, place and every unusual fact."""
    differing = {"entries": 1.0, "knockouts": 0.0, "buy_in": 1.0, "paid": 1.0}
    names = _names(case)
    others = "".join(f", {name} {names[name]:g}" for name, usual in differing.items() if names[name] != usual)
    return EngineError("expression", code, n=case.n, place=case.k, others=others)


def check_expression(text: str) -> None:
    """Refuse a formula that fails, is negative or gives a worse place more points in some field of the grid.

    Parameters
    ----------
    text : str
        The formula, as for `Expression`.

    Raises
    ------
    EngineError
        Naming field size, place and every unusual fact of the case that fails. Fields of 5 to 100 are
        tried first, then `GRID`'s larger and smaller ones, then other buy-ins, paid places, entries, knock-outs.

    Examples
    --------
    >>> check_expression("n - k + 1 / abs(n - 7)")
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: expression: division by zero for 7 entries, place 1
    """
    expression = Expression(text)
    # All fields are tried, because a case without a value is reported before wrong points of an earlier field.
    faults = [
        fault for field in chain(_usual_fields(), _other_fields()) if (fault := _fault(expression, field))
    ]
    if faults:
        raise faults[0]


def _usual_fields() -> Iterator[Iterator[Case]]:
    return ((Case(n, k) for k in range(1, n + 1)) for n in GRID)


def _other_fields() -> Iterator[Iterator[Case]]:
    return ((Case(n, k, *facts) for k in range(1, n + 1)) for facts in OTHER_FACTS for n in CASE_GRID)


def _fault(expression: Expression, field: Iterator[Case]) -> EngineError | None:
    """Find the first wrong points of a field; raise EngineError at a case without a value."""
    fault = None
    before: Fraction | None = None
    for case in field:
        points = expression.computed(case)
        if points < 0:
            fault = fault or _failure("negative_points", case)
        elif before is not None and points > before:
            fault = fault or _failure("rising_points", case)
        before = points
    return fault
