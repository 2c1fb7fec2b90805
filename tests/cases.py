"""Random cases of a test: all of them on SQLite, the first few on PostgreSQL too."""

from collections.abc import Iterable

import pytest

N_ON_EACH_DATABASE = 8  # enough to show whether PostgreSQL orders and rounds as SQLite does


def on_one_database_after_the_first(seeds: Iterable[int]):
    return [
        pytest.param(seed, marks=[pytest.mark.one_database] if i >= N_ON_EACH_DATABASE else [])
        for i, seed in enumerate(seeds)
    ]
