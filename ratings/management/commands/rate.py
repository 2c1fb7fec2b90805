import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.engine.errors import NotConvergedError
from ratings.engine.profit import ProfitParams
from ratings.engine.tier import TierParams
from ratings.files.params import read_params
from ratings.files.profit import rate_file_by_profit
from ratings.files.reading import RatedFile, read_rated_file
from ratings.files.tier import plain as without_floors
from ratings.files.tier import rate_file, rate_file_plainly

KINDS = ("tier", "profit")
USAGE = 2  # exit status
Rating = Callable[[RatedFile], dict[str, Any]]
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
        if plain and kind != "tier":
            raise CommandError(f"--plain is of --kind tier, not of {kind}", returncode=USAGE)
        try:
            chosen, rate = (
                self._profit(params, explain) if kind == "profit" else self._tier(params, explain, plain)
            )
            read = read_rated_file(file)
            self._warn(read)
            told = rate(read)
        except (ValueError, NotConvergedError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps({"kind": kind, "params": asdict(chosen), **told}, ensure_ascii=False))

    def _tier(self, path: Path | None, explain: bool, plain: bool) -> tuple[TierParams, Rating]:
        params = TierParams() if path is None else read_params(path, TierParams)
        if plain:
            params = without_floors(params)
        run = rate_file_plainly if plain else rate_file
        return params, lambda read: run(read, params, explain=explain, progress=self._progress_of(read))

    def _profit(self, path: Path | None, explain: bool) -> tuple[ProfitParams, Rating]:
        params = ProfitParams() if path is None else read_params(path, ProfitParams)
        return params, lambda read: rate_file_by_profit(read, params, explain=explain)

    def _warn(self, read: RatedFile) -> None:
        for warning in read.warnings:
            self.stderr.write(warning)

    def _progress_of(self, read: RatedFile) -> Any:
        def tell(done: int, n_events: int) -> None:
            if read.history.n_entries >= LONG:
                self.stderr.write(f"{done} of {n_events} events")

        return tell
