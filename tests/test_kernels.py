"""What a fresh installation compiles before its first rating: the number of functions, since time grows with it."""

import json
import os
import subprocess
import sys

import pytest

# Counts compilations by name of the function, from an empty cache. Unoptimized, the same ones take half of the time.
COUNT = """
import collections, json
import django
from numba.core import event

django.setup()
counts = collections.Counter()

class Count(event.Listener):
    def on_start(self, compiled):
        function = compiled.data["dispatcher"].py_func
        counts[f"{function.__module__}.{function.__name__}"] += 1

    def on_end(self, compiled):
        pass

event.register("numba:compile", Count())
from standings.tasks import warm_up
warm_up()
print(json.dumps(counts))
"""


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("kernels")),
        "NUMBA_OPT": "0",
    }
    done = subprocess.run(
        [sys.executable, "-c", COUNT], env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


@pytest.mark.long
def test_the_first_rating_compiles_every_kernel_once(counts):
    ours = {name: n for name, n in counts.items() if name.startswith("ratings.engine.")}
    assert "ratings.engine.pipeline_kernels.rate_range" in ours
    assert [name for name, n in ours.items() if n > 1] == []
    assert len(ours) <= 35


@pytest.mark.long
def test_kernels_use_nothing_of_numpy_that_numba_would_have_to_compile(counts):
    """Sorting alone took two seconds, slices assigned to slices two and a half."""
    theirs = {name for name in counts if not name.startswith("ratings.engine.")}
    assert theirs <= {"numba.cpython.builtins.impl"}  # min and max
