"""What gives seats to the entries of a night: draws and moves."""

from live.engine.actions import Action
from live.engine.state import FIRST, IGNORE, SECOND, SEEN_BY_TWO, Choices, Night, ask


def draw(night: Night, action: Action, _choices: Choices) -> None:
    """Give drawn seats to those who are in; what was undone meanwhile is left out.

    Somebody who sits there was brought back after the seat had been drawn for another one, and gets a new seat.
    """
    for entry_id, table, seat in action.body["seats"]:
        entry = night.find(entry_id)
        if entry is None or night.exit_of(entry) or entry.seat is not None:
            continue
        for other in night.still_in:
            if other.seat == (table, seat):
                other.seat = other.moved = None
                other.has_seen = False
        entry.seat = (table, seat)


def move(night: Night, action: Action, choices: Choices) -> None:
    """Move entries, all of them together or none. Moved on two phones at once, the first move stands until asked."""
    rows = action.body["moves"]
    found = [(night.find(entry_id), (table, seat)) for entry_id, table, seat in rows]
    moved = {entry.id for entry, _seat in found if entry}
    taken = {entry.seat for entry in night.still_in if entry.id not in moved and entry.seat}
    seats = [seat for _entry, seat in found]
    ids = [row[0] for row in rows]
    if any(entry is None or night.exit_of(entry) for entry, _seat in found) or len(moved) < len(found):
        ask(night, "unknown", [action.id], ids, [IGNORE], choices)
        return
    if len(set(seats)) < len(seats) or taken & set(seats):
        ask(night, "seat_taken", [action.id], ids, [IGNORE], choices)
        return
    for entry, seat in found:
        if entry and entry.seat != seat and (before := night.moves.get(entry.moved or "")):
            is_near = action.at_ms - before.at_ms <= SEEN_BY_TWO
            if before.device != action.device and is_near:
                asked = [before.id, action.id]
                if ask(night, "moved_twice", asked, [entry.id], [FIRST, SECOND], choices) != SECOND:
                    return
    night.moves[action.id] = action
    for entry, seat in found:
        if entry:
            entry.has_seen = entry.has_seen and entry.seat == seat
            entry.seat, entry.moved = seat, action.id


def say_big_blind(night: Night, action: Action, _choices: Choices) -> None:
    """Take who is big blind at a table, and when; without an entry it is not known any more."""
    night.big_blinds.pop(action.body["table"], None)
    if action.body.get("entry"):
        night.big_blinds[action.body["table"]] = (action.body["entry"], action.at_ms)


def see_move(night: Night, action: Action, _choices: Choices) -> None:
    if entry := night.find(action.body["entry"]):
        entry.has_seen = True
