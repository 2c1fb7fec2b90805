import argparse
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from league.models import Club
from standings.archive.writing import write_archive


class Command(BaseCommand):
    help = "Writes everything of a club as one archive (docs/club-archive.md)."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, club: str, file: Path, **_options: Any) -> None:
        found = Club.objects.filter(slug=club).first()
        if found is None:
            raise CommandError(f"--club: there is no club {club}")
        try:
            manifest = _write_whole(found, file)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        n = manifest["files"]["rows/league.event.jsonl"]["rows"]
        self.stdout.write(f"{file}: {found} with {n} events")


def _write_whole(club: Club, file: Path) -> dict[str, Any]:
    """Write an archive; the file has its name once it is whole."""
    part = file.with_name(f".{file.name}.part")
    try:
        with part.open("wb") as target:
            manifest = write_archive(club, target)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return manifest
