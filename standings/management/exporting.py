"""The base of the export commands."""

import argparse
from typing import Any

from django.core.management import BaseCommand, CommandError

from league.models import Season
from standings.exports.tables import Table
from standings.exports.xlsx import workbook


class ExportCommand(BaseCommand):
    """Writes a table of a season to standard output."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", required=True, metavar="SLUG")
        parser.add_argument("--format", choices=("csv", "xlsx"), default="csv")

    def handle(self, *_args: Any, club: str, season: str, format: str, **options: Any) -> None:  # noqa: A002
        target = Season.objects.filter(club__slug=club, slug=season).first()
        if target is None:
            raise CommandError(f"--season: club {club} has no season {season}")
        table = self.table(target, **options)
        if format == "xlsx":
            stream: Any = self.stdout
            stream.buffer.write(workbook(table))
        else:
            self.stdout.write(table.csv, ending="")

    def table(self, season: Season, **options: Any) -> Table:
        raise NotImplementedError
