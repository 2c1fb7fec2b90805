import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from forecasts.engine.skill_share import SkillShare
from forecasts.files import share_of_file


class Command(BaseCommand):
    help = "Prints how much of the differences in a file of events is skill, as JSON."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="events as CSV or JSON")
        parser.add_argument(
            "--min-events", type=int, default=3, metavar="N", help="events of a player who is compared"
        )
        parser.add_argument("--seed", type=int, default=0, metavar="K", help="seed of the simulations")

    def handle(self, *_args: Any, file: Path, min_events: int = 3, seed: int = 0, **_options: Any) -> None:
        if min_events < 1:
            raise CommandError(f"--min-events must be at least 1, got {min_events}", returncode=2)
        if seed < 0:
            raise CommandError(f"--seed must not be negative, got {seed}", returncode=2)
        try:
            found, figures = share_of_file(file, min_events=min_events, seed=seed)
        except ValueError as error:
            raise CommandError(str(error)) from error
        for line in _missing(found, min_events):
            self.stderr.write(line)
        self.stdout.write(json.dumps(figures, indent=2))


def _missing(found: SkillShare, min_events: int) -> list[str]:
    lines = []
    if found.n_missing_events:
        lines.append(f"Too early to tell: {found.n_missing_events} more events are needed.")
    if found.n_missing_players:
        lines.append(
            f"Too few to tell: {found.n_missing_players} more players of at least {min_events} events are needed."
        )
    return lines
