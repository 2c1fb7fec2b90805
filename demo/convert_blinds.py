"""Take the levels out of the event logs of a tournament clock: when each began, its blinds, and its planned minutes.

    python -m demo.convert_blinds LOG_FOLDER OUT.csv

The rows have the columns COLUMNS; a break has no blinds. Times are local, as on the clock.
"""

import argparse
import csv
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

COLUMNS = ("event", "at", "small", "big", "minutes")
LEVEL = re.compile(r"Level \d+, ([\d,K]+)/([\d,K]+), (\d+) min\.")
BREAK = re.compile(r".*, (\d+) min\.")


def number_of(text: str) -> int:
    """Read an amount as a clock writes it: 1,400 or 1K."""
    plain = text.replace(",", "")
    return int(plain.removesuffix("K")) * (1000 if plain.endswith("K") else 1)


def rows_of(path: Path) -> Iterator[tuple[object, ...]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            if row["Event"] not in {"Blinds", "Break"} or "Shuffle" in row["Level"]:
                continue
            at = datetime.strptime(f"{path.stem} {row['Time']}", "%Y-%m-%d %I:%M%p")  # noqa: DTZ007  local
            if found := LEVEL.fullmatch(row["Level"]):
                small, big, minutes = found.groups()
                yield path.stem, at.isoformat(timespec="minutes"), number_of(small), number_of(big), minutes
            elif found := BREAK.fullmatch(row["Level"]):
                yield path.stem, at.isoformat(timespec="minutes"), "", "", found[1]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Take the levels out of tournament-clock logs.")
    parser.add_argument("logs", type=Path, metavar="LOG_FOLDER")
    parser.add_argument("out", type=Path, metavar="OUT.csv")
    options = parser.parse_args(argv)
    with options.out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for path in sorted(options.logs.glob("*.csv")):
            writer.writerows(rows_of(path))


if __name__ == "__main__":
    sys.exit(main())
