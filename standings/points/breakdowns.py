"""Breakdowns of totals (which events count, which are dropped and why), and the season table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property, lru_cache

from django.db.models import Count, Q

from league.models import Entry, Player, Season
from payouts.engine.seasons.breakdown import EventVerdict, PlayerBreakdown, season_breakdown
from payouts.engine.seasons.season import BroughtForward
from payouts.engine.seasons.selection import Verdict
from payouts.engine.seasons.standings import SeasonRow, season_rows
from payouts.models import SeasonRules
from payouts.queries import PlayedEvent, played_events, rules_of, totals_brought_forward
from payouts.sentences import first_day_of, verdict_in_words, weight_in_words
from standings.decimals import places_of
from standings.points.race import Race, points_race
from standings.queries import LeaderPage, LeaderRow, leader_page, pool_work_state
from standings.recomputation.columns import EntryColumns, event_numbers, read_entries
from standings.recomputation.season import results_of

LEAST_COLUMNS, MOST_COLUMNS = 12, 60  # of a season table
MOST_CELLS = 900  # so that the page stays small
MANY_A_DAY = 2  # events on a day, on average, from which on columns are days
MOST_RACERS = 10  # lines of the points race
ZERO = Fraction(0)
COLUMNS = ("event", "day", "month")


@dataclass(frozen=True)
class Played:
    """Some players' results of a season: breakdowns, rows and places by player."""

    events: list[PlayedEvent]
    breakdowns: dict[int, PlayerBreakdown]
    rows: dict[int, SeasonRow]
    places: dict[tuple[int, int], int]  # by player and index of the event
    entries: EntryColumns
    brought_forward: list[BroughtForward]


def played_by(season: Season, player_ids: Sequence[int]) -> Played:
    """The results of some players in a season, by three queries."""
    rules, events = rules_of(season).scoring, played_events(season)
    own = Entry.objects.filter(event__season=season, player__in=player_ids, points__isnull=False)
    entries = read_entries(own, event_numbers(events))
    results = results_of(entries)
    counted_as = [event.counts_as for event in events]
    brought_forward = totals_brought_forward(season, player_ids)
    breakdowns = season_breakdown(results, rules, events=counted_as, brought_forward=brought_forward)
    # Only the sums are used: ranks among these players alone mean nothing, so the names are left empty.
    names = dict.fromkeys(player_ids, "")
    rows = season_rows(results, rules, events=counted_as, brought_forward=brought_forward, names=names)
    return Played(
        events,
        {breakdown.player_id: breakdown for breakdown in breakdowns},
        {row.player_id: row for row in rows},
        dict(
            zip(
                zip(results.player_id.tolist(), results.event_index.tolist(), strict=True),
                results.place.tolist(),
                strict=True,
            )
        ),
        entries,
        list(brought_forward),
    )


@dataclass(frozen=True)
class Line:
    """An event in a player's breakdown."""

    event: PlayedEvent
    verdict: EventVerdict
    place: int | None
    weight: str
    reason: str

    @property
    def is_dropped(self) -> bool:
        return not self.verdict.verdict.counts and self.verdict.verdict != Verdict.MISSED


@dataclass(frozen=True)
class Month:
    first_day: date
    lines: list[Line]
    counted: Fraction


@dataclass(frozen=True)
class PlayerSeason:
    """A player's total taken apart, so that it can be added up by hand."""

    months: list[Month]
    sums: SeasonRow
    breakdown: PlayerBreakdown
    rules: SeasonRules

    @property
    def counted(self) -> Fraction:
        return sum((month.counted for month in self.months), ZERO)

    @property
    def net(self) -> Fraction:
        return self.sums.all_points - self.rules.scoring.stake * self.sums.n_entries


def player_season(season: Season, player: Player) -> PlayerSeason | None:
    """Read a player's season; None without results and totals brought forward."""
    played = played_by(season, [player.pk])
    if player.pk not in played.breakdowns:
        return None
    breakdown = played.breakdowns[player.pk]
    lines = [
        _line(
            verdict, played.events[verdict.event_index], played.places.get((player.pk, verdict.event_index))
        )
        for verdict in breakdown.events
    ]
    months = [
        Month(first_day_of(label), [line for line in lines if line.event.counts_as.month == label], counted)
        for label, counted in breakdown.months
    ]
    return PlayerSeason(months, played.rows[player.pk], breakdown, rules_of(season))


