"""Compiled kernels stay within their arrays: Numba checks it when asked to, and all their tests run once so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ENGINES = ("tests/engine/lab", "tests/engine/ratings")


@pytest.mark.night
@pytest.mark.parametrize("folder", ENGINES)
def test_no_kernel_leaves_its_arrays(folder, tmp_path):
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not rest and not night",
        folder,
    ]
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3_000:]


@pytest.mark.rest
def test_the_check_finds_a_kernel_that_leaves_its_array():
    script = "import numba, numpy; numba.njit(lambda cells, i: cells[i])(numpy.zeros(3), 3)"
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert "IndexError" in done.stderr
