"""Decorators of the loops that numba compiles.

Most of the time that a short loop takes to compile goes into wrappers that make it callable, from Python and from C.
Nothing calls them from C, and a loop that only other loops call needs neither.
"""

from functools import partial

from numba import njit

_compiled = partial(njit, cache=True, error_model="numpy", no_cfunc_wrapper=True)

# Loop that Python calls.
kernel = _compiled()
# Loop that only other loops call.
inner = _compiled(no_cpython_wrapper=True)