def _line(verdict: EventVerdict, event: PlayedEvent, place: int | None) -> Line:
    return Line(event, verdict, place, weight_in_words(event.counts_as), verdict_in_words(verdict))


@dataclass(frozen=True)
class Cell:
    """A player's points in a column: of an event, or what counts of a month."""

    points: Fraction
    won: bool = False
    dropped: str = ""  # why it is dropped; empty if it counts


@dataclass(frozen=True)
class Column:
    """An event with its number, a day or a month."""

    label: date
    event: PlayedEvent | None = None
    number: int = 0
    weight: str = ""


@dataclass(frozen=True)
class SeasonTable:
    columns: list[Column]  # the newest first
    part: int  # which part of all columns these are, from 1
    n_parts: int
    fields: list[tuple[int, int]]  # players and entries of each event that has a column
    rows: list[tuple[LeaderRow, list[Cell | None], Fraction | None]]  # and points brought forward
    page: LeaderPage
    columns_by: str
    sort: str
    race: Race | None  # on the first page by points
    has_attendance: bool  # the totals have points for coming

    @property
    def has_reentries(self) -> bool:
        return any(n_players < n_entries for n_players, n_entries in self.fields)

    @cached_property
    def places(self) -> int:
        """The most decimal places of the points shown, so that columns have one scale."""
        cells = (cell.points for _row, cells, _brought_forward in self.rows for cell in cells if cell)
        return places_of([*cells, *(row.total for row, _cells, _brought_forward in self.rows)])

    @property
    def has_brought_forward(self) -> bool:
        return any(row.n_brought for row, _cells, _brought_forward in self.rows)


