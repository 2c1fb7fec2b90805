"""Tables of benchmark results; most rows compare two things measured in one run, and have their ratio."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol


class Line(Protocol):
    """A row of a table with the columns HEAD."""

    HEAD: ClassVar[tuple[str, ...]]

    def cells(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Row:
    """One comparison: `ours` and `theirs` (if any) in seconds; `goal` is the least ratio to reach, if any."""

    HEAD: ClassVar[tuple[str, ...]] = ("what", "ours", "compared with", "theirs", "ratio", "goal", "how")

    what: str
    theirs_name: str
    ours: float
    theirs: float | None
    goal: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None else self.theirs / self.ours

    def cells(self) -> tuple[str, ...]:
        theirs, ratio, goal = "", "", ""
        if self.theirs is not None and self.ratio is not None:
            theirs, ratio = seconds(self.theirs), f"{self.ratio:.3g}"
            goal = "" if self.goal is None else f"{self.goal:g} {met(self.ratio >= self.goal)}"
        return self.what, seconds(self.ours), self.theirs_name, theirs, ratio, goal, self.note


def met(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def seconds(value: float) -> str:
    for unit, scale in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def table(lines: Sequence[Line]) -> list[str]:
    head = lines[0].HEAD
    rows = ["| " + " | ".join(cells) + " |" for cells in (head, *(line.cells() for line in lines))]
    return [rows[0], "|---" * len(head) + "|", *rows[1:]]


def best_of(call: Callable[[], object], *, repeat: int = 5, warm: int = 1) -> float:
    """Measure the least wall-clock seconds of `repeat` calls after `warm` unmeasured ones."""
    return best_in_turn(call, repeat=repeat, warm=warm)[0]


def best_in_turn(*calls: Callable[[], object], repeat: int = 5, warm: int = 1) -> list[float]:
    """Measure each call like `best_of`, but in turn, so that a slow moment of the machine affects all of them."""
    times: list[list[float]] = [[] for _ in calls]
    for turn in range(warm + repeat):
        for call, times_of_call in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            if turn >= warm:
                times_of_call.append(time.perf_counter() - start)
    return [min(times_of_call) for times_of_call in times]
