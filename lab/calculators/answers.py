"""Results of `vpip` and `decide`, shared by the command line and the API; options are texts as they were typed."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from lab.engine.errors import EngineError
from lab.engine.noise import choice_shares
from lab.engine.utility import (
    LEAST_PADDING,
    MOST_PADDING,
    PADDING,
    STREETS,
    Spot,
    Style,
    decide,
)
from payouts.answers import Answer
from ratings.engine import errors
from ratings.engine.vpip import (
    LEAST_SEATS,
    MOST_SEATS,
    TableVpip,
    VpipParams,
    moved_ranges,
    table_vpip,
    with_limp_in,
)

AVERAGE = "average"  # in place of a position: the whole table
VPIP_DIGITS = 6  # of a percentage; more would only show how floats are stored
VPIP_DEFAULTS: Mapping[str, str] = {name: f"{value:g}" for name, value in asdict(VpipParams()).items()}
ALL_SEATS = f"{LEAST_SEATS}-{MOST_SEATS}"
# Options of a decision and the names that the engine has for them.
SPOT_OPTIONS: Mapping[str, str] = {
    "p": "p",
    "n": "n",
    "own": "own",
    "in": "paid",
    "call": "call",
    "raise": "min_raise",
    "folded": "folded",
}
STYLE_OPTIONS: Mapping[str, str] = {
    "gamma": "gamma",
    "style": "loose_preflop",
    "river": "loose_river",
    "inconsistency": "inconsistency",
    "bias": "bias",
    "noise": "noise",
}
# On every street as loose as before the flop, unless `river` says otherwise; no padding unless all may be lost.
STYLE_DEFAULTS: Mapping[str, str] = {
    "gamma": "1", "style": "0", "river": "", "inconsistency": "0", "bias": "0", "noise": "0",
}  # fmt: skip
WHERE_DEFAULTS: Mapping[str, str] = {"street": "preflop", "padding": ""}
DECIDE_DEFAULTS: Mapping[str, str] = {**STYLE_DEFAULTS, **WHERE_DEFAULTS}
OPTION_OF: Mapping[str, str] = {
    name: option for options in (SPOT_OPTIONS, STYLE_OPTIONS) for option, name in options.items()
}
PERCENT = 100.0
# Whether the small blind also limps in when all before it fold.
LIMPS: Mapping[str, Callable[[VpipParams, int], TableVpip]] = {"0": table_vpip, "1": with_limp_in}
LIMP_DEFAULT = "0"
STRATEGY_OPTIONS = ("strategy", "ranges", "to")


def vpip_answer(options: Mapping[str, Any]) -> Answer:
    """List VPIP by table size and position; EngineError names an invalid option."""
    params = params_of(options)
    vpip_at = table_of(options)
    tables = [vpip_at(params, seats) for seats in seats_of(options["seats"])]
    head: dict[str, object] = {**asdict(params), "seats": options["seats"]}
    rows: list[tuple[int | str | float, ...]] = []
    for table in tables:
        shares = zip(table.positions, table.vpip.tolist(), strict=True)
        rows += [(table.seats, position, round(share, VPIP_DIGITS)) for position, share in shares]
        rows.append((table.seats, AVERAGE, round(table.average, VPIP_DIGITS)))
    if strategy := strategy_of(options):
        head["strategy"] = strategy
        rows += [("", f"range {i}", share) for i, share in enumerate(strategy["moved"], 1)]
    return Answer(head, ("seats", "position", "vpip"), rows)


def params_of(options: Mapping[str, Any]) -> VpipParams:
    """Read a tendency to play hands; EngineError names an invalid option."""
    values = {name: number(name, options[name]) for name in VPIP_DEFAULTS}
    with errors_by_option():
        return VpipParams(**values)


def table_of(options: Mapping[str, Any]) -> Callable[[VpipParams, int], TableVpip]:
    """Read the option `limp`, one of LIMPS; raise EngineError for any other value."""
    limp = str(options.get("limp") or LIMP_DEFAULT).strip()
    if limp not in LIMPS:
        raise EngineError("limp", "unknown_choice", known=", ".join(LIMPS), got=limp)
    return LIMPS[limp]


def strategy_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Move the given ranges to a new total, nothing if none are given; EngineError names an invalid option."""
    if not any(options.get(name) for name in STRATEGY_OPTIONS):
        return {}
    for name in STRATEGY_OPTIONS:
        if not options.get(name):
            raise EngineError(name, "not_finite", got="nothing")
    ranges = [number("ranges", text) for text in options["ranges"].split(",")]
    s, total = number("strategy", options["strategy"]), number("to", options["to"])
    with errors_by_option():
        moved = [round(share, VPIP_DIGITS) for share in moved_ranges(ranges, total, s).tolist()]
    return {"s": s, "ranges": ranges, "to": total, "moved": moved}


