"""The clock of a night: level and time left, a function of the log and the time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Levels = Sequence[
    Mapping[str, Any]
]  # each with `ms`; blinds have `sb`, `bb` and maybe `ante`, breaks `is_break`
LONGEST_MS = 24 * 3_600_000  # of a level


@dataclass(frozen=True)
class Clock:
    """A clock when it was last touched.

    `level` counts from 0, breaks included; `left_ms` is None in a night without levels; `ran_ms` is how long it has
    run in all, pauses left out.
    """

    is_running: bool
    level: int
    left_ms: int | None
    ran_ms: int
    at_ms: int


def clock_at(levels: Levels, clock: Clock, now_ms: int) -> Clock:
    """Let a clock run on to a moment. The last level goes on without end; before the last touch nothing changes."""
    passed = max(0, now_ms - clock.at_ms) if clock.is_running else 0
    level, left = clock.level, clock.left_ms
    if left is not None:
        left -= passed
        while left <= 0 and level + 1 < len(levels):
            level += 1
            left += levels[level]["ms"]
        left = max(0, left)
    return Clock(clock.is_running, level, left, clock.ran_ms + passed, max(now_ms, clock.at_ms))


def gone_of(levels: Levels, clock: Clock | None, now_ms: int) -> int:
    """Add up how much of the levels has gone at a moment, ms; pauses and jumps count as the clock took them."""
    if clock is None:
        return 0
    now = clock_at(levels, clock, now_ms)
    gone: int = sum(level["ms"] for level in levels[: now.level + 1]) - (now.left_ms or 0)
    return max(0, gone)


def touched(levels: Levels, clock: Clock | None, op: Mapping[str, Any], at_ms: int) -> Clock:
    """Apply a start, pause, resume, jump or addition to a clock; None is one that was not started yet.

    Starting and resuming what runs, and pausing what does not, changes nothing. A jump sets level and time left, an
    addition changes the time left of the level.
    """
    now = clock_at(levels, clock or _before(levels, at_ms), at_ms)
    match op["op"]:
        case "jump":
            level = min(op.get("level") or 0, max(0, len(levels) - 1))
            left = _left(levels, level, op.get("left_ms"))
            return Clock(now.is_running, level, left, now.ran_ms, at_ms)
        case "add":
            left = None if now.left_ms is None else _bounded(now.left_ms + (op.get("left_ms") or 0))
            return Clock(now.is_running, now.level, left, now.ran_ms, at_ms)
    is_running = op["op"] in {"start", "resume"}
    return Clock(is_running, now.level, now.left_ms, now.ran_ms, at_ms)


def relevelled(before: Levels, after: Levels, clock: Clock, at_ms: int) -> Clock:
    """Change the levels under a clock: the level goes on, with as much time gone of it as before."""
    now = clock_at(before, clock, at_ms)
    if not after:
        return Clock(now.is_running, 0, None, now.ran_ms, at_ms)
    level = min(now.level, len(after) - 1)
    if now.left_ms is None or level != now.level:
        return Clock(now.is_running, level, after[level]["ms"], now.ran_ms, at_ms)
    left = _bounded(now.left_ms + after[level]["ms"] - before[level]["ms"])
    return Clock(now.is_running, level, left, now.ran_ms, at_ms)


def number_of(levels: Levels, level: int) -> int:
    """Number a level as people do, breaks not counted; a break has the number of the level before it."""
    return sum(not each.get("is_break") for each in levels[: level + 1])


def is_past(levels: Levels, clock: Clock, number: int) -> bool:
    """Tell whether the level with a number has ended."""
    blinds = [i for i, each in enumerate(levels) if not each.get("is_break")]
    return 0 < number <= len(blinds) and clock.level > blinds[number - 1]


def _before(levels: Levels, at_ms: int) -> Clock:
    return Clock(
        is_running=False, level=0, left_ms=levels[0]["ms"] if levels else None, ran_ms=0, at_ms=at_ms
    )


def _left(levels: Levels, level: int, wanted: int | None) -> int | None:
    if not levels:
        return None
    return levels[level]["ms"] if wanted is None else _bounded(wanted)


def _bounded(left_ms: int) -> int:
    return min(max(0, left_ms), LONGEST_MS)
