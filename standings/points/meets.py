"""Overall standings of a meet: the points of each game as they were settled, added up."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from league.models import Entry, Event, Meet, MeetOrder, Season
from payouts.engine.meets import GameResult, overall_rows
from standings.decimals import POINTS, decimal_of


@dataclass(frozen=True)
class MeetLine:
    """A player's line. `cells` by game: points and whether it was won; None where the player did not play."""

    place: int
    player_id: int
    name: str
    cells: list[tuple[Decimal, bool] | None]
    total: Decimal
    profit: Decimal
    n_games: int
    n_wins: int


@dataclass(frozen=True)
class MeetStandings:
    """Standings of a meet. Games won decide equal totals or profits; players equal on both share a place, by name."""

    events: list[Event]
    lines: list[MeetLine]
    is_by_profit: bool = False

    @property
    def winners(self) -> list[MeetLine]:
        return [line for line in self.lines if line.place == 1]


def meets_of(season: Season) -> list[Meet]:
    """The meets of a season, the newest first."""
    return list(Meet.objects.filter(season=season).order_by("-day", "-pk"))


def meet_standings(meet: Meet) -> MeetStandings:
    """The standings of a meet; games whose points are not computed yet have an empty column."""
    events = list(meet.events.order_by("starts_at", "pk"))
    index = {event.pk: i for i, event in enumerate(events)}
    entries = Entry.objects.filter(event__in=events, points__isnull=False).values_list(
        "event_id", "player_id", "player__name", "player__key", "place", "points__numerator", "points__denominator"
    )  # fmt: skip
    results, names, keys = [], {}, {}
    for event_id, player_id, name, key, place, numerator, denominator in entries:
        results.append(GameResult(index[event_id], player_id, place, Fraction(numerator, denominator)))
        names[player_id], keys[player_id] = name, key
    won = {(result.game, result.player_id) for result in results if result.place == 1}
    is_by_profit = meet.ordered_by == MeetOrder.PROFIT
    rows = overall_rows(len(events), results, "profit" if is_by_profit else "total")
    lines = [
        MeetLine(
            place=row.place,
            player_id=row.player_id,
            name=names[row.player_id],
            cells=_cells(row.points, row.player_id, won),
            total=decimal_of(row.total, POINTS),
            profit=decimal_of(row.profit_per_tourney, POINTS),
            n_games=row.n_games,
            n_wins=row.wins,
        )
        for row in sorted(rows, key=lambda row: (row.place, keys[row.player_id]))
    ]
    return MeetStandings(events, lines, is_by_profit)


def _cells(
    points: Sequence[Fraction | None], player_id: int, won: set[tuple[int, int]]
) -> list[tuple[Decimal, bool] | None]:
    return [
        None if value is None else (decimal_of(value, POINTS), (game, player_id) in won)
        for game, value in enumerate(points)
    ]
