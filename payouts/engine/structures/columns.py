"""Evaluation of an organizer's formula for many cases at once, in columns.

A case gets the same bits whatever cases are beside it: NumPy computes only what IEEE 754 rounds correctly or leaves
exact, and everything else calls Python's own function for each number.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from payouts.engine.results import Ints

Column: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
# Why a case has no points: a division by zero, a root or logarithm without a value, a result that is too large,
# negative, or more than that of the place before.
Kind: TypeAlias = Literal["zero", "undefined", "too_large", "negative", "rising"]


class Operation(NamedTuple):
    """The same function for columns and for numbers.

    The first number of its column that is not finite is the first for which `of_numbers` raises an error or has no
    finite value; what comes after it does not matter.
    """

    of_columns: Callable[..., Column]
    of_numbers: Callable[..., float]


class Failure(NamedTuple):
    """A case without points: its position, and the kind of reason."""

    position: int
    kind: Kind


def _each(function: Callable[..., float]) -> Operation:
    """Make an operation that calls a function for each number, up to the first that raises an error."""

    def of_columns(*columns: Column) -> Column:
        values: list[float] = []
        with suppress(ArithmeticError, ValueError):
            # What comes before the error stays in the list.
            values.extend(map(function, *(column.tolist() for column in columns)))
        values += [math.nan] * (len(columns[0]) - len(values))
        return np.array(values, dtype=np.float64)

    return Operation(of_columns, function)


def _of_all(function: Callable[[Column, Column], Column], of_numbers: Callable[..., float]) -> Operation:
    return Operation(lambda *columns: reduce(function, columns), of_numbers)


OPERATORS: Mapping[type[ast.AST], Operation] = MappingProxyType(
    {
        ast.Add: Operation(np.add, operator.add),
        ast.Sub: Operation(np.subtract, operator.sub),
        ast.Mult: Operation(np.multiply, operator.mul),
        ast.Div: Operation(np.divide, operator.truediv),
        ast.FloorDiv: _each(operator.floordiv),
        ast.Mod: _each(operator.mod),
        ast.Pow: _each(math.pow),
        ast.USub: Operation(np.negative, operator.neg),
        ast.UAdd: Operation(np.positive, operator.pos),
        ast.Not: Operation(lambda column: column == 0, operator.not_),
    }
)
COMPARISONS: Mapping[type[ast.AST], Callable[[Column, Column], Mask]] = MappingProxyType(
    {
        ast.Eq: np.equal,
        ast.NotEq: np.not_equal,
        ast.Lt: np.less,
        ast.LtE: np.less_equal,
        ast.Gt: np.greater,
        ast.GtE: np.greater_equal,
    }
)
FUNCTIONS: Mapping[str, Operation] = MappingProxyType(
    {
        "sqrt": Operation(np.sqrt, math.sqrt),
        "ln": _each(math.log),
        "log": _each(math.log),
        "log10": _each(math.log10),
        "log2": _each(math.log2),
        "exp": _each(math.exp),
        "abs": Operation(np.abs, abs),
        "floor": Operation(np.floor, math.floor),
        "ceil": Operation(np.ceil, math.ceil),
        "round": Operation(np.rint, round),
        "min": _of_all(np.minimum, min),
        "max": _of_all(np.maximum, max),
    }
)


class Evaluation:
    """The values of a formula for many cases.

    Parameters
    ----------
    tree : ast.expr
        A tree that `expression` has checked.
    names : mapping of str to float64 array, each of length n
        The numbers of the cases by name.

    Attributes
    ----------
    values : float64 array, length n
        The value of each case before the first without one.
    failure : Failure or None
        The first case without a value, with the first error of that case.

    Examples
    --------
    >>> tree = ast.parse("6 / n if n != 2 else 5", mode="eval").body
    >>> evaluation = Evaluation(tree, {"n": np.array([1.0, 2.0, 0.0])})
    >>> evaluation.values[:2].tolist(), evaluation.failure
    ([6.0, 5.0], Failure(position=2, kind='zero'))
    """

    def __init__(self, tree: ast.expr, names: Mapping[str, Column]) -> None:
        self._names = names
        self.failure: Failure | None = None
        with np.errstate(all="ignore"):
            self.values = self._value(tree, np.arange(len(next(iter(names.values())))))

    def refuse(self, rows: Ints, is_bad: Mask, kind: Callable[[int], Kind]) -> None:
        """Record a failure for the first bad row, unless the same or an earlier row has failed."""
        if not is_bad.any():
            return
        first = int(np.argmax(is_bad))
        if self.failure is None or rows[first] < self.failure.position:
            self.failure = Failure(int(rows[first]), kind(first))

    def _value(self, node: Any, rows: Ints) -> Column:
        return _HANDLERS[type(node)](self, node, rows)

    def _constant(self, node: ast.Constant, rows: Ints) -> Column:
        return np.full(len(rows), node.value)

    def _name(self, node: ast.Name, rows: Ints) -> Column:
        return self._names[node.id][rows]

    def _binary(self, node: ast.BinOp, rows: Ints) -> Column:
        operands = (self._value(node.left, rows), self._value(node.right, rows))
        return self._apply(OPERATORS[type(node.op)], operands, rows)

    def _unary(self, node: ast.UnaryOp, rows: Ints) -> Column:
        return self._apply(OPERATORS[type(node.op)], [self._value(node.operand, rows)], rows)

    def _call(self, node: ast.Call, rows: Ints) -> Column:
        assert isinstance(node.func, ast.Name)
        return self._apply(FUNCTIONS[node.func.id], [self._value(each, rows) for each in node.args], rows)

    def _apply(self, operation: Operation, operands: Sequence[Column], rows: Ints) -> Column:
        # Only the first failure is reported, so cases after it are not computed: any number will do for them.
        n_open = int(np.searchsorted(rows, self.failure.position)) if self.failure else len(rows)
        operands = [column[:n_open] for column in operands]
        values = np.ones(len(rows))
        values[:n_open] = operation.of_columns(*operands)
        is_bad = ~np.isfinite(values)
        self.refuse(rows, is_bad, lambda i: _kind(operation, [float(column[i]) for column in operands]))
        values[is_bad] = 1.0
        return values

    def _boolean(self, node: ast.BoolOp, rows: Ints) -> Column:
        values = self._value(node.values[0], rows)
        for operand in node.values[1:]:
            is_open = (values != 0) == isinstance(node.op, ast.And)
            values[is_open] = self._value(operand, rows[is_open])
        return values

    def _comparison(self, node: ast.Compare, rows: Ints) -> Column:
        is_true, left = np.ones(len(rows), dtype=bool), self._value(node.left, rows)
        for comparison, operand in zip(node.ops, node.comparators, strict=True):
            is_open, right = is_true.copy(), left.copy()
            right[is_open] = self._value(operand, rows[is_open])
            is_true &= COMPARISONS[type(comparison)](left, right)
            left = right
        return is_true.astype(np.float64)

    def _choice(self, node: ast.IfExp, rows: Ints) -> Column:
        is_true = self._value(node.test, rows) != 0
        values = np.empty(len(rows))
        values[is_true] = self._value(node.body, rows[is_true])
        values[~is_true] = self._value(node.orelse, rows[~is_true])
        return values


_HANDLERS: Mapping[type[ast.AST], Callable[[Evaluation, Any, Ints], Column]] = MappingProxyType(
    {
        ast.Constant: Evaluation._constant,
        ast.Name: Evaluation._name,
        ast.BinOp: Evaluation._binary,
        ast.UnaryOp: Evaluation._unary,
        ast.Call: Evaluation._call,
        ast.BoolOp: Evaluation._boolean,
        ast.Compare: Evaluation._comparison,
        ast.IfExp: Evaluation._choice,
    }
)


def _kind(operation: Operation, operands: Sequence[float]) -> Kind:
    """Find out why an operation has no finite value."""
    try:
        operation.of_numbers(*operands)
    except ZeroDivisionError:
        return "zero"
    except ValueError:
        return "undefined"
    except OverflowError:
        pass
    return "too_large"
