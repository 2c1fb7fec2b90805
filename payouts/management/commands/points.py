from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from payouts import cli
from payouts.engine.exact import exact_number
from payouts.engine.facts import EventFacts

HEADER = ("place", "points")


class Command(BaseCommand):
    help = "Prints the points of each place of a field."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        cli.add_structure_options(parser)
        cli.add_points_options(parser)
        parser.add_argument("--entries", type=int, metavar="N", required=True, help="entries of the event")

    def handle(self, *, structure: str, entries: int, format: str, **options: Any) -> None:  # noqa: A002  the option's name
        with cli.bad_input_reported():
            chosen = cli.structure_of(structure, options)
            facts = EventFacts(exact_number("buy_in", options["buy_in"]), options["paid"])
            total = None if options["total"] is None else exact_number("total", options["total"])
            points = chosen.points(entries, total=total, facts=facts)
        if format == "csv":
            rows = [(place, cli.exact_text(value)) for place, value in enumerate(points, start=1)]
            self.stdout.write(cli.csv_text(HEADER, rows))
        elif format == "json":
            numbers = [(place, cli.exact_json(value)) for place, value in enumerate(points, start=1)]
            self.stdout.write(cli.json_text(cli.json_head(chosen, entries=entries), HEADER, numbers))
        else:
            lines = [f"{place:>5}  {cli.exact_text(value)}" for place, value in enumerate(points, start=1)]
            self.stdout.write("\n".join(["place  points", *lines]))
