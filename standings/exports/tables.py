"""Standings and awards as tables for certificates and prizes. Column names are stable (docs/exports.md)."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from entry.event_file_rows import COLUMNS, result_rows
from league.downloads import Cell, csv_text, exact_cell
from league.models import Season
from standings.awards.winners import Value, season_awards
from standings.models import Standing
from standings.queries import LeaderRow, leader_rows

STANDINGS_COLUMNS = (
    "rank", "player", "points", "points_with_attendance", "events", "entries", "wins", "profit_per_tourney",
    "rate", "badge", "provisional", "events_brought_forward",
)  # fmt: skip
AWARDS_COLUMNS = ("award", "kind", "place", "player", "value")
RATE, PROFIT = Decimal("0.1"), Decimal("0.000001")


@dataclass(frozen=True)
class Table:
    """A table for export: its cells are texts or numbers, with the decimals to show."""

    name: str
    columns: Sequence[str]
    rows: list[tuple[Cell, ...]]

    @property
    def csv(self) -> str:
        return csv_text(self.columns, self.rows)

    @property
    def json(self) -> str:
        """A list of objects by column; decimals are text, so that no reader rounds them."""
        rows = [dict(zip(self.columns, map(exact_cell, row), strict=True)) for row in self.rows]
        return json.dumps(rows, ensure_ascii=False, indent=1)


def season_rows(season: Season, *, by: str) -> list[LeaderRow]:
    """Read all rows of a season in one order; the unranked come last without a rank."""
    return leader_rows(Standing.objects.filter(season=season), by, ())


def standings_table(rows: Iterable[LeaderRow]) -> Table:
    """Convert the rows of a leaderboard to a table, in their order."""
    return Table("standings", STANDINGS_COLUMNS, [standings_cells(row) for row in rows])


def standings_cells(row: LeaderRow) -> tuple[Cell, ...]:
    """Cells of a row in the order of `STANDINGS_COLUMNS`."""
    return (
        row.rank, row.name, _plain(row.points), _plain(row.total), row.n_events, row.n_entries, row.n_wins,
        row.profit.quantize(PROFIT), *_rating(row), row.n_brought,
    )  # fmt: skip


def awards_table(season: Season) -> Table:
    """List a row for each winner, in the order of the awards; titles in the active language."""
    rows: list[tuple[Cell, ...]] = [
        (str(won.award), won.award.kind, place.place, winner.name, _value(place.value))
        for won in season_awards(season)
        for place in won.places
        for winner in place.winners
    ]
    return Table("awards", AWARDS_COLUMNS, rows)


def results_table(season: Season) -> Table:
    """A row for each entry, in the form of event files."""
    return Table("results", COLUMNS, list(result_rows(season)))


def _rating(row: LeaderRow) -> tuple[Cell, Cell, Cell]:
    """Rate, badge and whether in placement; empty for a player who has never been rated."""
    if row.rate is None:
        return None, None, None
    return Decimal(row.rate).quantize(RATE), row.badge, int(row.is_provisional)


def _plain(value: Decimal) -> Decimal:
    """Strip trailing zeros."""
    return value.normalize() + 0


def _value(value: Value | None) -> Cell:
    return Decimal(value).quantize(RATE) if isinstance(value, float) else _plain_or_same(value)


def _plain_or_same(value: Decimal | int | None) -> Cell:
    return _plain(value) if isinstance(value, Decimal) else value
