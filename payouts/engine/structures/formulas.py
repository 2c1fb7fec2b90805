"""Points structures that are a formula of field size n and place k.

Whole numbers and lists stay exact. An irrational result is rounded to `DECIMALS` decimals, half to even, and then
counts as exact: sums and shared places use the rounded numbers.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from payouts.engine.errors import EngineError
from payouts.engine.exact import common_denominator, exact_text, half_even, short_text
from payouts.engine.structures.facts import Case
from payouts.engine.structures.formula_parts import FormulaParts
from payouts.engine.structures.quotients import MAX_LISTED, check_votes

DECIMALS = 4
SCALE: int = 10**DECIMALS
MAX_POINTS = 10**9


@dataclass(frozen=True)
class Formula:
    """A formula: `points` computes the points of each case, `parts` are for display.

    If it has no value for a case, `points` raises an EngineError that names field size and place of the first.
    """

    parts: FormulaParts
    points: Callable[[Sequence[Case]], list[Fraction]]


def one_by_one(value: Callable[[Case], Fraction]) -> Callable[[Sequence[Case]], list[Fraction]]:
    """Make the `points` of a formula from a function of one case."""

    def points(cases: Sequence[Case]) -> list[Fraction]:
        return list(map(points_of_case, cases))

    def points_of_case(case: Case) -> Fraction:
        try:
            return value(case)
        except OverflowError:
            raise EngineError("structure", "result_too_large", n=case.n, place=case.k, others="") from None

    return points


def rounded(value: float) -> Fraction:
    """Round a result to `DECIMALS` decimals, half to even.

    Parameters
    ----------
    value : float
        Finite.

    Returns
    -------
    Fraction

    Raises
    ------
    OverflowError
        If the absolute value is more than `MAX_POINTS`.
    ValueError
        If it is not a number.

    Examples
    --------
    >>> rounded(2 / 3)
    Fraction(6667, 10000)
    """
    if abs(value) > MAX_POINTS:
        raise OverflowError(f"more than {MAX_POINTS} points")
    return Fraction(rounded_units(value), SCALE)


def rounded_units(value: float) -> int:
    """Round a result as `rounded` does, and return it in units of 1/`SCALE`.

    Examples
    --------
    >>> rounded_units(2 / 3), rounded_units(1 / 32), rounded_units(-1 / 32)
    (6667, 312, -312)
    """
    numerator, denominator = value.as_integer_ratio()
    return half_even(numerator * SCALE, denominator)


def _linear(case: Case) -> Fraction:
    return Fraction(case.n - case.k + 1)


def _sqrt(case: Case) -> Fraction:
    return rounded(10 * math.sqrt(case.n / case.k))


def _pokerstars(case: Case) -> Fraction:
    return rounded(10 * math.sqrt(case.n / case.k) * (1 + math.log10(case.event.buy_in + Fraction(1, 4))))


def _dr_neau(case: Case) -> Fraction:
    """Points by Dr. Neau's formula; 0 without a cost, because the formula divides by it."""
    if not case.cost:
        return Fraction(0)
    return rounded(math.sqrt(case.n * case.event.buy_in**2 / case.cost) / (case.k + 1))


def _log_field(case: Case) -> Fraction:
    return rounded(math.log((case.n + 1) / case.k))


FORMULAS: Mapping[str, Formula] = MappingProxyType(
    {
        "linear": Formula(FormulaParts("n-k+1"), one_by_one(_linear)),
        "sqrt": Formula(FormulaParts("10*sqrt(n)/sqrt(k)"), one_by_one(_sqrt)),
        "pokerstars": Formula(
            FormulaParts("10*sqrt(n)/sqrt(k)*(1+log10(b+0.25))", variables=("b",)), one_by_one(_pokerstars)
        ),
        "dr_neau": Formula(FormulaParts("sqrt(n*b^2/e)/(k+1)", variables=("b", "e")), one_by_one(_dr_neau)),
        "log_field": Formula(FormulaParts("ln((n+1)/k)"), one_by_one(_log_field)),
    }
)


def no_points(head: str) -> Formula:
    """Make a formula that gives places no points.

    Examples
    --------
    >>> no_points("balance").points([Case(n=4, k=1)])
    [Fraction(0, 1)]
    """
    return Formula(FormulaParts(head), one_by_one(lambda _case: Fraction(0)))


def fixed_table(points: Sequence[Fraction]) -> Formula:
    """Points by place whatever the field size; places after the list get nothing.

    Parameters
    ----------
    points : sequence of Fraction
        Points of the first places, never negative, never increasing.

    Returns
    -------
    Formula

    Raises
    ------
    EngineError
        Naming the place that is wrong.

    Examples
    --------
    >>> fixed_table([Fraction(25), Fraction(18)]).parts.text
    '25, 18, then nothing'
    """
    check_votes(points, noun="points", most=MAX_LISTED)
    listed = tuple(points)
    return Formula(
        FormulaParts(", ".join(map(exact_text, listed)), n_listed=len(listed)),
        one_by_one(lambda case: listed[case.k - 1] if case.k <= len(listed) else Fraction(0)),
    )


def percentage_pool(percent: Sequence[Fraction], per_entry: Fraction) -> Formula:
    """Percentages of a pool of `per_entry` points for each entry.

    Places after the list get nothing, and what a field shorter than the list leaves over is not given out.

    Parameters
    ----------
    percent : sequence of Fraction
        Percentages of the first places, positive, never increasing, summing to 100.
    per_entry : Fraction
        c: points put up for each entry, at least 0.

    Returns
    -------
    Formula

    Raises
    ------
    EngineError
        Naming the place that is wrong, or the sum.

    Examples
    --------
    >>> pool = percentage_pool([Fraction(60), Fraction(40)], Fraction(10))
    >>> pool.parts.text, pool.points([Case(n=8, k=1)])
    ('60, 40 % of 10*n, then nothing', [Fraction(48, 1)])
    """
    check_percentages(percent)
    factor = "" if per_entry == 1 else f"{exact_text(per_entry)}*"
    head = f"{', '.join(map(exact_text, percent))} % of {factor}n"
    return Formula(FormulaParts(head, n_listed=len(percent)), pool_points(percent, per_entry))


def pool_points(
    percent: Sequence[Fraction], per_entry: Fraction
) -> Callable[[Sequence[Case]], list[Fraction]]:
    """Make the `points` of `percentage_pool`, for percentages that have been checked."""
    if not 0 <= per_entry <= MAX_POINTS:
        raise EngineError("per_entry", "out_of_range", least=0, most=MAX_POINTS, got=exact_text(per_entry))

    def value(case: Case) -> Fraction:
        return percent[case.k - 1] / 100 * per_entry * case.n if case.k <= len(percent) else Fraction(0)

    return one_by_one(value)


def check_percentages(percent: Sequence[Fraction]) -> None:
    """Refuse percentages that are not positive, that increase, or that do not sum to 100.

    Raises
    ------
    EngineError
        Naming the place that is wrong, or the sum.

    Examples
    --------
    >>> check_percentages([Fraction(50), Fraction(45)])
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: votes: the percentages sum to 95, must be 100
    """
    check_votes(percent, noun="percentages", most=MAX_LISTED)
    # Fractions added up one by one would be reduced after each step, which takes long if they have little in common.
    unit = common_denominator(percent)
    total = sum(value.numerator * (unit // value.denominator) for value in percent)
    if total != 100 * unit:
        raise EngineError("votes", "not_100_percent", total=short_text(Fraction(total, unit)))
