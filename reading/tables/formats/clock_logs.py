"""Read the event logs of a tournament clock: a line for each buy-in, bust and level, stamped to the minute.

* Times are local. A log has only the time of day, so each line gets the day that brings it nearest to the line above:
  past midnight is the next day. A line up to MAX_STEP_BACK earlier than the one above keeps its day (the clock does
  write such lines); anything earlier is refused.
* Place: the reverse order of the busts. Busts of the same minute are not tied: the order of the lines decides. The
  player who is never eliminated wins, and has no time of a bust.
* Re-entry: a buy-in after the player's own bust is entry number 2, and so on.
* Registration: a buy-in above the first bust counts as registered at the start, whatever its stamp: buy-ins are typed
  in together before or after the start. From the first bust on, the stamp counts.
* End: TOURNAMENT END, or the last bust if that line is missing.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from django.utils.translation import gettext_noop as _  # translated where the reader's language is known

from reading.tables.grids import Grid, Row

LOG_COLUMNS = ("Time", "Event", "Players", "Eliminated By")
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
    "knockouts",
)
IGNORED_EVENTS = frozenset({"Blinds", "Break", "TimerStart", "TimerPause"})
MAX_STEP_BACK = timedelta(minutes=5)
CLOCK = re.compile(r"(\d{1,2}):(\d{2}) ?([ap])m", re.ASCII | re.IGNORECASE)
NOON = 12


class LogError(ValueError):
    """A mistake in a log, with its line (0: the whole log) and column; `template` and `values` make the message."""

    def __init__(self, line: int, column: str, template: str, **values: str) -> None:
        super().__init__(template % values)
        self.line, self.column, self.template, self.values = line, column, template, values


@dataclass(frozen=True)
class Line:
    number: int
    at: datetime
    event: str
    player: str
    eliminator: str

    def refuse(self, column: str, template: str, **values: str) -> LogError:
        return LogError(self.number, column, template, **values)


@dataclass
class LogEntry:
    player: str
    number: int
    stamp: datetime
    is_late: bool
    busted_at: datetime | None = None
    knockouts: int = 0


@dataclass
class Tournament:
    """The state of a tournament after the lines read so far."""

    day: date
    entries: list[LogEntry] = field(default_factory=list)
    in_play: dict[str, LogEntry] = field(default_factory=dict)
    busts: list[LogEntry] = field(default_factory=list)
    starts_at: datetime | None = None
    ends_at: datetime | None = None

    @property
    def last_bust_at(self) -> datetime | None:
        return self.busts[-1].busted_at if self.busts else None

    @property
    def finish(self) -> list[LogEntry]:
        """The entries by place, the winner first."""
        return [*self.in_play.values(), *reversed(self.busts)]


def is_clock_log(grid: Grid) -> bool:
    """Tell whether the first row has the column names of a log."""
    return bool(grid.rows) and set(LOG_COLUMNS) <= set(grid.rows[0].cells)


def read_clock_log(grid: Grid, day: date) -> Tournament:
    """Follow a log from its first line to its last.

    Raises
    ------
    LogError
        For a name that never bought in, a bust of a player who is out, a buy-in of a player who is in, an unknown
        event, busts that run backwards, and any number of players but one left at the end.
    """
    tournament = Tournament(day)
    for line in _lines(grid.rows, day):
        if line.event in HANDLERS:
            HANDLERS[line.event](tournament, line)
        elif line.event not in IGNORED_EVENTS:
            raise line.refuse("Event", _("unknown kind of line “%(kind)s”"), kind=line.event)
    _check(tournament)
    return tournament


def rows_of(tournament: Tournament) -> list[tuple[str, ...]]:
    """Write a row of COLUMNS for each entry, the winner first."""
    day = tournament.day.isoformat()
    has_knockouts = any(entry.knockouts for entry in tournament.entries)
    starts_at, ends_at = _iso(tournament.starts_at), _iso(tournament.ends_at or tournament.last_bust_at)
    return [
        (
            day,
            day,
            entry.player,
            str(entry.number),
            str(place),
            _iso(entry.stamp if entry.is_late else tournament.starts_at),
            _iso(entry.busted_at),
            starts_at,
            ends_at,
            str(entry.knockouts) if has_knockouts else "",
        )
        for place, entry in enumerate(tournament.finish, start=1)
    ]


def _iso(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(timespec="minutes")


def _lines(rows: Sequence[Row], day: date) -> Iterable[Line]:
    header, *body = rows
    index = {name: header.cells.index(name) for name in LOG_COLUMNS}
    previous: datetime | None = None
    for row in body:
        if row.is_empty:
            continue
        cells = {name: row.cells[i] if i < len(row.cells) else "" for name, i in index.items()}
        previous = _stamp(row.line, cells["Time"], day, previous)
        yield Line(row.line, previous, *(cells[name] for name in LOG_COLUMNS[1:]))


def _stamp(line: int, text: str, day: date, previous: datetime | None) -> datetime:
    clock = clock_time(text)
    if clock is None:
        raise LogError(line, "Time", _("“%(text)s” is no time like 7:10pm"), text=text)
    if previous is None:
        return datetime.combine(day, clock)
    at = _nearest_day(clock, previous)
    if at < previous - MAX_STEP_BACK:
        above = f"{previous:%H:%M}"
        raise LogError(
            line, "Time", _("%(text)s is long before the line above (%(above)s)"), text=text, above=above
        )
    return at


def clock_time(text: str) -> time | None:
    """Read a time of day as the clock writes it: 7:10pm."""
    match = CLOCK.fullmatch(text.strip())
    if match is None or not 1 <= int(match[1]) <= NOON or int(match[2]) >= 60:  # noqa: PLR2004
        return None
    return time(int(match[1]) % NOON + NOON * (match[3].lower() == "p"), int(match[2]))


def _nearest_day(clock: time, previous: datetime) -> datetime:
    """Put a time of day on the day that brings it nearest to the line above."""
    same_day = datetime.combine(previous.date(), clock)
    candidates = (same_day + timedelta(days=days) for days in (-1, 0, 1))
    return min(candidates, key=lambda candidate: abs(candidate - previous))


def _start(tournament: Tournament, line: Line) -> None:
    if tournament.starts_at is not None:
        raise line.refuse("Event", _("a second start"))
    tournament.starts_at = line.at


def _end(tournament: Tournament, line: Line) -> None:
    if tournament.ends_at is not None:
        raise line.refuse("Event", _("a second end"))
    tournament.ends_at = line.at


def _buy_in(tournament: Tournament, line: Line) -> None:
    if not line.player:
        raise line.refuse("Players", _("a buy-in of nobody"))
    if line.player in tournament.in_play:
        raise line.refuse("Players", _("%(player)s buys in but is still in"), player=line.player)
    if tournament.ends_at is not None:
        raise line.refuse("Event", _("a buy-in after the end"))
    number = 1 + sum(entry.player == line.player for entry in tournament.entries)
    entry = LogEntry(line.player, number, line.at, is_late=bool(tournament.busts))
    tournament.entries.append(entry)
    tournament.in_play[line.player] = entry


def _bust(tournament: Tournament, line: Line) -> None:
    _check_bust(tournament, line)
    entry = tournament.in_play.pop(line.player)
    entry.busted_at = line.at
    tournament.busts.append(entry)
    if line.eliminator in tournament.in_play:
        tournament.in_play[line.eliminator].knockouts += 1


def _check_bust(tournament: Tournament, line: Line) -> None:
    known = {entry.player for entry in tournament.entries}
    for column, name in (("Players", line.player), ("Eliminated By", line.eliminator)):
        if name not in known and (name or column == "Players"):
            raise line.refuse(column, _("%(player)s never bought in"), player=name or "nobody")
    if line.player not in tournament.in_play:
        raise line.refuse("Players", _("%(player)s is already out"), player=line.player)
    if line.eliminator == line.player:
        raise line.refuse("Eliminated By", _("%(player)s cannot eliminate themselves"), player=line.player)
    if tournament.starts_at is None or tournament.ends_at is not None:
        raise line.refuse("Event", _("a bust outside the tournament"))
    entry = tournament.in_play[line.player]
    registered_at = entry.stamp if entry.is_late else tournament.starts_at
    if line.at < max(tournament.starts_at, registered_at, tournament.last_bust_at or tournament.starts_at):
        raise line.refuse("Time", _("a bust before the start, the bust above or its own buy-in"))


HANDLERS: dict[str, Callable[[Tournament, Line], None]] = {
    "BuyIn": _buy_in,
    "Eliminated": _bust,
    "TOURNAMENT START": _start,
    "TOURNAMENT END": _end,
}


def _check(tournament: Tournament) -> None:
    if tournament.starts_at is None:
        raise LogError(0, "Event", _("no TOURNAMENT START"))
    if len(tournament.in_play) != 1:
        left = ", ".join(tournament.in_play) or "nobody"
        raise LogError(0, "Players", _("exactly one player must be left at the end, not %(left)s"), left=left)
    if tournament.last_bust_at is None:
        raise LogError(0, "Event", _("nobody was eliminated"))
    if tournament.ends_at is not None and tournament.ends_at < tournament.last_bust_at:
        raise LogError(0, "Time", _("TOURNAMENT END before the last bust"))
