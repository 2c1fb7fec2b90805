"""From the log of a night to its state: a pure function of the actions, whatever their order, that never fails."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from live.engine.actions import (
    OF_THE_CLOCK,
    OF_THE_SITE,
    Action,
    BadActionError,
    canonical,
    content_of,
    read_action,
)
from live.engine.fold import fold
from live.engine.state import Held, Night

FINAL = ("void", "envelope")  # kinds of actions that are never undone


@dataclass
class Log:
    """The actions of a night in the order in which they count, and those that are held."""

    actions: list[Action] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)


def project(actions: Iterable[Action]) -> Night:
    """Compute the state of a night.

    Sort by time; keep each id once; let the last undo or redo of an action win; apply edits of the order; go through
    the rest. What does not fit becomes a question, and what cannot be part of the log is held.
    """
    log = log_of(actions)
    undone = undone_by(log.actions)
    standing = standing_of(log.actions, undone)
    night = fold(edited(standing))
    night.held = log.held
    return night


def project_raw(raws: Iterable[object]) -> Night:
    """Compute the state of a night from JSON; malformed actions are held."""
    actions, held = [], []
    for raw in raws:
        try:
            actions.append(read_action(raw))
        except BadActionError as error:
            name = raw.get("id") if isinstance(raw, dict) else None
            held.append(Held(name if isinstance(name, str) else "", str(error)))
    night = project(actions)
    night.held = sorted([*night.held, *held], key=lambda each: (each.id, each.why))
    return night


def log_of(actions: Iterable[Action]) -> Log:
    """Sort the actions; of equal ids, and of equal numbers of one device, the first stays and others are held.

    An organizer's `admit` lets a held action into the log: one with a number that is taken, or one that the `admit`
    itself carries because the server had refused it. Undoing the `admit` takes it out again.
    """
    log = Log()
    contents: dict[str, str] = {}
    numbers: set[tuple[str, int]] = set()
    ordered = _sorted(actions)
    undone = undone_by(ordered)
    admits = [action for action in ordered if action.kind == "admit" and action.id not in undone]
    carried = list(_carried(admits, ordered, log.held))
    admitted = {action.body["action"] for action in admits} | {action.id for action in carried}
    for action in _sorted([*ordered, *carried]):
        content, number = content_of(action), (action.device, action.counter)
        if action.id in contents:
            if contents[action.id] != content:
                log.held.append(Held(action.id, "other content under a known id"))
            continue
        if action.id not in admitted:
            if number in numbers:
                log.held.append(Held(action.id, "a number of its device that is taken"))
                continue
            numbers.add(number)
        contents[action.id] = content
        log.actions.append(action)
    log.held = sorted(set(log.held), key=lambda held: (held.id, held.why))
    return log


def _sorted(actions: Iterable[Action]) -> list[Action]:
    return sorted(actions, key=lambda action: (*action.place_in_time, content_of(action)))


def _carried(admits: Iterable[Action], ordered: Sequence[Action], held: list[Held]) -> Iterator[Action]:
    """Read the actions that admits carry. One that has come into the log itself is left out; one whose id is known with
    other content gets an id of its own, and a malformed one is held.
    """
    known = {action.id for action in ordered}
    said = {(action.id, action.kind, canonical(action.body)) for action in ordered}
    for admit in admits:
        body = admit.body
        is_there = (body["action"], body.get("kind"), canonical(body.get("body") or {})) in said
        if body.get("kind") is None or is_there:
            continue
        if body["kind"] in OF_THE_SITE:
            held.append(Held(body["action"], "for the site alone"))
            continue
        own_id = f"{admit.id}~" if body["action"] in known else body["action"]
        read = {
            "id": own_id,
            "device": body.get("device") or admit.device,
            "counter": admit.counter,
            "kind": body["kind"],
            "body": body.get("body") or {},
            "at_ms": admit.at_ms if body.get("at_ms") is None else body["at_ms"],
            "received_ms": admit.came_ms,
        }
        try:
            yield read_action(read)
        except BadActionError as error:
            held.append(Held(own_id, str(error)))


def standing_of(actions: Sequence[Action], undone: Collection[str]) -> list[Action]:
    """List the actions that stand: not undone, and not about who put somebody out by an exit that is undone."""
    stands: dict[str, bool] = {}  # whether an exit of an entry stands, of those so far
    found = []
    for action in actions:
        if action.kind == "out":
            for entry_id in (each for group in action.body["groups"] for each in group):
                stands[entry_id] = stands.get(entry_id, False) or action.id not in undone
        is_stale = action.kind == "by" and not stands.get(action.body["target"], True)
        if action.id not in undone and not is_stale:
            found.append(action)
    return found


def undone_by(actions: Sequence[Action]) -> set[str]:
    """Find the ids that are undone: of each, the last undo or redo wins. An undo itself and an opened envelope stay."""
    kinds = {action.id: action.kind for action in actions}
    last = {
        action.body["target"]: action.body["on"]
        for action in actions
        if action.kind == "void" and kinds.get(action.body["target"]) not in FINAL
    }
    return {target for target, is_undone in last.items() if is_undone}


def edited(actions: Sequence[Action]) -> list[Action]:
    """Move actions in time as edits of the order say, one after the other; before nothing is the time of the edit.

    The clock is not moved in time: it is set by a jump.
    """
    result = list(actions)
    for edit in [action for action in actions if action.kind == "order"]:
        target, before = edit.body["target"], edit.body.get("before")
        moved = next((action for action in result if action.id == target), None)
        if moved is None or moved.kind in OF_THE_CLOCK or target == before:
            continue
        others = [action for action in result if action.id != target]
        at = next((i for i, action in enumerate(others) if action.id == (before or edit.id)), None)
        if at is not None:
            result = [*others[:at], moved, *others[at:]]
    return result
