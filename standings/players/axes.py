"""Choose axes of charts: round values between which the drawn ones lie."""

from itertools import count
from math import ceil, floor

NICE = (1, 2, 5)  # times powers of ten


def round_step(low: float, high: float, *, most: int) -> int:
    """Choose the distance of at most so many levels of an axis, ends included, however far apart they are.

    >>> round_step(0, 77, most=6), round_step(-226, 386, most=6), round_step(0, 10**9, most=6)
    (20, 200, 200000000)
    """
    steps = (nice * int(10**power) for power in count() for nice in NICE)
    return next(step for step in steps if _reach(low, high, step) <= (most - 1) * step)


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
