from typing import Any

from league.models import Season
from standings.exports.tables import Table, results_table
from standings.management.exporting import ExportCommand


class Command(ExportCommand):
    help = "Writes the results of a season as an event file (docs/event-files.md), CSV or XLSX."

    def table(self, season: Season, **_options: Any) -> Table:
        return results_table(season)
