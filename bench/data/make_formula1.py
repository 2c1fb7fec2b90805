"""Converts results of f1db to bench/data/formula1.csv.gz; run once.

    python -m bench.data.make_formula1 results.csv.gz

Source: f1db, https://github.com/f1db/f1db at commit 6a5845b8, licence CC BY 4.0, changed as described here.
`results.csv.gz` has its race and sprint results in one table: event, date, event_name, kind, player, position_text,
order_in_file, shared_car; every race and sprint from 1950 to July 2026, including the Indianapolis 500 of 1950 to 1960.

Included, as columns date, player, place:

* classified drivers, with their place as published;
* drivers who started but were not classified, as R (retired): DNF and NC (running at the end, too far behind).

Left out:

* drivers who did not start: DNS, DNQ, DNPQ, DNP;
* drivers who were disqualified: DSQ, EX. The stewards decided their place, not the race;
* cars that several drivers shared (up to 1964), whose result belongs to no single driver. The source marks each driver
  of such a car but the first, who is on the line before;
* further cars of a driver in the same event.

In the source a sprint has the date of its race and comes after it. It was driven the day before and gets that date, so
that the sprint is not predicted from the race of its weekend. An empty line begins the next event.
"""

import csv
import gzip
import io
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path

TARGET = Path(__file__).with_name("formula1.csv.gz")
RETIRED = ("DNF", "NC")

Result = dict[str, str]


def own_cars(rows: list[Result]) -> Iterator[Result]:
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        shared = row["shared_car"] == "1" or (after is not None and after["shared_car"] == "1")
        if not shared:
            yield row


def place_of(row: Result) -> str | None:
    text = row["position_text"]
    if text.isdigit():
        return text
    return "R" if text in RETIRED else None


def event_lines(rows: list[Result]) -> list[tuple[str, str, str]]:
    day = date.fromisoformat(rows[0]["date"]) - timedelta(days=rows[0]["kind"] == "sprint")
    places: dict[str, str] = {}
    for row in own_cars(rows):
        place = place_of(row)
        if place is not None:
            places.setdefault(row["player"], place)
    return [(day.isoformat(), player, place) for player, place in places.items()]


def main(source: Path) -> None:
    with gzip.open(source, "rt", encoding="utf-8", newline="") as file:
        events = [
            event_lines(list(rows)) for _, rows in groupby(csv.DictReader(file), lambda row: row["event"])
        ]
    events.sort(key=lambda lines: lines[0][0])
    text = io.StringIO()
    for lines in events:
        text.writelines(",".join(line) + "\n" for line in lines)
        text.write("\n")
    TARGET.write_bytes(gzip.compress(text.getvalue().encode(), 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
