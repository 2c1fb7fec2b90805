"""Actions of a night's log: what a phone has recorded, once and for all.

An action is read strictly: what does not have the form of its kind is held, with the reason, and never guessed at. Sums
of money are whole numbers of the smallest unit, so that every program adds them alike.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from live.engine.clock import LONGEST_MS

MOST_ENTRIES_OF_A_HAND = 100
MOST_LETTERS = 500
MOST_BYTES = 4096
LATEST_MS = 253_402_300_799_999  # the end of the year 9999
LARGEST = 2**53 - 1  # that programs in JavaScript count exactly
IDENTIFYING = ("id", "device", "kind")
METHODS = ("even", "chips", "icm")
PURCHASES = ("rebuy", "addon")
CLOCK_OPS = ("start", "pause", "resume", "jump", "add")
OF_THE_SITE = frozenset({"seed", "draw", "envelope"})  # drawn by the site, so that nobody can choose them
OF_THE_CLOCK = frozenset({"clock", "levels"})
SEATING = ("drawn", "free")
MOST_LEVELS = 100
LEAST_SEATS, MOST_SEATS = 2, 20  # of a table
MOST_TABLES = 999
FORMATS = ("tournament", "cash")
BOUNTIES = ("fixed", "progressive", "mystery", "leader")


class BadActionError(ValueError):
    """An action without the form of its kind; the text says what is wrong with it."""


@dataclass(frozen=True)
class Action:
    """One thing that was tapped on a device.

    Attributes
    ----------
    id : str
        Made by the device; of an `enter` also the id of the entry.
    device : str
    counter : int
        The device's own count of its actions, from 1.
    kind : str
        One of `KINDS`.
    body : mapping
        What the kind needs; see `KINDS`.
    at_ms : int
        When it happened, milliseconds since 1970 (`live.engine.order.recorded_at`).
    received_ms : int or None
        When the server got it; None where nobody sent it.
    """

    id: str
    device: str
    counter: int
    kind: str
    body: Mapping[str, Any]
    at_ms: int
    received_ms: int | None = None

    @property
    def came_ms(self) -> int:
        """Tell when it became known."""
        return self.at_ms if self.received_ms is None else self.received_ms

    @property
    def place_in_time(self) -> tuple[int, str, int, str]:
        return (self.at_ms, self.device, self.counter, self.id)


def is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MOST_LETTERS


def _is_long_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MOST_BYTES


def is_moment(value: object) -> bool:
    return is_count(value) and int(value) <= LATEST_MS  # type: ignore[call-overload]  # a count


def is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_list_of_ids(value: object) -> bool:
    return isinstance(value, list) and 0 < len(value) <= MOST_ENTRIES_OF_A_HAND and all(map(is_text, value))


def _is_groups(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_ENTRIES_OF_A_HAND
        and all(map(_is_list_of_ids, value))
        and sum(map(len, value)) <= MOST_ENTRIES_OF_A_HAND
    )


def _is_hand(value: object) -> bool:
    return bool(value) and _is_groups(value)


def _is_sums(value: object) -> bool:
    return (
        isinstance(value, dict)
        and len(value) <= MOST_ENTRIES_OF_A_HAND
        and all(is_text(key) and is_count(amount) for key, amount in value.items())
    )


def _is_place(value: object) -> bool:
    """Tell whether a value is a table and a seat."""
    most = (MOST_TABLES, MOST_SEATS)
    return (
        isinstance(value, list)
        and len(value) == len(most)
        and all(is_count(n) and 0 < n <= limit for n, limit in zip(value, most, strict=True))
    )


def _is_seat(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3  # noqa: PLR2004  entry, table, seat
        and is_text(value[0])
        and _is_place(value[1:])
    )


def _is_stack(value: object) -> bool:
    """Tell whether a value is a name and the stack that it begins with."""
    return isinstance(value, list) and len(value) == 2 and is_text(value[0]) and is_count(value[1])  # noqa: PLR2004


def _is_seats(value: object) -> bool:
    return isinstance(value, list) and 0 < len(value) <= MOST_ENTRIES_OF_A_HAND and all(map(_is_seat, value))


def _is_list_of(check: Callable[[object], bool], most: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(check, value))


def _is_draw(value: object) -> bool:
    """Tell whether a value is a draw: its number, the seats it chose from, and the seat."""
    return (
        isinstance(value, list)
        and len(value) == 3  # noqa: PLR2004  number, seats, seat
        and is_count(value[0])
        and _is_list_of(_is_place, MOST_BYTES)(value[1])
        and _is_place(value[2])
    )


def _is_level(value: object) -> bool:
    """Tell whether a value is a level: how long it lasts, and blinds or a break."""
    return (
        isinstance(value, dict)
        and is_count(value.get("ms"))
        and 0 < value["ms"] <= LONGEST_MS
        and all(_or_nothing(is_count)(value.get(name)) for name in ("sb", "bb", "ante"))
        and _or_nothing(_is_flag)(value.get("is_break"))
        and _or_nothing(_is_list_of(is_count, MOST_LEVELS))(value.get("gone"))
    )


def are_levels(value: object) -> bool:
    """Tell whether a value is a list of levels as the log has them."""
    return _is_list_of(_is_level, MOST_LEVELS)(value)


def _is_size(value: object) -> bool:
    return is_count(value) and LEAST_SEATS <= value <= MOST_SEATS  # type: ignore[operator]  # a count


def _is_bounty(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.get("kind") in BOUNTIES
        and is_count(value.get("amount"))
        and _or_nothing(_is_list_of(is_count, MOST_ENTRIES_OF_A_HAND))(value.get("envelopes"))
        and _or_nothing(_is_list_of(is_text, MOST_ENTRIES_OF_A_HAND))(value.get("on"))
    )


def _is_mapping(value: object) -> bool:
    return isinstance(value, dict)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _one_of(*names: str) -> Callable[[object], bool]:
    return lambda value: value in names


def _or_nothing(check: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or check(value)


Form = Mapping[str, Callable[[object], bool]]
# The fields of each kind's body: needed ones, and ones that may be missing or null. Others are kept and mean nothing.
KINDS: Mapping[str, tuple[Form, Form]] = MappingProxyType(
    {
        "setup": (
            {},
            {
                "format": _one_of(*FORMATS),
                "stack": is_count,
                "closing_level": is_count,
                "cost": is_count,
                "fee": is_count,
                "rebuy": is_count,
                "addon": is_count,
                "addon_chips": is_count,
                "guarantee": is_count,
                "payouts": _is_list_of(is_count, MOST_ENTRIES_OF_A_HAND),
                "expected": is_count,
                "seating": _one_of(*SEATING),
                "table_size": _is_size,
                "final_size": _is_size,
                "own_stacks": _is_list_of(_is_stack, MOST_ENTRIES_OF_A_HAND),
                "fixed": _is_list_of(_is_seat, MOST_ENTRIES_OF_A_HAND),
                "bounty": _is_bounty,
                "self_in": _is_flag,
                "self_out": _is_flag,
            },
        ),
        "seed": ({"sha256": is_text}, {}),
        "levels": ({"levels": are_levels}, {"first": is_count}),
        "enter": (
            {"name": is_text},
            {
                "player": is_count,
                "number": is_count,
                "stack": is_count,
                "cost": is_count,
                "paid": is_count,
                "ask": is_text,
            },
        ),
        "ask_in": ({"name": is_text}, {"player": is_count}),
        "ask_out": ({"entry": is_text}, {}),
        "buy": (
            {"entry": is_text, "kind": _one_of(*PURCHASES)},
            {"count": is_count, "chips": is_count, "cost": is_count, "paid": is_count},
        ),
        "pay": ({"entry": is_text, "paid": _is_whole}, {}),
        "cash_out": ({"entry": is_text, "amount": is_count}, {}),
        "out": ({"groups": _is_hand}, {}),
        "by": ({"target": is_text}, {"by": is_text}),
        "tie": ({"targets": _is_list_of_ids}, {}),
        "chop": (
            {"method": _one_of(*METHODS)},
            {
                "groups": _is_groups,
                "stacks": _is_sums,
                "money": _is_sums,
                "kept": is_count,
                "agreed": _is_list,
            },
        ),
        "clock": ({"op": _one_of(*CLOCK_OPS)}, {"level": is_count, "left_ms": _is_whole}),
        "draw": ({"seats": _is_seats}, {"i": is_count, "free": _is_list_of(_is_place, MOST_BYTES)}),
        "envelope": (
            {"entry": is_text, "amount": is_count},
            {"i": is_count, "of": _is_list_of(is_count, MOST_ENTRIES_OF_A_HAND + 1)},
        ),
        "move": (
            {"moves": _is_seats},
            {"why": is_text, "draws": _is_list_of(_is_draw, MOST_ENTRIES_OF_A_HAND)},
        ),
        "button": ({"table": is_count}, {"entry": is_text}),
        "seen_move": ({"entry": is_text}, {}),
        "round": ({"n": is_count}, {}),
        "score": ({"round": is_count, "table": is_count}, {}),
        "stacks": ({"stacks": _is_sums}, {"table": is_count}),
        "bonus": ({"entry": is_text, "points": _is_whole}, {"reason": is_text}),
        "void": ({"target": is_text, "on": _is_flag}, {}),
        "order": ({"target": is_text}, {"before": is_text}),
        "settle": ({"question": _is_long_text, "choice": is_text}, {}),
        "admit": (
            {"action": is_text},
            {"kind": is_text, "body": _is_mapping, "at_ms": is_moment, "device": is_text},
        ),
        "stage": ({"to": is_text}, {}),
        "note": ({"text": is_text}, {}),
    }
)


def read_action(raw: object) -> Action:
    """Read an action from JSON.

    Raises
    ------
    BadActionError
        If anything of it does not have the form of its kind.
    """
    if not isinstance(raw, dict):
        raise BadActionError("not an object")
    for name in IDENTIFYING:
        if not is_text(raw.get(name)):
            raise BadActionError(f"{name} must be a text")
    for name, least in (("counter", 1), ("at_ms", 0)):
        if not is_moment(raw.get(name)) or raw[name] < least:
            raise BadActionError(f"{name} must be a whole number from {least}")
    kind, body = raw["kind"], raw.get("body", {})
    _require_form(kind, body)
    received = raw.get("received_ms")
    if not _or_nothing(is_moment)(received):
        raise BadActionError("received_ms must be a whole number from 0")
    return Action(raw["id"], raw["device"], raw["counter"], kind, body, raw["at_ms"], received)


def _require_form(kind: str, body: object) -> None:
    """Raise BadActionError unless a body has the form of its kind."""
    if kind not in KINDS:
        raise BadActionError(f"unknown kind {kind}")
    if not isinstance(body, dict):
        raise BadActionError("body must be an object")
    _require_small(body)
    needed, possible = KINDS[kind]
    for name, check in needed.items():
        if not check(body.get(name)):
            raise BadActionError(f"body.{name} of {kind} is missing or wrong")
    for name, check in possible.items():
        if not _or_nothing(check)(body.get(name)):
            raise BadActionError(f"body.{name} of {kind} is wrong")


def _require_small(body: Mapping[str, Any]) -> None:
    try:
        n_bytes = len(canonical(body).encode("utf-8", "surrogatepass"))
    except RecursionError as error:
        raise BadActionError("body is nested too deeply") from error
    if n_bytes > MOST_BYTES:
        raise BadActionError(f"body is longer than {MOST_BYTES} bytes")


def canonical(value: object) -> str:
    """Write JSON in one way only: keys in order, no spaces, letters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def content_of(action: Action) -> str:
    """Write what an action says; the same id with other content is another action."""
    return canonical([action.id, action.device, action.counter, action.kind, action.body])
