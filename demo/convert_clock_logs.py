"""Turn the event logs of a tournament clock into Tierboard event files.

    python demo/convert_clock_logs.py LOG_FOLDER OUT_FOLDER

LOG_FOLDER holds a log per night, named by its date (2026-01-13.csv). OUT_FOLDER gets a file of the same
name for each, in the columns of COLUMNS. The rules:

* Event: the date of the log is its identifier. Times are local, without zone. A log has the time of day
  only, so each line is put on the day that brings it nearest to the line above: past midnight is the next
  day. A line up to MAX_STEP_BACK earlier than the one above keeps its day (the clock does write such
  lines: 2026-03-17); anything earlier is refused.
* Place: the reverse order of the busts. Busts of one minute are no tie: the order of the lines decides.
  Whoever is never eliminated wins, and has no busted_at.
* Re-entry: a buy-in after the player's own bust is entry number 2, and so on. Each entry has its own
  place among all entries.
* Registration: a buy-in above the first bust counts as registered at the start, whatever its stamp.
  Stamped before the start it is the queue at the desk; stamped after it, it was keyed in bulk later on
  (2026-02-24). Nobody is late before the first bust, so no true late registration is lost. From the first
  bust on, the stamp is kept.
* End: TOURNAMENT END, or the last bust where that line is missing (2026-03-03).
* Left empty, for the log does not say: closes_at (a late buy-in shows that registration was open then,
  nothing shows when it closed), table_size and final_table_size.

A log that is not understood is refused (exit 1 and a line that names file, line and field), and then
nothing is written: a name that never bought in, a bust of somebody out, a buy-in of somebody in, an
unknown event, busts that run backwards, or not exactly one player left.
"""

import argparse
import csv
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path

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
LOG_COLUMNS = ("Time", "Event", "Players", "Eliminated By")
NO_MATTER = frozenset({"Blinds", "Break", "TimerStart", "TimerPause"})
MAX_STEP_BACK = timedelta(minutes=5)
CLOCK = re.compile(r"(\d{1,2}):(\d{2}) ?([ap])m", re.ASCII | re.IGNORECASE)


class LogError(ValueError):
    """A log that cannot be converted, said in one line."""


@dataclass(frozen=True)
class Line:
    where: str
    at: datetime
    event: str
    player: str
    eliminator: str

    def refuse(self, column: str, message: str) -> LogError:
        return LogError(f"{self.where}: {column}: {message}")


@dataclass
class Entry:
    player: str
    number: int
    stamp: datetime
    is_late: bool
    busted_at: datetime | None = None


@dataclass
class Night:
    """What the lines read so far amount to."""

    name: str
    day: date
    entries: list[Entry] = field(default_factory=list)
    in_play: dict[str, Entry] = field(default_factory=dict)
    busts: list[Entry] = field(default_factory=list)
    starts_at: datetime | None = None
    ends_at: datetime | None = None

    @property
    def last_bust_at(self) -> datetime | None:
        return self.busts[-1].busted_at if self.busts else None


def clock_time(text: str) -> time:
    match = CLOCK.fullmatch(text.strip())
    if match is None or not 1 <= int(match[1]) <= 12:
        raise ValueError(f"not a clock time like 7:10pm: {text!r}")
    afternoon = match[3].lower() == "p"
    return time(int(match[1]) % 12 + 12 * afternoon, int(match[2]))


def nearest_day(clock: time, previous: datetime) -> datetime:
    """The datetime of that time of day that is nearest to the line above."""
    same_day = datetime.combine(previous.date(), clock)
    candidates = (same_day + timedelta(days=days) for days in (-1, 0, 1))
    return min(candidates, key=lambda candidate: abs(candidate - previous))


def stamp(text: str, day: date, previous: datetime | None) -> datetime:
    clock = clock_time(text)
    if previous is None:
        return datetime.combine(day, clock)
    at = nearest_day(clock, previous)
    if at < previous - MAX_STEP_BACK:
        raise ValueError(f"{text} is long before the line above ({previous:%H:%M})")
    return at


def read_lines(path: Path, day: date) -> Iterator[Line]:
    previous: datetime | None = None
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, restval="")
        missing = [column for column in LOG_COLUMNS if column not in (rows.fieldnames or ())]
        if missing:
            raise LogError(f"{path.name}: line 1: {missing[0]}: no such column")
        for row in rows:
            where = f"{path.name}: line {rows.line_num}"
            try:
                previous = stamp(row["Time"], day, previous)
            except ValueError as error:
                raise LogError(f"{where}: Time: {error}") from None
            yield Line(where, previous, *(row[column].strip() for column in LOG_COLUMNS[1:]))


def start(night: Night, line: Line) -> None:
    if night.starts_at is not None:
        raise line.refuse("Event", "a second start")
    night.starts_at = line.at


def end(night: Night, line: Line) -> None:
    if night.ends_at is not None:
        raise line.refuse("Event", "a second end")
    night.ends_at = line.at


