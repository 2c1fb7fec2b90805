"""Go through a night's actions in order: who is in, who went out when, who owes, where they sit, what is asked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from live.engine.actions import Action
from live.engine.state import Entry, Exit, Night, Question, person_key

SEEN_BY_TWO = 120_000  # ms within which two phones record one fact
FIRST, SECOND, IGNORE = "first", "second", "ignore"


def fold(actions: Sequence[Action]) -> Night:
    """Apply actions that stand, in their order. Choices of the organizer are known from the beginning."""
    night = Night()
    choices = {
        action.body["question"]: action.body["choice"] for action in actions if action.kind == "settle"
    }
    reported: dict[str, list[str]] = {}  # entries that each device has reported out, in its order
    for action in actions:
        if action.kind == "out":
            _out(night, action, choices, reported)
        elif apply := APPLIES.get(action.kind):
            apply(night, action, choices)
    for entry in night.still_in:  # brought back: nobody has put it out
        entry.by = None
    return night


def _ask(
    night: Night,
    kind: str,
    actions: Sequence[str],
    entries: Sequence[str],
    choices: Sequence[str],
    settled: Mapping[str, str],
) -> str | None:
    """Add a question; return the choice that settled it."""
    name = ":".join([kind, *actions, *entries])
    chosen = settled.get(name)
    answer = chosen if chosen in choices else None
    night.questions.append(Question(name, kind, tuple(actions), tuple(entries), tuple(choices), answer))
    return answer


def _enter(night: Night, action: Action, choices: Mapping[str, str]) -> None:
    """Enter a player; the same entry recorded twice is one, and a player who is out enters again."""
    body, key = action.body, person_key(action.body["name"])
    last = night.entries.get(night.latest.get(key, ""))
    number = body.get("number") or _next_number(night, last)
    if same := night.entries.get(night.numbered.get((key, number), "")):
        night.aliases[action.id] = same.id
        same.paid = max(same.paid, body.get("paid") or 0)
        if None not in {same.player, body.get("player")} and same.player != body["player"]:
            _ask(night, "same_name", [same.id, action.id], [same.id], [IGNORE], choices)
        same.player = body.get("player") if same.player is None else same.player
        return
    night.numbered[key, number] = action.id
    night.entries[action.id] = Entry(
        id=action.id,
        name=last.name if last else body["name"],
        key=key,
        number=number,
        player=body.get("player"),
        at_ms=action.at_ms,
        stack=body.get("stack"),
        cost=body.get("cost") or 0,
        paid=body.get("paid") or 0,
    )
    if last is not None and night.exit_of(last) is None:
        _ask(night, "in_twice", [last.id, action.id], [last.id, action.id], [IGNORE], choices)
    if last is None or number > last.number:
        night.latest[key] = action.id


def _next_number(night: Night, last: Entry | None) -> int:
    """Number an entry that does not say: that of the last one while it is in, else the next."""
    if last is None:
        return 1
    return last.number if night.exit_of(last) is None else last.number + 1


def _out(night: Night, action: Action, choices: Mapping[str, str], reported: dict[str, list[str]]) -> None:
    """Put the groups of one hand out, first out first; those of a group are tied."""
    for group in action.body["groups"]:
        new, again = _sorted_out(night, action, group, choices)
        for entry in again:
            if _is_again(night, action, entry, choices, reported) and entry not in new:
                new.append(entry)
        if again and new and len(again) + len(new) == len(set(group)) and len(group) > 1:
            entries = [entry.id for entry in [*again, *new]]
            _ask(night, "tied", [action.id], entries, [IGNORE], choices)
        own = reported.setdefault(action.device, [])
        own += [entry.id for entry in [*again, *new] if entry.id not in own]
        _leave(night, action, new, choices)


def _sorted_out(
    night: Night, action: Action, group: Iterable[str], choices: Mapping[str, str]
) -> tuple[list[Entry], list[Entry]]:
    """Divide the entries of a group into those that are in and those that are out already."""
    new: list[Entry] = []
    again: list[Entry] = []
    for entry_id in dict.fromkeys(group):
        entry = night.find(entry_id)
        if entry is None:
            _ask(night, "unknown", [action.id], [entry_id], [IGNORE], choices)
        elif night.exit_of(entry):
            again += [entry] if entry not in again else []
        elif entry not in new:
            new.append(entry)
    return new, again


def _is_again(
    night: Night,
    action: Action,
    entry: Entry,
    choices: Mapping[str, str],
    reported: Mapping[str, Sequence[str]],
) -> bool:
    """Take a second recording of an entry that is out; True if it goes out here instead of there."""
    first = night.exit_of(entry)
    assert first is not None
    is_near = action.at_ms - first.at_ms <= SEEN_BY_TWO
    if is_near and (action.device in first.devices or _agrees(night, first, action.device, reported)):
        first.devices += [action.device] if action.device not in first.devices else []
        return False
    kind = "order" if is_near else "twice"
    if _ask(night, kind, [first.action, action.id], [entry.id], [FIRST, SECOND], choices) != SECOND:
        return False
    first.entries.remove(entry.id)
    del night.exit_by_entry[entry.id]
    night.exits = [each for each in night.exits if each.entries]
    return True


def _agrees(night: Night, first: Exit, device: str, reported: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether a device has reported nobody who went out after this exit: then its order is the same."""
    own = reported.get(device, ())
    own_exits = {id(night.exit_by_entry[entry_id]) for entry_id in own if entry_id in night.exit_by_entry}
    later = night.exits[next(i for i, each in enumerate(night.exits) if each is first) + 1 :]
    return not any(id(each) in own_exits for each in later)


