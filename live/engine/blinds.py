"""Blinds: levels for so many players, chips and hours, which can be paid with the chips that are in play."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

Level = dict[str, Any]
MOST_STEP = 2.0  # from one small blind to the next
NICE = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10)
UNUSUAL = 0.05  # what an unusual number costs, as a distance of logarithms
MORE_LEVELS = 2  # after the one that should be the last
FIRST_STACK = 100  # big blinds of a starting stack at least, where the chips allow it
END_BIG_BLINDS = 13.0  # in play when an evening ends: the median of ten real ones
MINUTE_MS = 60_000


@dataclass(frozen=True)
class Plan:
    """Say what levels are wanted for.

    `chips` are the values in play; `minutes` the time until the end, `level_minutes` of each level, a break of
    `break_minutes` after every `break_every` levels; a big blind ante from the level `ante_from` on, 0 for none;
    `end_big_blinds` is how many big blinds are in play when such evenings end.
    """

    n_players: int
    stack: int
    chips: tuple[int, ...]
    minutes: int = 180
    level_minutes: int = 15
    break_every: int = 4
    break_minutes: int = 5
    ante_from: int = 0
    end_big_blinds: float = END_BIG_BLINDS


def levels_of(plan: Plan) -> list[Level]:
    """Build the levels of a plan, with breaks at which the chips leave that no later level needs.

    Notes
    -----
    Small blinds grow by r = (last / first)^(1 / (n - 1)), each then rounded to a multiple of a chip in play, strictly
    rising, by at most the factor 2.
    """
    chips = sorted(set(plan.chips))
    n = _n_levels(plan)
    first = _first_small(plan, chips)
    last = max(plan.n_players * plan.stack / plan.end_big_blinds / 2, 2 * first)
    ratio = min((last / first) ** (1 / max(1, n - 1)), MOST_STEP)
    smalls = [first]
    for i in range(1, n + MORE_LEVELS):
        smalls.append(_payable(smalls[-1], first * ratio**i, chips))
    return with_colour_ups(_with_breaks(smalls, plan), chips)


def _n_levels(plan: Plan) -> int:
    """Count the levels until the end, breaks taken off."""
    round_ = plan.break_every * plan.level_minutes + plan.break_minutes
    if not (plan.break_every and plan.break_minutes):
        return max(2, round(plan.minutes / plan.level_minutes))
    whole, rest = divmod(plan.minutes, round_)
    return max(2, whole * plan.break_every + min(plan.break_every, round(rest / plan.level_minutes)))


def _first_small(plan: Plan, chips: Sequence[int]) -> int:
    """Choose the first small blind: the smallest chip, or more where stacks would be deeper than twice the usual."""
    wanted = plan.stack / (2 * FIRST_STACK)
    return max(chips[0], int(wanted // 2 // chips[0]) * chips[0])


def _payable(before: int, wanted: float, chips: Sequence[int]) -> int:
    """Round a small blind to what can be paid: with the largest chip that is fine enough, more and at most twice."""
    fine = [chip for chip in chips if chip <= wanted / 2] or [chips[0]]
    for chip in reversed(fine):
        candidates = range(chip * (before // chip + 1), int(before * MOST_STEP) + 1, chip)
        if candidates:
            return min(_few(candidates, wanted, chip), key=lambda each: (_cost(each, wanted), each))
    return int(before * MOST_STEP)


def _few(candidates: range, wanted: float, chip: int) -> Iterator[int]:
    """Take the candidates near a wanted value, and the first and the last."""
    near = math.floor(wanted / chip) * chip
    yield candidates[0]
    yield candidates[-1]
    yield from (near + k * chip for k in range(-6, 8) if near + k * chip in candidates)


def _cost(small: int, wanted: float) -> float:
    scale = 10 ** math.floor(math.log10(small))
    return abs(math.log(small / wanted)) + (0 if small / scale in NICE else UNUSUAL)


def _with_breaks(smalls: Sequence[int], plan: Plan) -> list[Level]:
    levels: list[Level] = []
    for i, small in enumerate(smalls, start=1):
        level = {"sb": small, "bb": 2 * small, "ms": plan.level_minutes * MINUTE_MS}
        if plan.ante_from and i >= plan.ante_from:
            level["ante"] = level["bb"]
        levels.append(level)
        if plan.break_every and plan.break_minutes and i % plan.break_every == 0 and i < len(smalls):
            levels.append({"is_break": True, "ms": plan.break_minutes * MINUTE_MS})
    return levels


def with_colour_ups(levels: Sequence[Level], chips: Sequence[int]) -> list[Level]:
    """Say at each break which chips leave there: those that no later level needs."""
    left, result = sorted(set(chips)), []
    for i, level in enumerate(levels):
        plain = {name: value for name, value in level.items() if name != "gone"}
        if level.get("is_break"):
            later = levels[i + 1 :]
            gone = []
            while len(left) > 1 and not unpayable(later, left[1:]):
                gone.append(left.pop(0))
            if gone:
                plain["gone"] = gone
        result.append(plain)
    return result


def with_colour_ups_ahead(levels: Sequence[Level], chips: Sequence[int], first: int) -> list[Level]:
    """Say at the breaks from a position on which chips leave there; those that left before are gone already."""
    gone = {chip for level in levels[:first] for chip in level.get("gone") or []}
    left = [chip for chip in chips if chip not in gone]
    return [*levels[:first], *with_colour_ups(levels[first:], left)]


def falling(levels: Sequence[Mapping[str, Any]]) -> list[int]:
    """List the positions of levels whose big blind is not more than the one before."""
    blinds = [(i, level["bb"]) for i, level in enumerate(levels) if level.get("bb")]
    return [i for (_, before), (i, bb) in pairwise(blinds) if bb <= before]


def unpayable(levels: Sequence[Mapping[str, Any]], chips: Sequence[int]) -> list[tuple[int, int]]:
    """List the amounts that cannot be paid with the chips in play: the position of the level, and the amount.

    A chip is in play until a break says that it is gone.
    """
    left, found = sorted(set(chips)), []
    for i, level in enumerate(levels):
        left = [chip for chip in left if chip not in (level.get("gone") or [])]
        amounts = [level.get(name) or 0 for name in ("sb", "bb", "ante")]
        found += [(i, amount) for amount in amounts if amount and (not left or amount % left[0])]
    return found


def big_steps(levels: Sequence[Mapping[str, Any]]) -> list[tuple[int, float]]:
    """List the levels whose blinds are more than twice those before: position and factor."""
    blinds = [(i, level) for i, level in enumerate(levels) if level.get("bb")]
    steps = [(i, level["bb"] / before["bb"]) for (_, before), (i, level) in pairwise(blinds)]
    return [(i, step) for i, step in steps if step > MOST_STEP]


def replanned(levels: Sequence[Level], level: int, left_ms: int, end: int, wanted_ms: int) -> list[Level]:
    """Give the levels ahead so many minutes that a level ends at a wanted time from now.

    `level` is the current one with `left_ms` to go, `end` the position of the level that should be over by then. Breaks
    stay as they are, and every level keeps at least a minute.
    """
    ahead = [i for i in range(level + 1, end + 1) if not levels[i].get("is_break")]
    breaks = sum(each["ms"] for each in levels[level + 1 : end + 1] if each.get("is_break"))
    planned = sum(levels[i]["ms"] for i in ahead)
    share = max(0, wanted_ms - left_ms - breaks) / planned if planned else 1
    changed = [dict(each) for each in levels]
    for i in range(level + 1, len(levels)):
        if not levels[i].get("is_break"):
            changed[i]["ms"] = max(1, round(levels[i]["ms"] * share / MINUTE_MS)) * MINUTE_MS
    return changed
