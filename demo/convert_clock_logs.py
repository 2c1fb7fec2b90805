"""Turn the event logs of a tournament clock into Tierboard event files.

    python -m demo.convert_clock_logs LOG_FOLDER OUT_FOLDER

LOG_FOLDER has a log for each tournament, named by its date (2026-01-13.csv). OUT_FOLDER gets a file of the same name
for each, with the columns COLUMNS. The logs are read as the import reads them: reading/tables/formats/clock_logs.py has
the rules. The event's identifier is its date; closes_at, table_size and final_table_size are empty, because the log
does not contain them: a late buy-in shows that registration was open then, but nothing shows when it closed.

A log with a mistake is refused (exit status 1 and a line that names file, line and field), and then nothing is written.
"""

import argparse
import csv
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # as a script it is started in its own folder

from reading.tables.formats.clock_logs import COLUMNS as LOG_ROW
from reading.tables.formats.clock_logs import (
    LOG_COLUMNS,
    LogError,
    Tournament,
    is_clock_log,
    read_clock_log,
    rows_of,
)
from reading.tables.grids import BadGrid, read_grid

COLUMNS = (
    "event",
    "date",
    "player",
    "number",
    "place",
    "registered_at",
    "busted_at",
    "starts_at",
    "ends_at",
    "closes_at",
    "table_size",
    "final_table_size",
)


class BadLog(ValueError):
    """A log that cannot be converted; the message is one line."""


def read_tournament(path: Path) -> Tournament:
    try:
        day = date.fromisoformat(path.stem)
    except ValueError:
        raise BadLog(f"{path.name}: the name of a log is its date, like 2026-01-13.csv") from None
    try:
        grid = read_grid(path.read_text(encoding="utf-8-sig"), delimiter=",")
    except (UnicodeDecodeError, BadGrid) as error:
        raise BadLog(f"{path.name}: not a UTF-8 CSV file: {error}") from None
    if not is_clock_log(grid):
        heads = grid.rows[0].cells if grid.rows else ()
        missing = next(column for column in LOG_COLUMNS if column not in heads)
        raise BadLog(f"{path.name}: line 1: {missing}: no such column")
    try:
        return read_clock_log(grid, day)
    except LogError as error:
        line = f"line {error.line}: " if error.line else ""
        raise BadLog(f"{path.name}: {line}{error.column}: {error}") from None


def event_rows(tournament: Tournament) -> list[dict[str, str]]:
    return [dict(zip(LOG_ROW, row, strict=True)) for row in rows_of(tournament)]


def write_event(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def convert_folder(logs: Path, out: Path) -> None:
    if out.resolve() == logs.resolve():
        raise BadLog(f"{out}: the event files would replace the logs")
    paths = sorted(logs.glob("*.csv"))
    if not paths:
        raise BadLog(f"{logs}: no logs (*.csv) here")
    tournaments = [read_tournament(path) for path in paths]
    out.mkdir(parents=True, exist_ok=True)
    for tournament in tournaments:
        name = f"{tournament.day}.csv"
        write_event(out / name, event_rows(tournament))
        winner = tournament.finish[0].player
        print(f"{name}: {len(tournament.entries)} entries, won by {winner}", file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Turn tournament-clock logs into Tierboard event files.")
    parser.add_argument("logs", type=Path, metavar="LOG_FOLDER")
    parser.add_argument("out", type=Path, metavar="OUT_FOLDER")
    options = parser.parse_args(argv)
    try:
        convert_folder(options.logs, options.out)
    except (BadLog, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