def _leave(
    night: Night,
    action: Action,
    entries: Sequence[Entry],
    choices: Mapping[str, str],
    *,
    may_be_last: bool = False,
) -> None:
    """Put entries out together. Somebody has to stay, unless the last ones are tied or share in a deal."""
    if not entries:
        return
    if night.n_in <= len(entries) and not may_be_last and len(entries) < 2:  # noqa: PLR2004  one alone
        _ask(night, "last_one", [action.id], [entries[0].id], [IGNORE], choices)
        return
    left = Exit([entry.id for entry in entries], action.at_ms, action.id, [action.device])
    night.exits.append(left)
    for entry in entries:
        night.exit_by_entry[entry.id] = left
        entry.seat = None


def _by(night: Night, action: Action, choices: Mapping[str, str]) -> None:
    """Say who put an entry out; the last one counts, and two devices that differ are asked about."""
    target, hunter_id = night.find(action.body["target"]), action.body.get("by")
    hunter = night.find(hunter_id) if hunter_id else None
    if target is None or (hunter_id and hunter is None):
        missing = action.body["target"] if target is None else str(hunter_id)
        _ask(night, "unknown", [action.id], [missing], [IGNORE], choices)
        return
    new = hunter.id if hunter else None
    if target.by and new and target.by != new and target.by_device != action.device:
        _ask(night, "by", [action.id], [target.id, target.by, new], [IGNORE], choices)
    target.by, target.by_device = new, action.device


def _tie(night: Night, action: Action, choices: Mapping[str, str]) -> None:
    """Declare entries tied that went out one after the other."""
    found = [night.find(entry_id) for entry_id in dict.fromkeys(action.body["targets"])]
    entries = [entry for entry in found if entry]
    own = {id(night.exit_of(entry)) for entry in entries if night.exit_of(entry)}
    places = [i for i, each in enumerate(night.exits) if id(each) in own]
    exits = [night.exits[i] for i in places]
    are_all_out = len(entries) == len(found) and all(night.exit_of(entry) for entry in entries)
    if not are_all_out or not places or places[-1] - places[0] >= len(places):
        _ask(night, "not_together", [action.id], action.body["targets"], [IGNORE], choices)
        return
    first = exits[0]
    for other in exits[1:]:
        first.entries += other.entries
        first.devices += [device for device in other.devices if device not in first.devices]
        night.exit_by_entry |= dict.fromkeys(other.entries, first)
    night.exits = [each for each in night.exits if each is first or id(each) not in own]


