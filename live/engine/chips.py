"""Chips that a club owns: what a starting stack is made of, and how many players they are enough for."""

from collections.abc import Mapping, Sequence
from functools import cache

MOST_OF_A_KIND = 40  # in one stack: more cannot be counted at a glance
MOST_TRIED = 10_000  # sums: a case of odd values has no end of them
WANTED = 2  # chips of the next value that the chips of a value should come to


def stack_of(case: Mapping[int, int], stack: int, n_players: int) -> dict[int, int] | None:
    """Make a starting stack for each of n players from a case of chips; None if there are not enough, or if
    no way was found among the first MOST_TRIED.

    Parameters
    ----------
    case : mapping
        Value of a chip to how many there are.
    stack : int
        Chips of a starting stack, in value.
    n_players : int
        Starting stacks that are needed, rebuys included.

    Returns
    -------
    dict or None
        Value to number in a stack. Of each value there are about as many as two of the next are worth, so that small
        blinds can be paid and stacks be counted.
    """
    values = sorted(value for value, n in case.items() if value > 0 and n > 0)
    most = [min(case[value] // max(1, n_players), MOST_OF_A_KIND) for value in values]

    tried = 0

    @cache
    def fill(i: int, rest: int) -> tuple[int, ...] | None:
        nonlocal tried
        tried += 1
        if i == len(values):
            return () if rest == 0 else None
        if tried > MOST_TRIED or rest > sum(value * n for value, n in zip(values[i:], most[i:], strict=True)):
            return None
        for n in _counts(values, i, min(most[i], rest // values[i])):
            if (filled := fill(i + 1, rest - n * values[i])) is not None:
                return (n, *filled)
        return None

    found = fill(0, stack)
    return None if found is None else dict(zip(values, found, strict=True))


def _counts(values: Sequence[int], i: int, most: int) -> list[int]:
    """List the numbers of chips of a value to try, the best first."""
    wanted = WANTED * values[i + 1] // values[i] if i + 1 < len(values) else most
    return sorted(range(most + 1), key=lambda n: (abs(n - wanted), n))


def most_players(case: Mapping[int, int], stack: int) -> int:
    """Find for how many players the chips are enough; 0 if not even for one."""
    total = sum(value * n for value, n in case.items())
    low, high = 0, total // stack if stack > 0 else 0
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if stack_of(case, stack, middle) else (low, middle - 1)
    return low