def buy_in(night: Night, line: Line) -> None:
    if not line.player:
        raise line.refuse("Players", "a buy-in of nobody")
    if line.player in night.in_play:
        raise line.refuse("Players", f"{line.player} buys in but is still in")
    if night.ends_at is not None:
        raise line.refuse("Event", "a buy-in after the end")
    number = 1 + sum(entry.player == line.player for entry in night.entries)
    entry = Entry(line.player, number, line.at, is_late=bool(night.busts))
    night.entries.append(entry)
    night.in_play[line.player] = entry


def bust(night: Night, line: Line) -> None:
    check_bust(night, line)
    entry = night.in_play.pop(line.player)
    entry.busted_at = line.at
    night.busts.append(entry)


def check_bust(night: Night, line: Line) -> None:
    known = {entry.player for entry in night.entries}
    for column, name in (("Players", line.player), ("Eliminated By", line.eliminator)):
        if name not in known and (name or column == "Players"):
            raise line.refuse(column, f"{name or 'nobody'} never bought in")
    if line.player not in night.in_play:
        raise line.refuse("Players", f"{line.player} is already out")
    if line.eliminator == line.player:
        raise line.refuse("Eliminated By", f"{line.player} cannot eliminate themselves")
    if night.starts_at is None or night.ends_at is not None:
        raise line.refuse("Event", "a bust outside the tournament")
    entry = night.in_play[line.player]
    registered_at = entry.stamp if entry.is_late else night.starts_at
    if line.at < max(night.starts_at, registered_at, night.last_bust_at or night.starts_at):
        raise line.refuse("Time", "a bust before the start, the bust above or its own buy-in")


HANDLERS: dict[str, Callable[[Night, Line], None]] = {
    "BuyIn": buy_in,
    "Eliminated": bust,
    "TOURNAMENT START": start,
    "TOURNAMENT END": end,
}


def read_night(path: Path) -> Night:
    try:
        night = Night(path.name, date.fromisoformat(path.stem))
    except ValueError:
        raise LogError(f"{path.name}: the name of a log is its date, like 2026-01-13.csv") from None
    try:
        follow(night, read_lines(path, night.day))
    except (UnicodeDecodeError, csv.Error) as error:
        raise LogError(f"{path.name}: not a UTF-8 CSV file: {error}") from None
    check_night(night)
    return night


def follow(night: Night, lines: Iterable[Line]) -> None:
    for line in lines:
        if line.event in HANDLERS:
            HANDLERS[line.event](night, line)
        elif line.event not in NO_MATTER:
            raise line.refuse("Event", f"unknown event {line.event!r}")


def check_night(night: Night) -> None:
    if night.starts_at is None:
        raise LogError(f"{night.name}: Event: no TOURNAMENT START")
    if len(night.in_play) != 1:
        left = ", ".join(night.in_play) or "nobody"
        raise LogError(f"{night.name}: Players: exactly one player must be left at the end, not {left}")
    if night.last_bust_at is None:
        raise LogError(f"{night.name}: Event: nobody was eliminated")
    if night.ends_at is not None and night.ends_at < night.last_bust_at:
        raise LogError(f"{night.name}: Time: TOURNAMENT END before the last bust")


def iso(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(timespec="minutes")


def event_rows(night: Night) -> list[dict[str, str | int]]:
    """A row per entry, the winner first."""
    finish = [*night.in_play.values(), *reversed(night.busts)]
    shared = {
        "event": night.day.isoformat(),
        "date": night.day.isoformat(),
        "starts_at": iso(night.starts_at),
        "ends_at": iso(night.ends_at or night.last_bust_at),
    }
    return [
        {
            **shared,
            "player": entry.player,
            "number": entry.number,
            "place": place,
            "registered_at": iso(entry.stamp if entry.is_late else night.starts_at),
            "busted_at": iso(entry.busted_at),
        }
        for place, entry in enumerate(finish, start=1)
    ]


def write_event(path: Path, rows: list[dict[str, str | int]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def convert_folder(logs: Path, out: Path) -> None:
    if out.resolve() == logs.resolve():
        raise LogError(f"{out}: the event files would replace the logs")
    paths = sorted(logs.glob("*.csv"))
    if not paths:
        raise LogError(f"{logs}: no logs (*.csv) here")
    nights = [read_night(path) for path in paths]
    out.mkdir(parents=True, exist_ok=True)
    for night in nights:
        write_event(out / night.name, event_rows(night))
        winner = next(iter(night.in_play))
        print(f"{night.name}: {len(night.entries)} entries, won by {winner}", file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Turn tournament-clock logs into Tierboard event files.")
    parser.add_argument("logs", type=Path, metavar="LOG_FOLDER")
    parser.add_argument("out", type=Path, metavar="OUT_FOLDER")
    options = parser.parse_args(argv)
    try:
        convert_folder(options.logs, options.out)
    except (LogError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
