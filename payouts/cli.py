"""Options, output formats and error handling of the commands `seats` and `points`."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser

from league.downloads import csv_text
from payouts.answers import Answer
from payouts.engine.structures.settings import DHONDT, NAMES

FORMATS = ("text", "csv", "json")


def add_structure_options(parser: CommandParser) -> None:
    # No choices or types, so that an unknown value is bad input (exit 1) and not wrong usage (exit 2).
    seats = f"give out seats: {', '.join(DHONDT)}; formulas: {', '.join(without(NAMES, DHONDT))}"
    parser.add_argument("--structure", metavar="NAME", required=True, help=seats)
    parser.add_argument("--ties", metavar="better|worse", default="better", help="who gets an equal quotient")
    parser.add_argument("--alpha", metavar="A", help="power of vp_kid_alpha, 1 to 10; 1.05 if not given")
    parser.add_argument(
        "--votes",
        metavar="v1,v2,...",
        help="votes (custom), percentages (fixed, percentage_pool) or points (fixed_table) by place",
    )
    parser.add_argument("--tail", help="custom, after the votes given: none, 100/n or 'power 1.05'")
    parser.add_argument("--format", choices=FORMATS, default="text")


def add_points_options(parser: CommandParser) -> None:
    parser.add_argument("--cap", type=int, metavar="N", help="above so many entries, seats worth entries/N")
    parser.add_argument("--total", metavar="T", help="points put up, if not one for each entry")
    parser.add_argument("--per-entry", metavar="C", help="percentage_pool: points put up for each entry")
    parser.add_argument(
        "--expression",
        metavar="F",
        help="formula in n, k, entries, knockouts, buy_in, paid, balance (0 here)",
    )
    parser.add_argument("--buy-in", metavar="B", default="1", help="for formulas; 1 if not given")
    parser.add_argument("--paid", type=int, metavar="P", default=1, help="paid places, for formulas")


def without(names: Sequence[str], others: Sequence[str]) -> list[str]:
    return [name for name in names if name not in others]


def formatted(
    find: Callable[[Mapping[str, Any]], Answer],
    options: Mapping[str, Any],
    as_text: Callable[[Answer], str],
) -> str:
    """Format the answer as chosen; bad input raises CommandError with a message of one line."""
    try:
        answer = find(options)
    except ValueError as error:
        raise CommandError(str(error)) from error
    if options["format"] == "csv":
        return csv_text(answer.columns, answer.rows, line_end="\n")
    return json.dumps(answer.as_json()) if options["format"] == "json" else as_text(answer)
