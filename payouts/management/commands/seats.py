from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from payouts import cli
from payouts.engine.dhondt import SeatRow

HEADER = ("place", "kth_point", "seat")


class Command(BaseCommand):
    help = "Prints the seat table of a points structure: which seat is the k-th point of a place."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        cli.add_structure_options(parser)
        parser.add_argument("--seats", type=int, metavar="S", required=True, help="seats to give out")

    def handle(self, *, structure: str, seats: int, format: str, **options: Any) -> None:  # noqa: A002  the option's name
        with cli.bad_input_reported():
            chosen = cli.structure_of(structure, options)
            table = chosen.seat_table(seats)
        rows = [(row.place, row.kth_point, row.seat) for row in table]
        if format == "csv":
            self.stdout.write(cli.csv_text(HEADER, rows))
        elif format == "json":
            self.stdout.write(cli.json_text(cli.json_head(chosen, seats=seats), HEADER, rows))
        else:
            self.stdout.write(_grid(table))


def _grid(table: Sequence[SeatRow]) -> str:
    """Printed form: a line for each place, its seat numbers in columns."""
    width = len(str(len(table)))
    lines = [
        f"{place:>5}  " + " ".join(f"{row.seat:>{width}}" for row in rows)
        for place, rows in groupby(table, key=lambda row: row.place)
    ]
    return "\n".join(["place  seat of the 1st, 2nd, 3rd ... point", *lines])
