"""`manage.py repair_ids`: let ids go on from the highest that is in use."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from standings.archive.ids import Seen, moved, moved_json, target
from standings.archive.parts import PARTS, Part
from standings.archive.sequences import last_id, set_last_id


class InUse(Seen):
    """The ids that rows have, or that the history and the bin name."""

    checks_cells = False


class Command(BaseCommand):
    help = (
        "Let new rows get ids that follow the highest one in use. An archive that claimed to have very high ids raised"
        " them for all clubs, in versions that believed it. Nothing else is changed."
    )

    @transaction.atomic
    def handle(self, *_args: Any, **_options: Any) -> None:
        in_use = InUse()
        for part in PARTS:
            _collect(part, in_use)
        for part in PARTS:
            last, highest = last_id(part.model), max(in_use.ids[part.model], default=0)
            if highest < last:
                set_last_id(part.model, highest)
                self.stdout.write(f"{part.label}: the next id is {highest + 1}, not {last + 1}.")
        self.stdout.write("Every table goes on from the highest id in use.")


def _collect(part: Part, in_use: InUse) -> None:
    """Look at all ids in the rows of a model, of all clubs."""
    columns = part.columns
    targets = [target(part.model, column) for column in columns]
    for row in part.model._base_manager.values_list(*columns).iterator(chunk_size=2000):
        for column, other, value in zip(columns, targets, row, strict=True):
            moved(moved_json(part.model, column, value, in_use), other, in_use)
