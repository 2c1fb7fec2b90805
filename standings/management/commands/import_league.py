import argparse
import json
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management import BaseCommand, CommandError

from league.services.errors import Refused
from reading.league_files.checks import league_problems
from standings.archive.league_files import make_league
from standings.management.commands.check_league_file import text_of


class Command(BaseCommand):
    help = "Makes a club from a league file (docs/league-format), with an account as its owner."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--owner", required=True, metavar="USER", help="user name of the new owner")
        parser.add_argument("--slug", default="", help="the address of the club; by default made of its name")
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, owner: str, slug: str, file: Path, **_options: Any) -> None:
        user = User.objects.filter(username=owner).first()
        if user is None:
            raise CommandError(f"--owner: there is no account {owner}")
        text = text_of(file)
        if problems := league_problems(text):
            raise CommandError("\n".join(f"{file}: {problem}" for problem in problems))
        try:
            club = make_league(json.loads(text), owner=user, slug=slug)
        except Refused as error:
            raise CommandError(f"{file}: {error}") from error
        self.stdout.write(f"{club.get_absolute_url()}: {club}")
