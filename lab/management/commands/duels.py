"""Play duels of simulated players with a weakness against the exact player."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lab.engine.duels import COLUMNS, STRENGTHS, measured_duels
from lab.engine.errors import EngineError
from league.downloads import csv_text


class Command(BaseCommand):
    help = (
        "Plays tournaments of two simulated players, one of whom has noise in his estimates, is inconsistent or has "
        "biased odds, and prints how many he wins, as CSV. The same seed gives the same figures; the page of the site "
        "shows those of `manage.py duels > lab/engine/duels.csv`."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--tournaments", type=int, default=10_000, metavar="N", help="of each weakness; default 10000"
        )
        parser.add_argument("--seed", type=int, default=1, metavar="K")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            rows = list(self._rows(options["tournaments"], options["seed"]))
        except EngineError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(csv_text(COLUMNS, rows, line_end="\n"), ending="")

    def _rows(self, tournaments: int, seed: int) -> Iterator[tuple[str, str, int, int]]:
        for number, each in enumerate(measured_duels(tournaments, seed), start=1):
            self.stderr.write(f"{number} of {len(STRENGTHS)}")
            yield each.weakness, f"{each.strength:g}", each.tournaments, each.wins
