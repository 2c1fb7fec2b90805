import argparse
from datetime import datetime
from typing import Any

from django.core.management import BaseCommand, CommandError

from league.models import Event, Pool
from standings.queries import stale_pools
from standings.recomputation.service import recompute


class Command(BaseCommand):
    help = "Recomputes ratings, points and standings. Identical input gives identical rows."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        scope = parser.add_mutually_exclusive_group(required=True)
        scope.add_argument("--club", metavar="SLUG")
        scope.add_argument(
            "--stale", action="store_true", help="only what waits to be computed, in every club"
        )
        parser.add_argument(
            "--from", dest="event", type=int, metavar="EVENT", help="number of the first event"
        )

    def handle(self, *_args: Any, club: str | None, event: int | None, **_options: Any) -> None:
        if club is None:
            self._recompute_stale()
            return
        pools = Pool.objects.filter(club__slug=club)
        if not pools:
            raise CommandError(f"--club: there is no club {club}")
        since = self._start_of(event, club)
        for pool in pools:
            is_computed = recompute(
                pool.pk, from_scratch=since is None, since=since, wait_seconds=60, progress=self._report
            )
            if not is_computed:
                raise CommandError(f"{pool} is being recomputed by another process")
            self.stderr.write(f"{pool}: done")

    def _recompute_stale(self) -> None:
        """Recompute every stale pool; collect failures, so that one keeps no other pool waiting."""
        failed = []
        for pool in stale_pools():
            try:
                recompute(pool.pk)
            except Exception as error:  # noqa: BLE001  any failure is reported below
                failed.append(f"{pool}: {error!r}")
        if failed:
            raise CommandError("; ".join(failed))

    def _start_of(self, event: int | None, club: str) -> datetime | None:
        if event is None:
            return None
        start = (
            Event.objects.filter(pk=event, season__club__slug=club)
            .values_list("starts_at", flat=True)
            .first()
        )
        if start is None:
            raise CommandError(f"--from: club {club} has no event {event}")
        return start

    def _report(self, n_done: int, n_events: int) -> None:
        self.stderr.write(f"{n_done} of {n_events} events")
