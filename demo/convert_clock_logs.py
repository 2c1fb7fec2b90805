"""Turn the event logs of a tournament clock into Tierboard event files.

    python demo/convert_clock_logs.py LOG_FOLDER OUT_FOLDER

LOG_FOLDER has a log for each tournament, named by its date (2026-01-13.csv). OUT_FOLDER gets a file of the
same name for each, with the columns COLUMNS. The rules:

* Event: the date of the log is its identifier. Times are local, without zone. A log has only the time of
  day, so each line gets the day that brings it nearest to the line above: past midnight is the next day.
  A line up to MAX_STEP_BACK earlier than the one above keeps its day (the clock does write such lines:
  2026-03-17); anything earlier is refused.
* Place: the reverse order of the busts. Busts of the same minute are not tied: the order of the lines
  decides. The player who is never eliminated wins, and has no busted_at.
* Re-entry: a buy-in after the player's own bust is entry number 2, and so on. Each entry has its own
  place among all entries.
* Registration: a buy-in above the first bust counts as registered at the start, whatever its stamp. A stamp
  before the start comes from the queue at the desk; a stamp after it means that buy-ins were typed in
  together later (2026-02-24). Nobody is late before the first bust, so no true late registration is lost.
  From the first bust on, the stamp counts.
* End: TOURNAMENT END, or the last bust if that line is missing (2026-03-03).
* Empty, because the log does not contain them: closes_at (a late buy-in shows that registration was open
  then, but nothing shows when it closed), table_size and final_table_size.

A log with an error is refused (exit status 1 and a line that names file, line and field), and then nothing
is written. Errors are a name that never bought in, a bust of a player who is out, a buy-in of a player who
is in, an unknown event, busts that run backwards, and any number of players but one left at the end.
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
IGNORED_EVENTS = frozenset({"Blinds", "Break", "TimerStart", "TimerPause"})
MAX_STEP_BACK = timedelta(minutes=5)
CLOCK = re.compile(r"(\d{1,2}):(\d{2}) ?([ap])m", re.ASCII | re.IGNORECASE)


class LogError(ValueError):
    """An error of a log; the message is one line."""


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
class Tournament:
    """The state of a tournament after the lines read so far."""

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
    """Put a time of day on the day that brings it nearest to the line above."""
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


def start(tournament: Tournament, line: Line) -> None:
    if tournament.starts_at is not None:
        raise line.refuse("Event", "a second start")
    tournament.starts_at = line.at


def end(tournament: Tournament, line: Line) -> None:
    if tournament.ends_at is not None:
        raise line.refuse("Event", "a second end")
    tournament.ends_at = line.at


def buy_in(tournament: Tournament, line: Line) -> None:
    if not line.player:
        raise line.refuse("Players", "a buy-in of nobody")
    if line.player in tournament.in_play:
        raise line.refuse("Players", f"{line.player} buys in but is still in")
    if tournament.ends_at is not None:
        raise line.refuse("Event", "a buy-in after the end")
    number = 1 + sum(entry.player == line.player for entry in tournament.entries)
    entry = Entry(line.player, number, line.at, is_late=bool(tournament.busts))
    tournament.entries.append(entry)
    tournament.in_play[line.player] = entry


def bust(tournament: Tournament, line: Line) -> None:
    check_bust(tournament, line)
    entry = tournament.in_play.pop(line.player)
    entry.busted_at = line.at
    tournament.busts.append(entry)


def check_bust(tournament: Tournament, line: Line) -> None:
    known = {entry.player for entry in tournament.entries}
    for column, name in (("Players", line.player), ("Eliminated By", line.eliminator)):
        if name not in known and (name or column == "Players"):
            raise line.refuse(column, f"{name or 'nobody'} never bought in")
    if line.player not in tournament.in_play:
        raise line.refuse("Players", f"{line.player} is already out")
    if line.eliminator == line.player:
        raise line.refuse("Eliminated By", f"{line.player} cannot eliminate themselves")
    if tournament.starts_at is None or tournament.ends_at is not None:
        raise line.refuse("Event", "a bust outside the tournament")
    entry = tournament.in_play[line.player]
    registered_at = entry.stamp if entry.is_late else tournament.starts_at
    if line.at < max(tournament.starts_at, registered_at, tournament.last_bust_at or tournament.starts_at):
        raise line.refuse("Time", "a bust before the start, the bust above or its own buy-in")


HANDLERS: dict[str, Callable[[Tournament, Line], None]] = {
    "BuyIn": buy_in,
    "Eliminated": bust,
    "TOURNAMENT START": start,
    "TOURNAMENT END": end,
}


def read_tournament(path: Path) -> Tournament:
    try:
        tournament = Tournament(path.name, date.fromisoformat(path.stem))
    except ValueError:
        raise LogError(f"{path.name}: the name of a log is its date, like 2026-01-13.csv") from None
    try:
        follow(tournament, read_lines(path, tournament.day))
    except (UnicodeDecodeError, csv.Error) as error:
        raise LogError(f"{path.name}: not a UTF-8 CSV file: {error}") from None
    check_tournament(tournament)
    return tournament


def follow(tournament: Tournament, lines: Iterable[Line]) -> None:
    for line in lines:
        if line.event in HANDLERS:
            HANDLERS[line.event](tournament, line)
        elif line.event not in IGNORED_EVENTS:
            raise line.refuse("Event", f"unknown event {line.event!r}")


def check_tournament(tournament: Tournament) -> None:
    if tournament.starts_at is None:
        raise LogError(f"{tournament.name}: Event: no TOURNAMENT START")
    if len(tournament.in_play) != 1:
        left = ", ".join(tournament.in_play) or "nobody"
        raise LogError(f"{tournament.name}: Players: exactly one player must be left at the end, not {left}")
    if tournament.last_bust_at is None:
        raise LogError(f"{tournament.name}: Event: nobody was eliminated")
    if tournament.ends_at is not None and tournament.ends_at < tournament.last_bust_at:
        raise LogError(f"{tournament.name}: Time: TOURNAMENT END before the last bust")


def iso(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(timespec="minutes")


def event_rows(tournament: Tournament) -> list[dict[str, str | int]]:
    """Build a row for each entry, the winner first."""
    finish = [*tournament.in_play.values(), *reversed(tournament.busts)]
    shared = {
        "event": tournament.day.isoformat(),
        "date": tournament.day.isoformat(),
        "starts_at": iso(tournament.starts_at),
        "ends_at": iso(tournament.ends_at or tournament.last_bust_at),
    }
    return [
        {
            **shared,
            "player": entry.player,
            "number": entry.number,
            "place": place,
            "registered_at": iso(entry.stamp if entry.is_late else tournament.starts_at),
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
    tournaments = [read_tournament(path) for path in paths]
    out.mkdir(parents=True, exist_ok=True)
    for tournament in tournaments:
        write_event(out / tournament.name, event_rows(tournament))
        winner = next(iter(tournament.in_play))
        print(f"{tournament.name}: {len(tournament.entries)} entries, won by {winner}", file=sys.stderr)


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
