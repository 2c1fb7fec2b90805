"""Predict when a night ends: an interval from how the club's own nights went on from where this one is."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

LEAST_NIGHTS = 3  # of the club: fewer give no interval
LATEST_MS = 7 * 24 * 3_600_000  # since the start: levels that hardly grow never end


class Mark(NamedTuple):
    """Hold how many were left, and how many big blinds were in play then."""

    left: int
    big_blinds: float


@dataclass(frozen=True)
class Course:
    """Tell how a night went: its marks, the first with everybody in, the last when it ended with one left."""

    marks: tuple[Mark, ...]

    @property
    def end(self) -> float:
        """Big blinds in play at the end."""
        return self.marks[-1].big_blinds

    def at(self, left: int) -> float:
        """Find the big blinds in play when at most so many were left for the first time."""
        return next((mark.big_blinds for mark in self.marks if mark.left <= left), self.end)


class Ending(NamedTuple):
    """Say when a night ends, ms from now: about, and from when to when by the club's own nights."""

    about_ms: int
    from_ms: int | None
    to_ms: int | None
    n_nights: int


def ending_of(
    courses: Sequence[Course],
    blinds: "Blinds",
    *,
    left: int,
    n_players: int,
    now_ms: int,
    usual: float,
) -> Ending:
    """Say when a night ends, from now on.

    Parameters
    ----------
    courses : sequence of Course
        Of the club's earlier nights.
    blinds : Blinds
        Big blinds in play of this night over time.
    left : int
        Who are left now, of `n_players`.
    now_ms : int
        Time since the start, ms.
    usual : float
        Big blinds in play at the end, where the club has no nights to learn from.

    Notes
    -----
    Night i ended with e_i big blinds in play, and had b_i when as many were left as now. With b now, it says that this
    one ends when e_i (b / b_i)^w are in play, where w is the share of the players who are gone: at the start only the
    ends count, and more and more how this night differs from that one so far.
    """
    now = blinds.in_play(now_ms)
    share = (n_players - left) / (n_players - 1) if n_players > 1 else 0.0
    ends = [course.end * (now / course.at(left)) ** share for course in courses]
    times = sorted(max(0, blinds.time_of(min(end, now)) - now_ms) for end in ends)
    if len(times) < LEAST_NIGHTS:
        return Ending(max(0, blinds.time_of(usual) - now_ms), None, None, len(times))
    return Ending(times[len(times) // 2], times[0], times[-1], len(times))


class Blinds:
    """Big blinds in play over time: all chips, divided by a big blind that grows from level to level without jumps."""

    def __init__(self, levels: Sequence[Mapping[str, Any]], chips: float) -> None:
        starts, bigs, at = [], [], 0
        for level in levels:
            if level.get("bb"):
                starts.append(at)
                bigs.append(math.log(level["bb"]))
            at += level["ms"]
        self.starts, self.bigs, self.log_chips = starts, bigs, math.log(max(chips, 1))

    def in_play(self, at_ms: float) -> float:
        return math.exp(self.log_chips - self._log_big(at_ms))

    def _log_big(self, at_ms: float) -> float:
        i = min(max(0, bisect_right(self.starts, at_ms) - 1), max(0, len(self.starts) - 2))
        if len(self.starts) < 2:  # noqa: PLR2004  one level does not grow
            return self.bigs[0]
        start, end = self.starts[i : i + 2]
        low, high = self.bigs[i : i + 2]
        return low + (high - low) * max(0.0, at_ms - start) / (end - start)

    def time_of(self, big_blinds: float) -> int:
        """Find when so many big blinds are in play, ms since the start; beyond the last level it grows on as there."""
        wanted = self.log_chips - math.log(big_blinds)
        if len(self.starts) < 2:  # noqa: PLR2004  it never grows
            return 0
        i = min(max(0, bisect_right(self.bigs, wanted) - 1), len(self.bigs) - 2)
        low, high = self.bigs[i : i + 2]
        start, end = self.starts[i : i + 2]
        share = (wanted - low) / (high - low) if high > low else 1.0
        return round(min(max(0.0, start + share * (end - start)), LATEST_MS))
