import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.engine.tier.params import TierParams
from ratings.files.params import read_params

SCENARIOS = ("published", "published-late", "late-penalty")


class Command(BaseCommand):
    help = (
        "Rates a simulated season of the publication, or simulates many seasons of your own as the season laboratory "
        "does, and prints the figures as JSON."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--scenario", choices=SCENARIOS)
        what.add_argument(
            "--laboratory",
            type=Path,
            metavar="FILE",
            help="JSON of a season to try out, see docs/laboratory-runs.md",
        )
        parser.add_argument(
            "--seasons", type=int, default=2000, metavar="N", help="of --laboratory; default 2000"
        )
        parser.add_argument("--seed", type=int, default=1, metavar="K", help="0 or more; default 1")
        parser.add_argument("--params", type=Path, metavar="FILE", help="JSON of rating parameters")

    def handle(
        self,
        *_args: Any,
        scenario: str | None = None,
        laboratory: Path | None = None,
        seasons: int = 2000,
        seed: int,
        params: Path | None = None,
        **_options: Any,
    ) -> None:
        if seed < 0:
            raise CommandError(f"--seed must not be negative, got {seed}")
        if laboratory is not None:
            self.stdout.write(json.dumps(_tried_out(laboratory, seasons, seed), indent=2))
            return
        assert scenario is not None
        try:
            chosen = TierParams() if params is None else read_params(params, TierParams)
        except ValueError as error:
            raise CommandError(str(error)) from error
        head = {"scenario": scenario, "seed": seed, "params": asdict(chosen)}
        self.stdout.write(json.dumps({**head, **_figures(scenario, seed, chosen)}, indent=2))


def _tried_out(file: Path, n_seasons: int, seed: int) -> Mapping[str, object]:
    """Simulate the seasons of a file; the same as a run of the site with this seed."""
    from lab.engine.seasons.chunks import simulate
    from lab.engine.seasons.estimate import check_seasons
    from lab.engine.seasons.figures import figures_of
    from lab.engine.seasons.scenario import Scenario

    try:
        scenario = Scenario.from_dict(json.loads(file.read_text(encoding="utf-8")))
        check_seasons(scenario, n_seasons)
        totals = simulate(scenario, seed, 0, n_seasons)
    except OSError as error:
        raise CommandError(f"{file.name}: {error.strerror}") from error
    except ValueError as error:
        raise CommandError(f"{file.name}: {error}") from error
    figures = figures_of(scenario, totals).to_dict()
    return {"seed": seed, "seasons": n_seasons, "laboratory": scenario.to_dict(), "figures": figures}


def _figures(scenario: str, seed: int, params: TierParams) -> Mapping[str, object]:
    import numpy as np

    from ratings.engine.simulation.figures import penalty_figures, season_figures
    from ratings.engine.simulation.player_types import CLOSES_AT
    from ratings.engine.simulation.scenario import published

    if scenario == "late-penalty":
        return penalty_figures(params)
    closes = CLOSES_AT if scenario == "published-late" else None
    return season_figures(published(np.random.default_rng(seed), closes=closes), params)
