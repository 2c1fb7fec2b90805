"""Random cases of a test: a few in each run, and with CASES=10 ten times as many."""

import os

TIMES = int(os.environ.get("CASES", "1"))


def times(n: int) -> int:
    """Return how many random cases a test tries that tries n in each run of the suite."""
    return n * TIMES


def seeds(n: int, *, first: int = 0) -> range:
    """Return the seeds of a test's random cases, for parametrize."""
    return range(first, first + times(n))
