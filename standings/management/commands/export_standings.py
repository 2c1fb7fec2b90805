import argparse
from typing import Any

from league.models import Season
from standings.exports.tables import Table, season_rows, standings_table
from standings.management.exporting import ExportCommand
from standings.queries import ORDERS


class Command(ExportCommand):
    help = "Writes the standings of a season as CSV or XLSX."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--by", choices=ORDERS, default="points")

    def table(self, season: Season, **options: Any) -> Table:
        return standings_table(season_rows(season, by=options["by"]))
