"""What a benchmark says: two things measured side by side in one run, and their ratio."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One comparison. `ours` and `theirs` in seconds; `goal` is the ratio we promise, if any."""

    what: str
    theirs_name: str
    ours: float
    theirs: float
    goal: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def best_of(call: Callable[[], object], *, repeat: int = 5, warm: int = 1) -> float:
    """Least wall-clock seconds of `repeat` calls after `warm` unmeasured ones."""
    for _ in range(warm):
        call()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)
