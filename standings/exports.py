"""Standings as CSV for certificates and prizes. Column names are stable (docs/exports.md)."""

import csv
import io

from league.models import Season
from standings.models import Standing
from standings.queries import LeaderRow, leader_rows

COLUMNS = (
    "rank", "player", "points", "points_with_attendance", "events", "entries", "wins", "profit_per_tourney",
    "rate", "badge", "provisional", "events_brought_forward",
)  # fmt: skip
# What a spreadsheet would read as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def standings_csv(season: Season, *, by: str) -> str:
    """All rows of a season in one order; the unranked come last without a rank."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in leader_rows(Standing.objects.filter(season=season), by, ()):
        writer.writerow(
            (
                row.rank or "", safe_cell(row.name), f"{row.points.normalize():f}",
                f"{row.total.normalize():f}", row.n_events, row.n_entries, row.n_wins,
                f"{row.profit:.6f}", *_rating(row), row.n_brought,
            )
        )  # fmt: skip
    return out.getvalue()


def _rating(row: LeaderRow) -> tuple[str, str, str]:
    """Rate, badge and whether in placement; empty for who has never been rated."""
    if row.rate is None:
        return "", "", ""
    return f"{row.rate:.1f}", row.badge, str(int(row.is_provisional))


def safe_cell(text: str) -> str:
    """A name that begins like a formula gets an apostrophe, as spreadsheets themselves write it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
