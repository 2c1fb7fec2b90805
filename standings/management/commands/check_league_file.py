import argparse
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from reading.league_files.checks import league_problems

MOST_BYTES = 200_000_000


class Command(BaseCommand):
    help = (
        "Checks a file of a whole league (docs/league-format): a line for each problem, exit status 0 or 1."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, file: Path, **_options: Any) -> None:
        if problems := league_problems(text_of(file)):
            raise CommandError("\n".join(f"{file}: {problem}" for problem in problems))
        self.stdout.write(f"{file}: this is a league file")


def text_of(file: Path) -> str:
    """Read a file; raise CommandError if there is none, or none of text."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise CommandError(f"{file}: the file has more than {MOST_BYTES} bytes")
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{file}: this is not UTF-8") from error
