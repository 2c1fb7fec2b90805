from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from payouts import cli
from payouts.engine.dhondt import check_ties
from payouts.engine.points import points_by_place

HEADER = ("place", "points")


class Command(BaseCommand):
    help = "Prints the points of each place of a field."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        cli.add_structure_options(parser)
        parser.add_argument("--entries", type=int, metavar="N", required=True, help="entries of the event")

    def handle(self, *, structure: str, entries: int, ties: str, format: str, **options: Any) -> None:  # noqa: A002  the option's name
        with cli.bad_input_reported():
            points = points_by_place(structure, entries, check_ties(ties))
        if format == "csv":
            rows = [(place, cli.exact_text(value)) for place, value in enumerate(points, start=1)]
            self.stdout.write(cli.csv_text(HEADER, rows))
        elif format == "json":
            head = {"structure": structure, "entries": entries, "ties": ties}
            numbers = [(place, cli.exact_json(value)) for place, value in enumerate(points, start=1)]
            self.stdout.write(cli.json_text(head, HEADER, numbers))
        else:
            lines = [f"{place:>5}  {cli.exact_text(value)}" for place, value in enumerate(points, start=1)]
            self.stdout.write("\n".join(["place  points", *lines]))
