"""What the commands `seats` and `points` share: options, output formats, bad input said in one line."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction

from django.core.management.base import CommandError, CommandParser

from payouts.engine.votes import STRUCTURES

FORMATS = ("text", "csv", "json")


def add_structure_options(parser: CommandParser) -> None:
    names = ", ".join(f"{name} ({structure.formula})" for name, structure in STRUCTURES.items())
    # No choices for these two: a name that does not exist is bad input (exit 1), not usage (exit 2).
    parser.add_argument("--structure", metavar="NAME", required=True, help=names)
    parser.add_argument("--ties", metavar="better|worse", default="better", help="who gets an equal quotient")
    parser.add_argument("--format", choices=FORMATS, default="text")


@contextmanager
def bad_input_reported() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise CommandError(str(error)) from error


def exact_text(value: Fraction) -> str:
    """Decimal if it is finite, else a/b: 5/2 is 2.5, 5/3 stays 5/3."""
    for n_decimals in range(value.denominator.bit_length()):
        scaled = value * 10**n_decimals
        if scaled.denominator == 1:
            return f"{Decimal(f'{scaled.numerator}E-{n_decimals}'):f}"
    return str(value)


def exact_json(value: Fraction) -> int | str:
    """Whole numbers as numbers, others as exact text: a JSON reader would round them."""
    return value.numerator if value.denominator == 1 else exact_text(value)


def csv_text(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return buffer.getvalue()


def json_text(head: Mapping[str, object], header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return json.dumps({**head, "rows": [dict(zip(header, row, strict=True)) for row in rows]})
