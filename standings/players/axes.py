"""Axes of charts: round values between which the drawn ones lie."""

from math import ceil, floor

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def round_step(low: float, high: float, *, most: int) -> int:
    """Choose the distance of at most so many levels of an axis, ends included.

    >>> round_step(0, 77, most=6), round_step(-226, 386, most=6)
    (20, 200)
    """
    return next((step for step in STEPS if _reach(low, high, step) <= (most - 1) * step), STEPS[-1])


def _reach(low: float, high: float, step: int) -> int:
    return (ceil(high / step) - floor(low / step)) * step


def round_levels(low: float, high: float, *, most: int) -> list[int]:
    """List round values from below the lowest drawn value to above the highest.

    >>> round_levels(-226, 386, most=6)
    [-400, -200, 0, 200, 400]
    """
    step = round_step(low, high, most=most)
    first = floor(low / step) * step
    last = max(ceil(high / step) * step, first + step)
    return list(range(first, last + 1, step))
