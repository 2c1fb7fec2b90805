import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from league.models import Pool, PoolKind
from league.services.errors import Refused
from ratings.calibration_pages import brief, figures_of, warnings_of
from ratings.files.calibration import calibration_of_file, printed_calibration
from ratings.models import SettingsOrigin
from ratings.services.calibration import (
    CHOICES,
    PoolCalibration,
    adopt_calibration,
    calibration_of,
    preview,
)

if TYPE_CHECKING:
    from ratings.engine.profit.calibration import Calibration

USAGE = 2  # exit status of a wrong command line


class Command(BaseCommand):
    help = "Estimates the parameters of R from the results of a pool or a file, and adopts those of a pool."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("--club", metavar="SLUG", help="slug of the club")
        source.add_argument("--file", type=Path, metavar="FILE", help="events with balances, as CSV or JSON")
        parser.add_argument("--pool", metavar="NAME", help="needed if several pools are rated by R")
        parser.add_argument(
            "--players", type=int, choices=(3, 4), help="only tables of so many players; of a file"
        )
        parser.add_argument("--format", choices=("json", "text"), default="json")
        parser.add_argument(
            "--adopt",
            nargs="?",
            const=SettingsOrigin.ESTIMATE.value,
            choices=[choice.value for choice in CHOICES],
            metavar="ORIGIN",
            help="estimate if nothing is named; ratings are computed again",
        )

    def handle(self, *_args: Any, file: Path | None = None, **options: Any) -> None:
        try:
            if file:
                self._calibrate_file(file, options)
            else:
                self._calibrate_pool(options)
        except (Refused, ValueError) as error:
            raise CommandError(str(error)) from error

    def _calibrate_file(self, file: Path, options: dict[str, Any]) -> None:
        if options["pool"] or options["adopt"]:
            raise CommandError("--pool and --adopt are for a club, not for a file", returncode=USAGE)
        found = calibration_of_file(file, n_players=options["players"])
        if options["format"] == "json":
            self._write_json(printed_calibration(found))
        else:
            self._write_figures(found)

    def _calibrate_pool(self, options: dict[str, Any]) -> None:
        if options["players"]:
            raise CommandError("--players is for a file, not for a club", returncode=USAGE)
        calibration = calibration_of(_pool(options["club"], options["pool"]))
        if options["format"] == "json":
            candidates = {
                origin: {"f": each.f, "g": each.g} for origin, each in calibration.candidates.items()
            }
            self._write_json(printed_calibration(calibration.found) | {"candidates": candidates})
        else:
            self._write_text(calibration)
        if options["adopt"]:
            self._adopt(calibration, options["adopt"])

    def _write_json(self, figures: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(figures, ensure_ascii=False, indent=2))

    def _write_figures(self, found: "Calibration") -> None:
        for figure in figures_of(found):
            self.stdout.write(f"{figure.label}: {figure.value} ({figure.interval}). {figure.about}")

    def _write_text(self, calibration: PoolCalibration) -> None:
        for notice in warnings_of(calibration):
            self.stdout.write(f"{notice.head} {notice.text}")
        self._write_figures(calibration.found)
        for origin, params in calibration.candidates.items():
            self.stdout.write(f"{origin}: f {params.f}, g {params.g}")
        for row in preview(calibration):
            then = ", ".join(f"{origin} {brief(r, 6)}" for origin, r in row.then.items())
            now = "–" if row.now is None else brief(row.now, 6)
            self.stdout.write(f"{row.player.name} ({row.n_games}): {now}, {then}")

    def _adopt(self, calibration: PoolCalibration, origin: str) -> None:
        params = calibration.candidates.get(origin)
        if params is None:
            raise CommandError(f"--adopt: there are too few results for {origin}")
        adopt_calibration(
            calibration.pool,
            origin=origin,
            pair=(params.f, params.g),
            revision=calibration.revision,
            actor=None,
        )
        self.stderr.write(f"adopted: f {params.f}, g {params.g}; the ratings are computed again")


def _pool(club: str, name: str | None) -> Pool:
    pools = Pool.objects.filter(club__slug=club)
    found = list(pools.filter(name=name) if name else pools.filter(kind=PoolKind.PROFIT))
    if not pools:
        raise CommandError(f"there is no club {club}")
    if len(found) != 1:
        names = ", ".join(pools.values_list("name", flat=True))
        raise CommandError(f"--pool: {name or 'name one of the pools'}; there are: {names}")
    return found[0]
