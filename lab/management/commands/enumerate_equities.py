"""Compute the tables of push or fold again; it takes some minutes."""

from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Write lab/engine/push_fold/equities.npz, by all boards, and equilibria.npz, for two players."

    def handle(self, *args: Any, **options: Any) -> None:
        from lab.engine.push_fold.enumeration import boards_by_suits, equities_of, margins
        from lab.engine.push_fold.equities import write_equities
        from lab.engine.push_fold.heads_up import write_equilibria

        write_equities(equities_of(margins(*boards_by_suits())))
        write_equilibria()
