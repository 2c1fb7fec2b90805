import argparse
from typing import Any

from django.core.management import BaseCommand, CommandError

from league.models import Season
from standings.seals.queries import broken_by, seal_of


class Command(BaseCommand):
    help = "Recomputes the export of a sealed season and compares it with its seal: one line, exit status 0 or 1."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", required=True, metavar="SLUG")

    def handle(self, *_args: Any, club: str, season: str, **_options: Any) -> None:
        target = Season.objects.select_related("club").filter(club__slug=club, slug=season).first()
        if target is None:
            raise CommandError(f"--season: club {club} has no season {season}")
        if problem := broken_by(target):
            raise CommandError(f"{club}/{season}: {problem}")
        seal = seal_of(target)
        self.stdout.write(f"{club}/{season}: the seal holds, SHA-256 {seal.sha256 if seal else ''}")
