from typing import Any

from league.models import Season
from standings.exports.tables import Table, awards_table
from standings.management.exporting import ExportCommand


class Command(ExportCommand):
    help = "Writes the awards of a season and who has won them as CSV or XLSX."

    def table(self, season: Season, **_options: Any) -> Table:
        return awards_table(season)
