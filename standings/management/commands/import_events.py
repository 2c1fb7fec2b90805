import argparse
from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from league.event_files.column_reader import read_columns_of
from league.event_files.reader import ANY_NUMBER, EventFile, decode, read_event_file
from league.models import Season
from league.problems import Problem, shown
from league.services.imports import NotImported, import_events, import_problems


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
        read = _read(file, target.club.tz)
        for warning in read.warnings:
            self.stderr.write(f"{file.name}: {warning}")
        if dry_run or read.problems:
            _raise_problems(file, [*read.problems, *import_problems(target, read.events)])
            self.stderr.write(f"{file.name}: {len(read.events)} events, nothing saved")
            return
        try:
            imported = import_events(target, read.events, actor=None)
        except NotImported as error:
            _raise_problems(file, error.problems)
        self.stderr.write(
            f"{imported.n_entered} entered, {imported.n_corrected} corrected, {imported.n_same} unchanged"
        )


def _read(file: Path, tz: tzinfo) -> EventFile:
    """Read a file of any size: by columns, or by rows if anything about it is wrong or unusual."""
    try:
        data = file.read_bytes()
        if (columns := read_columns_of(data, tz=tz)) is not None:
            events = map(columns.file_event, range(columns.n_events))
            return EventFile(tuple(events), warnings=columns.warnings)
        text = decode(data, size=1)  # A size of 1 passes the limit for uploads.
    except (OSError, ValueError) as error:
        raise CommandError(f"{file.name}: {error}") from error
    return read_event_file(text, tz=tz, most_rows=ANY_NUMBER, most_events=ANY_NUMBER)


def _raise_problems(file: Path, problems: Sequence[Problem]) -> None:
    """Raise CommandError with the problems in the order of the file, if there are any."""
    if problems:
        first, n_more = shown(problems)
        lines = [f"{file.name}, {problem}" for problem in first]
        raise CommandError("\n".join(lines + ([f"and {n_more} more"] if n_more else [])))
