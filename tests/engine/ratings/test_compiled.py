"""What a fresh installation compiles before its first rating: how many functions, how often, since time grows with them."""

import importlib
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from ratings.engine.history import EventHistory
from ratings.engine.tier.figures import explain_entries
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState

README = Path(__file__).parents[3] / "ratings" / "README.md"
MOST_KERNELS = 41
# Modules whose kernels rate an event by TIER.
MODULES = (
    "cube_root", "gaussian", "kernels", "prediction_kernels", "tier.late_registration", "tier.partial_field",
    "tier.pipeline_arrays", "tier.pipeline_changes", "tier.pipeline_kernels", "tier.place_weights", "tier.pool_state",
    "tier.times",
)  # fmt: skip


@pytest.fixture(scope="module")
def compiled(kernels):
    """Compile everything that a first rating with a late entry needs; count the files of each function in the cache.

    numba keeps them in a folder for each place of the sources, of which there are several if the cache has moved.
    """
    late = EventHistory(
        np.zeros(1), np.array([0, 3]), np.array([90.0]), np.array([60.0]), np.array([9]), np.array([9]),
        np.arange(3), np.ones(3, np.int64), np.arange(1, 4), np.array([0.0, 30.0, 0.0]),
        np.array([np.nan, np.nan, 10.0]),
    )  # fmt: skip
    replayed = replay_events(late, PoolState.fresh(3, TierParams()), TierParams())
    assert replayed.penalty[1] > 0.0
    explain_entries(replayed)
    files = Path(os.environ["NUMBA_CACHE_DIR"]).rglob("*.nbc")
    ours = {of_kernel(kernel) for kernel in kernels.values()}
    counts = Counter(
        (file.parent, file.name.split("-")[0]) for file in files
    )  # module.function, of all engines
    return {
        name: max(n for (_, each), n in counts.items() if each == name) for _, name in counts if name in ours
    }


def of_kernel(kernel):
    return f"{kernel.py_func.__module__.rpartition('.')[2]}.{kernel.py_func.__qualname__}"


@pytest.fixture(scope="module")
def kernels():
    modules = [importlib.import_module(f"ratings.engine.{name}") for name in MODULES]
    return {
        kernel.py_func.__qualname__: kernel
        for module in modules
        for kernel in vars(module).values()
        if isinstance(kernel, Dispatcher)
    }


def test_no_kernel_is_compiled_for_two_signatures(compiled):
    assert compiled["pipeline_kernels.rate_range"] == 1
    assert {name: n for name, n in compiled.items() if n > 1} == {}


def test_there_are_as_many_kernels_as_the_readme_says(kernels):
    assert f"compiles {len(kernels)} of them" in README.read_text()
    assert len(kernels) <= MOST_KERNELS


def test_kernels_use_nothing_of_numpy_that_numba_would_have_to_compile(kernels):
    """Sorting alone took two seconds, slices assigned to slices two and a half."""
    assert [name for name, kernel in kernels.items() if "np" in kernel.py_func.__code__.co_names] == []