def season_table(
    season: Season, *, page: int, columns_by: str = "", sort: str = "points", part: int = 1
) -> SeasonTable:
    """Points of each player by event, day or month, a page of players and a part of the columns, the newest first."""
    leaders = leader_page(season, by=sort, page=page)
    played = played_by(season, [row.player_id for row in leaders.rows])
    columns_by = columns_by or _usual_columns(played.events)
    make_columns, cells_of = COLUMNS_AND_CELLS[columns_by]
    columns = make_columns(played.events)
    size = _columns_beside(len(leaders.rows))
    n_parts = max(1, -(-len(columns) // size))
    part = min(max(part, 1), n_parts)
    shown = slice((part - 1) * size, part * size)
    newest = columns[::-1][shown]
    rows = []
    for row in leaders.rows:
        breakdown = played.breakdowns.get(row.player_id)
        cells = list[Cell | None]([None] * len(newest))
        if breakdown:
            cells = cells_of(breakdown, played)[::-1][shown]
        rows.append(
            (
                row,
                cells,
                breakdown.brought_forward.points if breakdown and breakdown.brought_forward else None,
            )
        )
    return SeasonTable(
        newest,
        part,
        n_parts,
        _fields(newest),
        rows,
        leaders,
        columns_by,
        sort,
        _race(season, leaders, played, sort),
        rules_of(season).attendance_points > 0,
    )


@dataclass(frozen=True)
class EventPoints:
    """A player's points at an event, and why they do not count if they do not."""

    event_id: int
    cell: Cell


def points_by_event(season: Season, player_ids: Sequence[int], *, part: int) -> dict[int, list[EventPoints]]:
    """Read the points of some players at the events of a part, the newest first; events they missed are left out."""
    played = played_by(season, player_ids)
    shown = slice((part - 1) * MOST_COLUMNS, part * MOST_COLUMNS)
    newest = played.events[::-1][shown]
    points = {}
    for player_id in player_ids:
        breakdown = played.breakdowns.get(player_id)
        cells = _event_cells(breakdown, played)[::-1][shown] if breakdown else []
        pairs = zip(newest, cells, strict=bool(breakdown))
        points[player_id] = [EventPoints(event.pk, cell) for event, cell in pairs if cell]
    return points


def _columns_beside(n_rows: int) -> int:
    """Count how many columns a part of the table has beside so many rows."""
    return min(MOST_COLUMNS, max(LEAST_COLUMNS, MOST_CELLS // max(n_rows, 1)))


def _race(season: Season, leaders: LeaderPage, played: Played, sort: str) -> Race | None:
    """Compute the race of the players on the first page by points."""
    if sort != "points" or leaders.number != 1:
        return None
    computed = pool_work_state(season.pool)
    kept = _kept_race(season.pk, season.pool.data_version, computed.rated_at)
    if not kept:
        names = {row.player_id: row.name for row in leaders.rows[:MOST_RACERS]}
        counted_as = [event.counts_as for event in played.events]
        rules = rules_of(season).scoring
        kept.append(points_race(names, played.entries, counted_as, rules, played.brought_forward))
    return kept[0]


@lru_cache(maxsize=256)
def _kept_race(_season_id: int, _version: int, _rated_at: datetime | None) -> list[Race | None]:
    """Return the place where the race of a season is kept until its data has another version."""
    return []


def _usual_columns(events: Sequence[PlayedEvent]) -> str:
    """Columns by day where most days have several events, as on nights of several games."""
    return "day" if len(events) >= MANY_A_DAY * len({event.day for event in events}) > 0 else "event"


def _fields(columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Players and entries of each event that has a column, in one query."""
    event_ids = [column.event.pk for column in columns if column.event]
    counted = Entry.objects.filter(event__in=event_ids).values("event")
    rows = counted.annotate(n_players=Count("pk", filter=Q(is_last=True)), n_entries=Count("pk"))
    counts = {row["event"]: (row["n_players"], row["n_entries"]) for row in rows}
    return [counts.get(pk, (0, 0)) for pk in event_ids]


def _months(events: Iterable[PlayedEvent]) -> list[Column]:
    return [Column(first_day_of(label)) for label in dict.fromkeys(event.counts_as.month for event in events)]


def _days(events: Iterable[PlayedEvent]) -> list[Column]:
    return [Column(day) for day in dict.fromkeys(event.day for event in events)]


def _event_columns(events: Iterable[PlayedEvent]) -> list[Column]:
    return [
        Column(event.day, event, number, weight_in_words(event.counts_as))
        for number, event in enumerate(events, start=1)
    ]


def _month_cells(breakdown: PlayerBreakdown, _played: Played) -> list[Cell | None]:
    present = {verdict.month for verdict in breakdown.events if verdict.verdict != Verdict.MISSED}
    return [Cell(counted) if label in present else None for label, counted in breakdown.months]


def _day_cells(breakdown: PlayerBreakdown, played: Played) -> list[Cell | None]:
    """Say what counts of each day; all points of a day of which nothing counts."""
    by_day: dict[date, list[EventVerdict]] = {event.day: [] for event in played.events}
    for verdict in breakdown.events:
        if verdict.verdict != Verdict.MISSED:
            by_day[played.events[verdict.event_index].day].append(verdict)
    return [_day_cell(verdicts) if verdicts else None for verdicts in by_day.values()]


def _day_cell(verdicts: Sequence[EventVerdict]) -> Cell:
    counted = [verdict for verdict in verdicts if verdict.verdict.counts]
    points = sum((verdict.points * verdict.multiplier for verdict in counted or verdicts), ZERO)
    return Cell(points, dropped="" if counted else verdict_in_words(verdicts[0]))


def _event_cells(breakdown: PlayerBreakdown, played: Played) -> list[Cell | None]:
    cells: list[Cell | None] = []
    for verdict in breakdown.events:
        if verdict.verdict == Verdict.MISSED:
            cells.append(None)
            continue
        won = played.places[breakdown.player_id, verdict.event_index] == 1
        points = verdict.points * verdict.multiplier
        dropped = "" if verdict.verdict.counts else verdict_in_words(verdict)
        cells.append(Cell(points, won, dropped))
    return cells


COLUMNS_AND_CELLS: dict[
    str,
    tuple[
        Callable[[Sequence[PlayedEvent]], list[Column]],
        Callable[[PlayerBreakdown, Played], list[Cell | None]],
    ],
] = {
    "event": (_event_columns, _event_cells),
    "day": (_days, _day_cells),
    "month": (_months, _month_cells),
}
