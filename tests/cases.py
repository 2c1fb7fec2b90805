"""Random cases of a test: a few in each run, CASES=10 for ten times as many, and the first of them on PostgreSQL too."""

import os

import pytest

TIMES = int(os.environ.get("CASES", "1"))
N_ON_EACH_DATABASE = 4  # enough to show whether PostgreSQL orders and rounds as SQLite does


def times(n: int) -> int:
    """Return how many random cases a test tries that tries n in each run of the suite."""
    return n * TIMES


def seeds(n: int, *, first: int = 0):
    """List the seeds of a test's random cases, for parametrize."""
    return [
        pytest.param(first + i, marks=[pytest.mark.one_database] if i >= N_ON_EACH_DATABASE else [])
        for i in range(times(n))
    ]