def _chop(night: Night, action: Action, choices: Mapping[str, str]) -> None:
    """Take a deal: the money, and places if it has any. The last deal counts."""
    night.deal = {"action": action.id} | {
        name: action.body.get(name) for name in ("method", "stacks", "money", "kept", "agreed")
    }
    for group in action.body.get("groups") or []:
        new, _again = _sorted_out(night, action, group, choices)
        _leave(night, action, new, choices, may_be_last=True)


def _buy(night: Night, action: Action, choices: Mapping[str, str]) -> None:
    entry = night.find(action.body["entry"])
    if entry is None:
        _ask(night, "unknown", [action.id], [action.body["entry"]], [IGNORE], choices)
        return
    entry.cost += action.body.get("cost") or 0
    entry.paid += action.body.get("paid") or 0
    n = action.body.get("count") or 1
    if action.kind == "buy":
        entry.n_rebuys += n if action.body["kind"] == "rebuy" else 0
        entry.n_addons += n if action.body["kind"] == "addon" else 0


def _clock(night: Night, action: Action, _choices: Mapping[str, str]) -> None:
    """Keep level and time left as they were when the clock was last touched."""
    before = night.clock or {"is_running": False, "level": 0, "left_ms": None}
    given = {name: action.body[name] for name in ("level", "left_ms") if action.body.get(name) is not None}
    is_running = {"start": True, "resume": True, "pause": False}.get(action.body["op"], before["is_running"])
    night.clock = before | given | {"is_running": is_running, "at_ms": action.at_ms}
    if action.body["op"] == "start" and night.started_at_ms is None:
        night.started_at_ms = action.at_ms


def _seat(night: Night, action: Action, choices: Mapping[str, str]) -> None:
    """Seat entries, all of a draw or a move together or none."""
    rows = action.body["seats" if action.kind == "draw" else "moves"]
    found = [(night.find(entry_id), (table, seat)) for entry_id, table, seat in rows]
    moved = {entry.id for entry, _seat in found if entry}
    taken = {entry.seat for entry in night.still_in if entry.id not in moved and entry.seat}
    seats = [seat for _entry, seat in found]
    if any(entry is None or night.exit_of(entry) for entry, _seat in found) or len(moved) < len(found):
        _ask(night, "unknown", [action.id], [row[0] for row in rows], [IGNORE], choices)
    elif len(set(seats)) < len(seats) or taken & set(seats):
        _ask(night, "seat_taken", [action.id], [row[0] for row in rows], [IGNORE], choices)
    else:
        for entry, seat in found:
            if entry:
                entry.seat = seat


def _setup(night: Night, action: Action, _choices: Mapping[str, str]) -> None:
    night.setup = dict(action.body)


def _levels(night: Night, action: Action, _choices: Mapping[str, str]) -> None:
    night.levels = action.body["levels"]


def _stage(night: Night, action: Action, _choices: Mapping[str, str]) -> None:
    night.stage = action.body["to"]


def _ask_in(night: Night, action: Action, choices: Mapping[str, str]) -> None:
    """Show a player's own check-in as a question: a typed name checks nobody in."""
    night.asked_in.append(action.id)
    if person_key(action.body["name"]) not in night.latest:
        _ask(night, "wants_in", [action.id], [action.body["name"]], [IGNORE], choices)


APPLIES: Mapping[str, Callable[[Night, Action, Mapping[str, str]], None]] = MappingProxyType(
    {
        "enter": _enter,
        "ask_in": _ask_in,
        "buy": _buy,
        "pay": _buy,
        "by": _by,
        "tie": _tie,
        "chop": _chop,
        "clock": _clock,
        "draw": _seat,
        "move": _seat,
        "setup": _setup,
        "levels": _levels,
        "stage": _stage,
    }
)
