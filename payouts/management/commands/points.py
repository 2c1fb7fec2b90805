from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from payouts import cli
from payouts.answers import Answer, points_answer


class Command(BaseCommand):
    help = "Prints the points of each place of a field."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        cli.add_structure_options(parser)
        cli.add_points_options(parser)
        parser.add_argument("--entries", type=int, metavar="N", required=True, help="entries of the event")

    def handle(self, **options: Any) -> None:
        self.stdout.write(cli.formatted(points_answer, options, _lines))


def _lines(answer: Answer) -> str:
    return "\n".join(["place  points", *(f"{place:>5}  {points}" for place, points in answer.rows)])
