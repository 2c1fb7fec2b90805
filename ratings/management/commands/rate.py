import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.engine.tier import TierParams
from ratings.event_input import RatedFile, read_rated_file
from ratings.file_rating import plain as without_floors
from ratings.file_rating import rate_file, rate_file_plainly
from ratings.params_file import read_params

KINDS = ("tier",)
# Entries from which on progress is told.
LONG = 20_000


class Command(BaseCommand):
    help = "Rates a file of events without a database and prints players (and explanations) as JSON."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="events as CSV or JSON")
        parser.add_argument("--kind", choices=KINDS, default="tier")
        parser.add_argument("--params", type=Path, metavar="FILE", help="JSON of rating parameters")
        parser.add_argument("--explain", action="store_true", help="every entry and why its rate changed")
        parser.add_argument("--plain", action="store_true", help="the core model only")

    def handle(
        self,
        *_args: Any,
        file: Path,
        kind: str = "tier",
        params: Path | None = None,
        explain: bool = False,
        plain: bool = False,
        **_options: Any,
    ) -> None:
        from ratings.engine.chain import NotConvergedError

        try:
            chosen = TierParams() if params is None else read_params(params)
            chosen = without_floors(chosen) if plain else chosen
            read = read_rated_file(file)
            self._warn(read)
            run = rate_file_plainly if plain else rate_file
            told = run(read, chosen, explain=explain, progress=self._progress_of(read))
        except (ValueError, NotConvergedError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps({"kind": kind, "params": asdict(chosen), **told}, ensure_ascii=False))

    def _warn(self, read: RatedFile) -> None:
        for warning in read.warnings:
            self.stderr.write(warning)

    def _progress_of(self, read: RatedFile) -> Any:
        def tell(done: int, n_events: int) -> None:
            if read.history.n_entries >= LONG:
                self.stderr.write(f"{done} of {n_events} events")

        return tell