def decide_answer(options: Mapping[str, Any]) -> dict[str, object]:
    """Decide as the options describe; EngineError names an invalid option."""
    options = {**DECIDE_DEFAULTS, **options}
    spot, style, street = spot_of(options), style_of(options), street_of(options)
    padding = padding_of(spot, options)
    found = decide(spot, style, street, padding=padding)
    utilities = {"fold": found.fold, "call": found.call, "raise": found.raise_}
    return {
        **{name: value if math.isfinite(value) else None for name, value in utilities.items()},
        "f_star": found.f_star,
        "choice": found.choice,
        "raise_to": found.commitment if can_raise(spot) else None,
        "p": found.p,
        "gamma": found.gamma,
        "padding": padding,
        "street": street,
        "shares": choice_shares(spot, style, street, padding=padding),
    }


def spot_of(options: Mapping[str, Any]) -> Spot:
    """Read a spot; EngineError names an invalid option."""
    values: dict[str, Any] = {name: number(option, options[option]) for option, name in SPOT_OPTIONS.items()}
    with errors_by_option():
        return Spot(**values)


def style_of(options: Mapping[str, Any]) -> Style:
    """Read a style, as loose on every street if nothing else is said; EngineError names an invalid option."""
    given = {**options, "river": options["river"] or options["style"]}
    values = {name: number(option, given[option]) for option, name in STYLE_OPTIONS.items()}
    with errors_by_option():
        return Style(**values)


def street_of(options: Mapping[str, Any]) -> str:
    """Read a street; EngineError if there is none of the name."""
    street = str(options["street"]).strip().casefold()
    if street not in STREETS:
        raise EngineError("street", "unknown_choice", known=", ".join(STREETS), got=options["street"])
    return street


def padding_of(spot: Spot, options: Mapping[str, Any]) -> float:
    """Read the padding of the stack in percent.

    There is none if nothing is said, unless the whole of it may be lost, which has no utility.
    """
    if not options["padding"]:
        return PADDING if spot.call + spot.min_raise >= spot.own else 0.0
    percent = number("padding", options["padding"])
    least, most = LEAST_PADDING * PERCENT, MOST_PADDING * PERCENT
    if not least <= percent <= most:
        raise EngineError(
            "padding", "out_of_range", least=_whole(least), most=_whole(most), got=_whole(percent)
        )
    return percent / PERCENT


def can_raise(spot: Spot) -> bool:
    """Tell whether calling leaves something to raise with."""
    return spot.own > spot.call


def seats_of(text: str) -> range:
    """Read "9" or "2-10"; EngineError if there are no such tables."""
    first, dash, last = text.partition("-")
    least = _seats(first, LEAST_SEATS)
    return range(least, (_seats(last, least) if dash else least) + 1)


def _seats(text: str, least: int) -> int:
    is_number = text.strip().isascii() and text.strip().isdecimal() and len(text) < 9  # noqa: PLR2004  no table is larger
    if not is_number or not least <= int(text) <= MOST_SEATS:
        raise errors.EngineError(
            "seats", "no_whole_number_in_range", least=least, most=MOST_SEATS, got=text.strip() or "nothing"
        )
    return int(text)


def number(name: str, text: str) -> float:
    """Read a number; EngineError if it is none. What is infinite is left to the engine."""
    try:
        return float(text)
    except ValueError as error:
        raise EngineError(name, "not_finite", got=text or "nothing") from error


@contextmanager
def errors_by_option() -> Iterator[None]:
    """Name errors by the option and not by the engine's parameter, and write whole numbers without decimals."""
    try:
        yield
    except errors.EngineError as error:
        values = {name: _whole(value) for name, value in error.values.items()}
        raise type(error)(OPTION_OF.get(error.field, error.field), error.code, **values) from error


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value
