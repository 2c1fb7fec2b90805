"""Ratings are the same bits with and without newer instructions, so that several machines can compute those of one site."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mpmath import cbrt, mp
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

from ratings.engine.cube_root import cube_root
from tests.engine.ratings import bits

ENGINE = Path(__file__).parents[3] / "ratings" / "engine"
# Functions that IEEE 754 does not define to the last bit, which NumPy computes by whatever the processor offers.
BY_PROCESSOR = {
    "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "cbrt", "cos", "cosh", "dot", "einsum", "exp",
    "exp2", "expm1", "hypot", "inner", "linalg", "log", "log10", "log1p", "log2", "logaddexp", "matmul", "power", "sin",
    "sinh", "tan", "tanh", "tensordot", "vdot",
}  # fmt: skip


def test_without_the_newer_instructions_and_without_compilation_the_bits_are_the_same():
    newer = [name for name in __cpu_dispatch__ if __cpu_features__[name]]
    plain = {
        "NPY_DISABLE_CPU_FEATURES": " ".join(newer),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4",
        "NUMBA_DISABLE_JIT": "1",
    }
    command = [sys.executable, "-m", "tests.engine.ratings.bits"]
    done = subprocess.run(command, env=os.environ | plain, capture_output=True, text=True, check=True)
    found = bits.ratings()
    assert {name: np.isfinite(column).any() for name, column in found.items()} == dict.fromkeys(found, True)
    assert found["penalty"].any()
    assert np.unique(found["evidence"]).size > 20
    assert done.stdout.splitlines() == bits.lines()


@pytest.fixture(scope="module")
def used():
    """Modules of the engine that ratings import when they are computed."""
    program = "import sys; from tests.engine.ratings import bits; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    names = [
        name.removeprefix("ratings.engine.")
        for name in done.stdout.splitlines()
        if name.startswith("ratings.engine.")
    ]
    files = [ENGINE / f"{name.replace('.', '/')}.py" for name in names]
    return [file for file in files if file.exists()]  # the others are folders


def test_ratings_use_no_function_of_numpy_that_depends_on_the_processor(used):
    assert len(used) > 15
    assert [use for file in used for use in uses(file)] == []


def uses(file):
    for node in ast.walk(ast.parse(file.read_text())):
        of_numpy = (
            isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np"
        )
        if of_numpy and node.attr in BY_PROCESSOR:
            yield f"{file.name}:{node.lineno} np.{node.attr}"
        if isinstance(node, ast.MatMult):
            yield f"{file.name} @"


def test_a_cube_root_is_the_nearest_float():
    """Against 200 bits of mpmath."""
    rng = np.random.default_rng(1)
    values = np.concatenate(
        [np.ldexp(rng.uniform(0.5, 1.0, 3000), rng.integers(-300, 300, 3000)), np.arange(1.0, 2000.0)]
    )
    with mp.workprec(200):
        expected = [float(cbrt(value)) for value in values.tolist()]
    assert cube_root(values).tolist() == expected
