"""Deal tournaments of simulated players and write them as an event file."""

import csv
import io
import json
from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from datetime import date, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lab.engine.errors import EngineError
from lab.engine.holdem.styles import mixed_styles
from lab.engine.holdem.tournament import (
    MOST_CHIPS,
    MOST_PLAYERS,
    Result,
    Structure,
    play_tournaments,
    require_between,
)
from lab.engine.utility import Style
from reading.event_files.json_files import FORMAT

COLUMNS = ("event", "date", "player", "place", "busted_at", "table_size")
# Names of the numbers of `--style`.
STYLE_NAMES = tuple(field.name for field in fields(Style))
DAYS_BETWEEN = 7


class Command(BaseCommand):
    help = (
        "Deals no-limit hold'em tournaments of simulated players hand by hand, and prints places and times of the "
        "busts as an event file that `rate` and `import_events` read. The same seed gives the same file."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        whole = Structure()
        parser.add_argument("--players", type=int, default=100, metavar="N")
        parser.add_argument("--tournaments", type=int, default=1, metavar="N", help="one a week; default 1")
        parser.add_argument("--seed", type=int, default=1, metavar="K")
        parser.add_argument(
            "--seats", type=int, default=whole.seats, metavar="N", help="at a table; default 9"
        )
        parser.add_argument("--stack", type=int, default=whole.stack, metavar="CHIPS")
        parser.add_argument("--hands-per-level", type=int, default=whole.hands_per_level, metavar="N")
        parser.add_argument("--minutes-per-hand", type=float, default=1.5, metavar="M")
        parser.add_argument(
            "--samples", type=int, default=whole.samples, metavar="N", help="hands drawn for each estimate"
        )
        parser.add_argument(
            "--style",
            type=style_of,
            action="append",
            metavar="NAME=NUMBER,...",
            help=f"{', '.join(STYLE_NAMES)}; repeat it for several kinds, who take turns; default: a mixture",
        )
        parser.add_argument("--start", type=date.fromisoformat, default=date(2026, 1, 7), metavar="DATE")
        parser.add_argument("--format", choices=("csv", "json"), default="csv")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            result = _dealt(options)
        except EngineError as error:
            raise CommandError(str(error)) from error
        self.stderr.write(f"{result.n_hands} hands, {result.n_decisions} decisions")
        write = _csv if options["format"] == "csv" else _json
        self.stdout.write(write(list(_events(result, options))), ending="")


def style_of(text: str) -> Style:
    """Read a style such as `gamma=2,loose_preflop=-0.3`."""
    numbers: dict[str, float] = {}
    for part in text.split(","):
        name, _equals, number = part.strip().partition("=")
        if name not in STYLE_NAMES:
            raise ArgumentTypeError(f"{name!r} is none of {', '.join(STYLE_NAMES)}")
        try:
            numbers[name] = float(number)
        except ValueError as error:
            raise ArgumentTypeError(f"{name} must be a number, got {number!r}") from error
    try:
        return Style(**numbers)
    except EngineError as error:
        raise ArgumentTypeError(str(error)) from error


def _dealt(options: dict[str, Any]) -> Result:
    require_between("minutes_per_hand", options["minutes_per_hand"], 0, MOST_CHIPS)
    structure = replace(
        Structure(),
        **{name: options[name] for name in ("seats", "stack", "hands_per_level", "samples")},
    )
    n, seed = options["players"], options["seed"]
    require_between("players", n, 2, MOST_PLAYERS)
    require_between("seed", seed, 0, 2**64 - 1)
    kinds = options["style"]
    styles = mixed_styles(n, seed) if kinds is None else [kinds[at % len(kinds)] for at in range(n)]
    return play_tournaments(styles, options["tournaments"], seed, structure)


def _events(result: Result, options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    width = len(str(options["players"]))
    for number, (places, busted_after) in enumerate(zip(result.places, result.busted_after, strict=True)):
        entries = [
            {
                "player": f"Player {player + 1:0{width}}",
                "place": int(place),
                # The winner is never out.
                "busted_at": round(hands * options["minutes_per_hand"], 2) if place > 1 else None,
            }
            for player, (place, hands) in enumerate(zip(places.tolist(), busted_after.tolist(), strict=True))
        ]
        yield {
            "event": f"deal-{options['seed']}-{number + 1}",
            "date": (options["start"] + timedelta(days=DAYS_BETWEEN * number)).isoformat(),
            "table_size": options["seats"],
            "entries": sorted(entries, key=lambda entry: entry["place"]),
        }


def _csv(events: Sequence[dict[str, Any]]) -> str:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(event | entry for event in events for entry in event["entries"])
    return buffer.getvalue()


def _json(events: Sequence[dict[str, Any]]) -> str:
    return json.dumps({"format": FORMAT, "events": events}, indent=1) + "\n"
