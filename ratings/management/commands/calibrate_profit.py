import argparse
import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.models import Pool, PoolKind
from league.services.errors import Refused
from ratings.calibration_pages import brief, figures_of, warnings_of
from ratings.services.calibration import (
    CHOICES,
    PoolCalibration,
    adopt_calibration,
    calibration_of,
    calibration_summary,
    preview,
)


class Command(BaseCommand):
    help = (
        "Estimates the parameters of R from a pool's results, with everybody's R under them, and adopts them."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("club", metavar="CLUB", help="slug of the club")
        parser.add_argument("--pool", metavar="NAME", help="needed if several pools are rated by R")
        parser.add_argument("--format", choices=("text", "json"), default="text")
        parser.add_argument("--adopt", choices=[choice.value for choice in CHOICES], metavar="ORIGIN")

    def handle(self, *_args: Any, club: str, pool: str | None, adopt: str | None, **options: Any) -> None:
        try:
            calibration = calibration_of(_pool(club, pool))
            write = self._write_json if options["format"] == "json" else self._write_text
            write(calibration)
            if adopt:
                self._adopt(calibration, adopt)
        except Refused as error:
            raise CommandError(str(error)) from error

    def _write_json(self, calibration: PoolCalibration) -> None:
        self.stdout.write(json.dumps(calibration_summary(calibration), ensure_ascii=False))

    def _write_text(self, calibration: PoolCalibration) -> None:
        for notice in warnings_of(calibration):
            self.stdout.write(f"{notice.head} {notice.text}")
        for figure in figures_of(calibration.found):
            self.stdout.write(f"{figure.label}: {figure.value} ({figure.interval}). {figure.about}")
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
