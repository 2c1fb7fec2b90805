import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from live.engine.project import project_raw
from live.engine.summary import summary

MOST_BYTES = 32 * 2**20
USAGE = 2  # exit status of a wrong command line


class Command(BaseCommand):
    help = (
        "Prints what the log of a night says: places, who is in, seats, questions, and what is held, as JSON."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help='JSON: {"actions": [...]} in any order')

    def handle(self, *_args: Any, file: Path, **_options: Any) -> None:
        try:
            if file.stat().st_size > MOST_BYTES:
                raise CommandError(f"{file} is longer than {MOST_BYTES} bytes", returncode=USAGE)
            read = json.loads(file.read_bytes())
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}", returncode=USAGE) from error
        except (ValueError, RecursionError) as error:
            raise CommandError(f"{file} is not JSON: {error}", returncode=USAGE) from error
        actions = read.get("actions") if isinstance(read, dict) else None
        if not isinstance(actions, list):
            raise CommandError(f'{file} must be an object with a list "actions"', returncode=USAGE)
        self.stdout.write(json.dumps(summary(project_raw(actions)), ensure_ascii=False, indent=2))
