from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.engine.errors import NotConvergedError
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.core_model import PlainParams
from ratings.engine.tier.params import TierParams
from ratings.files.output import json_pieces
from ratings.files.params import read_params
from ratings.files.profit import rate_file_by_profit
from ratings.files.reading import RatedFile, read_rated_file
from ratings.files.tier import rate_file, rate_file_plainly

KINDS = ("tier", "profit")
USAGE = 2  # exit status of a wrong command line
Rating = Callable[[RatedFile], dict[str, Any]]
Chosen = TierParams | PlainParams | ProfitParams
# Progress is printed for files with at least this many entries.
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
            raise CommandError(f"--plain is only for --kind tier, not for {kind}", returncode=USAGE)
        try:
            chosen, rate = self._choose(kind, plain)(params, explain)
            events = read_rated_file(file)
            self._warn(events)
            output = rate(events)
        except (ValueError, NotConvergedError) as error:
            raise CommandError(str(error)) from error
        for piece in json_pieces({"kind": kind, "params": asdict(chosen), **output}):
            self.stdout.write(piece, ending="")
        self.stdout.write("")

    def _choose(self, kind: str, plain: bool) -> Callable[[Path | None, bool], tuple[Chosen, Rating]]:
        if kind == "profit":
            return self._profit
        return self._plain if plain else self._tier

    def _tier(self, path: Path | None, explain: bool) -> tuple[Chosen, Rating]:
        params = TierParams() if path is None else read_params(path, TierParams)
        return params, lambda events: rate_file(
            events, params, explain=explain, progress=self._progress_of(events)
        )

    def _plain(self, path: Path | None, explain: bool) -> tuple[Chosen, Rating]:
        params = PlainParams() if path is None else read_params(path, PlainParams)
        return params, lambda events: rate_file_plainly(
            events, params, explain=explain, progress=self._progress_of(events)
        )

    def _profit(self, path: Path | None, explain: bool) -> tuple[Chosen, Rating]:
        params = ProfitParams() if path is None else read_params(path, ProfitParams)
        return params, lambda events: rate_file_by_profit(events, params, explain=explain)

    def _warn(self, events: RatedFile) -> None:
        for warning in events.columns.warnings:
            self.stderr.write(warning)

    def _progress_of(self, events: RatedFile) -> Any:
        def write(n_rated: int, n_events: int) -> None:
            if events.history.n_entries >= LONG:
                self.stderr.write(f"{n_rated} of {n_events} events")

        return write
