from itertools import groupby
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from payouts import cli
from payouts.answers import Answer, seats_answer


class Command(BaseCommand):
    help = "Prints the seat table of a points structure: which seat is the k-th point of a place."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        cli.add_structure_options(parser)
        parser.add_argument("--seats", type=int, metavar="S", required=True, help="seats to give out")

    def handle(self, **options: Any) -> None:
        self.stdout.write(cli.formatted(seats_answer, options, _grid))


def _grid(answer: Answer) -> str:
    """Write a line for each place, with its seat numbers in columns."""
    width = len(str(len(answer.rows)))
    lines = [
        f"{place:>5}  " + " ".join(f"{seat:>{width}}" for _place, _kth, seat in rows)
        for place, rows in groupby(answer.rows, key=lambda row: row[0])
    ]
    return "\n".join(["place  seat of the 1st, 2nd, 3rd ... point", *lines])
