import argparse
import json
from typing import Any

from django.core.management import BaseCommand, CommandError

from league.database.snapshots import snapshot
from league.models import Club
from standings.exports.league_files import league_document


class Command(BaseCommand):
    help = "Prints a club with its seasons, results and ratings as one JSON file (docs/league-format)."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")

    def handle(self, *_args: Any, club: str, **_options: Any) -> None:
        with snapshot():
            found = Club.objects.filter(slug=club).first()
            if found is None:
                raise CommandError(f"--club: there is no club {club}")
            document = league_document(found)
        self.stdout.write(json.dumps(document, indent=1, ensure_ascii=False))
