import argparse
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management import BaseCommand, CommandError

from league.services.errors import Refused
from standings.archive.reading import BY_COMMAND, BadArchive, read_archive
from standings.archive.services import import_archive


class Command(BaseCommand):
    help = "Makes a club from an archive (docs/club-archive.md), with an account as its owner."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--owner", required=True, metavar="USER", help="user name of the new owner")
        parser.add_argument("--slug", default="", help="another address than that of the archive")
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, owner: str, slug: str, file: Path, **_options: Any) -> None:
        user = User.objects.filter(username=owner).first()
        if user is None:
            raise CommandError(f"--owner: there is no account {owner}")
        try:
            with file.open("rb") as source:
                archive = read_archive(source, limits=BY_COMMAND)
            club = import_archive(archive, owner=user, name=archive.name, slug=slug or archive.slug)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        except (BadArchive, Refused) as error:
            raise CommandError(f"{file}: {error}") from error
        self.stdout.write(f"{club.get_absolute_url()}: {club}")
