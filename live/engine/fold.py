"""Go through a night's actions in order: who is in, who went out when, who owes, where they sit, what is asked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from live.engine.actions import Action
from live.engine.clock import gone_of
from live.engine.seating import draw, move, say_big_blind, see_move
from live.engine.state import (
    FIRST,
    IGNORE,
    SECOND,
    SEEN_BY_TWO,
    YES,
    Ask,
    Choices,
    Entry,
    Exit,
    Night,
    ask,
    person_key,
)
from live.engine.timing import is_closed, late_touches, set_levels, touch


def fold(actions: Sequence[Action]) -> Night:
    """Apply actions that stand, in their order. Choices of the organizer are known from the beginning."""
    setups = [action.body for action in actions if action.kind == "setup"]
    night = Night(late=late_touches(actions), is_cash=bool(setups) and setups[-1].get("format") == "cash")
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
    _ask_at_the_end(night, choices)
    return night


def _enter(night: Night, action: Action, choices: Choices) -> None:
    """Enter a player; the same entry recorded twice is one, and a player who is out enters again."""
    body, key = action.body, person_key(action.body["name"])
    last = night.entries.get(night.latest.get(key, ""))
    number = body.get("number") or _next_number(night, last)
    if same := night.entries.get(night.numbered.get((key, number), "")):
        night.aliases[action.id] = same.id
        same.paid = max(same.paid, body.get("paid") or 0)
        if None not in {same.player, body.get("player")} and same.player != body["player"]:
            ask(night, "same_name", [same.id, action.id], [same.id], [IGNORE], choices)
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
    if asked := night.asks.get(body.get("ask") or ""):
        asked.entry = action.id
    if is_closed(night, action.at_ms):
        ask(night, "after_closing", [action.id], [action.id], [IGNORE], choices)
    if last is not None and night.exit_of(last) is None:
        ask(night, "in_twice", [last.id, action.id], [last.id, action.id], [IGNORE], choices)
    if last is None or number > last.number:
        night.latest[key] = action.id


def _next_number(night: Night, last: Entry | None) -> int:
    """Number an entry that does not say: that of the last one while it is in, else the next."""
    if last is None:
        return 1
    return last.number if night.exit_of(last) is None else last.number + 1


def _out(night: Night, action: Action, choices: Choices, reported: dict[str, list[str]]) -> None:
    """Put the groups of one hand out, first out first; those of a group are tied."""
    for group in action.body["groups"]:
        new, again = _sorted_out(night, action, group, choices)
        for entry in again:
            if _is_again(night, action, entry, choices, reported) and entry not in new:
                new.append(entry)
        if again and new and len(again) + len(new) == len(set(group)) and len(group) > 1:
            entries = [entry.id for entry in [*again, *new]]
            ask(night, "tied", [action.id], entries, [IGNORE], choices)
        own = reported.setdefault(action.device, [])
        own += [entry.id for entry in [*again, *new] if entry.id not in own]
        _leave(night, action, new, choices)


def _sorted_out(
    night: Night, action: Action, group: Iterable[str], choices: Choices
) -> tuple[list[Entry], list[Entry]]:
    """Divide the entries of a group into those that are in and those that are out already."""
    new: list[Entry] = []
    again: list[Entry] = []
    for entry_id in dict.fromkeys(group):
        entry = night.find(entry_id)
        if entry is None:
            ask(night, "unknown", [action.id], [entry_id], [IGNORE], choices)
        elif night.exit_of(entry):
            again += [entry] if entry not in again else []
        elif entry not in new:
            new.append(entry)
    return new, again


def _is_again(
    night: Night,
    action: Action,
    entry: Entry,
    choices: Choices,
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
    if ask(night, kind, [first.action, action.id], [entry.id], [FIRST, SECOND], choices) != SECOND:
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
    choices: Choices,
    *,
    may_be_last: bool = False,
) -> None:
    """Put entries out together. Somebody has to stay, unless the last ones are tied or share in a deal."""
    if not entries:
        return
    if night.n_in <= len(entries) and not may_be_last and len(entries) < 2:  # noqa: PLR2004  one alone
        ask(night, "last_one", [action.id], [entries[0].id], [IGNORE], choices)
        return
    gone_ms = gone_of(night.levels, night.clock, action.at_ms)
    left = Exit([entry.id for entry in entries], action.at_ms, action.id, [action.device], gone_ms)
    night.exits.append(left)
    for entry in entries:
        night.exit_by_entry[entry.id] = left
        entry.seat = entry.moved = None
        entry.has_seen = True


def _cash_out(night: Night, action: Action, choices: Choices) -> None:
    """Let an entry leave a cash table with what it has; of several counts the last one is right."""
    entry = night.find(action.body["entry"])
    if entry is None:
        ask(night, "unknown", [action.id], [action.body["entry"]], [IGNORE], choices)
        return
    if not night.is_cash:
        ask(night, "no_cash", [action.id], [entry.id], [IGNORE], choices)
        return
    entry.cashed = action.body["amount"]
    if night.exit_of(entry) is None:
        _leave(night, action, [entry], choices, may_be_last=True)


def _by(night: Night, action: Action, choices: Choices) -> None:
    """Say who put an entry out; the last one counts, and two devices that differ are asked about."""
    target, hunter_id = night.find(action.body["target"]), action.body.get("by")
    hunter = night.find(hunter_id) if hunter_id else None
    if target is None or (hunter_id and hunter is None):
        missing = action.body["target"] if target is None else str(hunter_id)
        ask(night, "unknown", [action.id], [missing], [IGNORE], choices)
        return
    new = hunter.id if hunter and hunter is not target else None
    if target.by and new and target.by != new and target.by_device != action.device:
        ask(night, "by", [action.id], [target.id, target.by, new], [IGNORE], choices)
    target.by, target.by_device = new, action.device


def _tie(night: Night, action: Action, choices: Choices) -> None:
    """Declare entries tied that went out one after the other."""
    found = [night.find(entry_id) for entry_id in dict.fromkeys(action.body["targets"])]
    entries = [entry for entry in found if entry]
    own = {id(night.exit_of(entry)) for entry in entries if night.exit_of(entry)}
    places = [i for i, each in enumerate(night.exits) if id(each) in own]
    exits = [night.exits[i] for i in places]
    are_all_out = len(entries) == len(found) and all(night.exit_of(entry) for entry in entries)
    if not are_all_out or not places or places[-1] - places[0] >= len(places):
        ask(night, "not_together", [action.id], action.body["targets"], [IGNORE], choices)
        return
    first = exits[0]
    for other in exits[1:]:
        first.entries += other.entries
        first.devices += [device for device in other.devices if device not in first.devices]
        night.exit_by_entry |= dict.fromkeys(other.entries, first)
    night.exits = [each for each in night.exits if each is first or id(each) not in own]


def _chop(night: Night, action: Action, choices: Choices) -> None:
    """Take a deal: the money, and places if it has any. The last deal counts."""
    night.deal = {"action": action.id} | {
        name: action.body.get(name) for name in ("method", "stacks", "money", "kept", "agreed")
    }
    for group in action.body.get("groups") or []:
        new, _again = _sorted_out(night, action, group, choices)
        _leave(night, action, new, choices, may_be_last=True)


def _buy(night: Night, action: Action, choices: Choices) -> None:
    entry = night.find(action.body["entry"])
    if entry is None:
        ask(night, "unknown", [action.id], [action.body["entry"]], [IGNORE], choices)
        return
    entry.cost += action.body.get("cost") or 0
    entry.paid += action.body.get("paid") or 0
    n = action.body.get("count") or 1
    if action.kind == "buy":
        entry.n_rebuys += n if action.body["kind"] == "rebuy" else 0
        entry.n_addons += n if action.body["kind"] == "addon" else 0
        if chips := action.body.get("chips"):
            entry.more_chips += n * chips
        else:
            entry.n_stacks += n


def _stacks(night: Night, action: Action, choices: Choices) -> None:
    """Take counted stacks; a count of who is not in is asked about."""
    for entry_id, chips in sorted(action.body["stacks"].items()):
        entry = night.find(entry_id)
        if entry is None:
            ask(night, "unknown", [action.id], [entry_id], [IGNORE], choices)
        else:
            night.stacks[entry.id] = chips


def _envelope(night: Night, action: Action, _choices: Choices) -> None:
    """Open the envelope of somebody who was put out; it stays open, whatever is undone."""
    if entry := night.find(action.body["entry"]):
        night.envelopes.setdefault(entry.id, action.body["amount"])


def _bonus(night: Night, action: Action, choices: Choices) -> None:
    entry = night.find(action.body["entry"])
    if entry is None:
        ask(night, "unknown", [action.id], [action.body["entry"]], [IGNORE], choices)
        return
    bonus = {"entry": entry.id, "points": action.body["points"], "reason": action.body.get("reason") or ""}
    night.bonuses.append(bonus)


def _seed(night: Night, action: Action, _choices: Choices) -> None:
    night.seed = {"sha256": action.body["sha256"]}


def _setup(night: Night, action: Action, _choices: Choices) -> None:
    night.setup = dict(action.body)


def _stage(night: Night, action: Action, _choices: Choices) -> None:
    night.stage = action.body["to"]


def _ask_in(night: Night, action: Action, _choices: Choices) -> None:
    """Note who asks to be checked in: a typed name checks nobody in."""
    night.asks[action.id] = Ask(action.id, action.body["name"], action.device, action.body.get("player"))


def _ask_out(night: Night, action: Action, _choices: Choices) -> None:
    """Ask the desk about a player who says to be out; it is over once somebody has recorded it."""
    entry = night.find(action.body["entry"])
    if entry and not night.exit_of(entry):
        night.says_out[entry.id] = action.id


def _ask_at_the_end(night: Night, choices: Choices) -> None:
    """Ask about those who asked to be checked in or to be out, and have not been."""
    for asked in night.asks.values():
        if asked.entry is not None:
            continue
        own = night.entries.get(night.latest.get(person_key(asked.name), ""))
        if own is None or night.exit_of(own):
            ask(night, "wants_in", [asked.id], [asked.name], [IGNORE], choices)
        elif ask(night, "is_it_you", [asked.id], [own.id], [YES, IGNORE], choices) == YES:
            asked.entry = own.id
    for entry_id, action_id in night.says_out.items():
        if entry_id not in night.exit_by_entry:
            ask(night, "says_out", [action_id], [entry_id], [IGNORE], choices)


APPLIES: Mapping[str, Callable[[Night, Action, Mapping[str, str]], None]] = MappingProxyType(
    {
        "enter": _enter,
        "ask_in": _ask_in,
        "ask_out": _ask_out,
        "buy": _buy,
        "pay": _buy,
        "cash_out": _cash_out,
        "by": _by,
        "tie": _tie,
        "chop": _chop,
        "clock": touch,
        "draw": draw,
        "move": move,
        "button": say_big_blind,
        "seen_move": see_move,
        "stacks": _stacks,
        "bonus": _bonus,
        "envelope": _envelope,
        "seed": _seed,
        "setup": _setup,
        "levels": set_levels,
        "stage": _stage,
    }
)
