import argparse
from typing import Any

from django.core.management import BaseCommand, CommandError

from league.models import Season
from standings.exports import standings_csv
from standings.queries import ORDERS


class Command(BaseCommand):
    help = "Writes the standings of a season as CSV."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", required=True, metavar="SLUG")
        parser.add_argument("--by", choices=ORDERS, default="points")

    def handle(self, *_args: Any, club: str, season: str, by: str, **_options: Any) -> None:
        target = Season.objects.filter(club__slug=club, slug=season).first()
        if target is None:
            raise CommandError(f"--season: club {club} has no season {season}")
        self.stdout.write(standings_csv(target, by=by), ending="")
