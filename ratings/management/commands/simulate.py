import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.engine.tier import TierParams
from ratings.files.params import read_params

SCENARIOS = ("published", "published-late", "late-penalty")


class Command(BaseCommand):
    help = "Rates a simulated season of the publication and prints its figures as JSON."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--scenario", choices=SCENARIOS, required=True)
        parser.add_argument("--seed", type=int, default=1, metavar="K", help="0 or more; default 1")
        parser.add_argument("--params", type=Path, metavar="FILE", help="JSON of rating parameters")

    def handle(
        self, *_args: Any, scenario: str, seed: int, params: Path | None = None, **_options: Any
    ) -> None:
        if seed < 0:
            raise CommandError(f"--seed must not be negative, got {seed}")
        try:
            chosen = TierParams() if params is None else read_params(params, TierParams)
        except ValueError as error:
            raise CommandError(str(error)) from error
        head = {"scenario": scenario, "seed": seed, "params": asdict(chosen)}
        self.stdout.write(json.dumps({**head, **_figures(scenario, seed, chosen)}, indent=2))


def _figures(scenario: str, seed: int, params: TierParams) -> Mapping[str, object]:
    import numpy as np

    from ratings.engine.player_types import CLOSES_AT
    from ratings.engine.scenario import published
    from ratings.engine.scenario_figures import penalty_figures, season_figures

    if scenario == "late-penalty":
        return penalty_figures(params)
    closes = CLOSES_AT if scenario == "published-late" else None
    return season_figures(published(np.random.default_rng(seed), closes=closes), params)
