import argparse
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from league.event_files import MAX_BYTES, decode, read_event_file
from league.models import Season
from league.services.errors import Refused
from league.services.imports import import_events


class Command(BaseCommand):
    help = "Imports an event file (docs/event-files.md) into a season, all of it or nothing."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", required=True, metavar="SLUG")
        parser.add_argument("--dry-run", action="store_true", help="check the file, save nothing")

    def handle(self, *_args: Any, file: Path, club: str, season: str, dry_run: bool, **_options: Any) -> None:
        target = Season.objects.select_related("club").filter(club__slug=club, slug=season).first()
        if target is None:
            raise CommandError(f"--season: club {club} has no season {season}")
        try:
            with file.open("rb") as stream:
                text = decode(stream.read(MAX_BYTES + 1))
        except (OSError, ValueError) as error:
            raise CommandError(f"{file.name}: {error}") from error
        read = read_event_file(text, tz=target.club.tz)
        for warning in read.warnings:
            self.stderr.write(f"{file.name}: {warning}")
        if read.problems:
            rest = f" (and {len(read.problems) - 1} more)" if len(read.problems) > 1 else ""
            raise CommandError(f"{file.name}, {read.problems[0]}{rest}")
        if dry_run:
            self.stderr.write(f"{file.name}: {len(read.events)} events, nothing saved")
            return
        try:
            done = import_events(target, read.events, actor=None)
        except Refused as error:
            raise CommandError(f"{file.name}: {error}") from error
        self.stderr.write(f"{done.n_entered} entered, {done.n_corrected} corrected, {done.n_same} unchanged")
