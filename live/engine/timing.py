"""What touches the clock of a night and its levels."""

from collections.abc import Sequence

from live.engine.actions import MOST_LEVELS, OF_THE_CLOCK, Action
from live.engine.clock import LONGEST_MS, clock_at, is_past, relevelled, touched
from live.engine.state import IGNORE, SET_BACK, Choices, Night, ask


def late_touches(actions: Sequence[Action]) -> frozenset[str]:
    """Find touches of the clock that came when a later one was known already; a jump says itself where it leads."""
    late, known = set(), None
    for action in reversed([action for action in actions if action.kind in OF_THE_CLOCK]):
        if known is not None and known < action.came_ms and action.body.get("op") != "jump":
            late.add(action.id)
        known = action.came_ms if known is None else min(known, action.came_ms)
    return frozenset(late)


def touch(night: Night, action: Action, choices: Choices) -> None:
    """Touch the clock. A start that comes late changes nothing: it runs already; a pause may have to be asked about."""
    is_late, op = action.id in night.late, action.body["op"]
    if op in {"start", "resume"} and night.started_at_ms is None:
        night.started_at_ms = action.at_ms
    if is_late and op in {"start", "resume"}:
        return
    if (is_late or (op == "pause" and _is_levels_ago(night, action))) and not _is_wanted(
        night, action, choices
    ):
        return
    night.clock = touched(night.levels, night.clock, action.body, action.at_ms)


def _is_wanted(night: Night, action: Action, choices: Choices) -> bool:
    """Ask whether something old still sets the clock back."""
    return ask(night, "late_clock", [action.id], [], [SET_BACK, IGNORE], choices) == SET_BACK


def _is_levels_ago(night: Night, action: Action) -> bool:
    """Tell whether setting a running clock back to an action would take more than the level that ran then."""
    if night.clock is None or not night.clock.is_running:
        return False
    level = clock_at(night.levels, night.clock, action.at_ms).level
    length = night.levels[level]["ms"] if level < len(night.levels) else LONGEST_MS
    return action.came_ms - action.at_ms > length


def set_levels(night: Night, action: Action, choices: Choices) -> None:
    """Replace the levels from the first that changes."""
    if action.id in night.late and not _is_wanted(night, action, choices):
        return
    first = action.body.get("first") or 0
    levels = [*night.levels[:first], *action.body["levels"]][:MOST_LEVELS]
    if night.clock:
        night.clock = relevelled(night.levels, levels, night.clock, action.at_ms)
    night.levels = levels


def is_closed(night: Night, at_ms: int) -> bool:
    """Tell whether the last level in which people may enter had ended."""
    number = night.setup.get("closing_level") or 0
    return night.clock is not None and is_past(
        night.levels, clock_at(night.levels, night.clock, at_ms), number
    )
