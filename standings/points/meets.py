"""Overall standings of a meet: the points of each game as they were settled, added up."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from league.models import Entry, Event, Meet, MeetOrder, Season
from payouts.engine.seasons.meets import GameResult, overall_rows
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
    is_of_balances: bool = False  # whether nothing is staked in any of its games

    @property
    def winners(self) -> list[MeetLine]:
        return [line for line in self.lines if line.place == 1]


def meets_of(season: Season) -> list[Meet]:
    """The meets of a season, the newest first."""
    return list(Meet.objects.filter(season=season).order_by("-day", "-pk"))


def meet_standings(meet: Meet) -> MeetStandings:
    return standings_of_meets([meet])[meet.pk]


def standings_of_meets(meets: Collection[Meet]) -> dict[int, MeetStandings]:
    """The standings of meets by their ids; games whose points are not computed yet have an empty column."""
    events: dict[int, list[Event]] = {meet.pk: [] for meet in meets}
    played = Event.objects.filter(meet__in=events).select_related("rules")
    for event in played.order_by("starts_at", "pk"):
        events[event.meet_id or 0].append(event)
    rows = Entry.objects.filter(event__meet__in=events, points__isnull=False).values_list(
        "event__meet_id", "event_id", "player_id", "player__name", "player__key", "place", "points__numerator",
        "points__denominator",
    )  # fmt: skip
    entries: dict[int, list[tuple[Any, ...]]] = {pk: [] for pk in events}
    for meet_id, *entry in rows:
        entries[meet_id].append(tuple(entry))
    return {meet.pk: _standings(meet, events[meet.pk], entries[meet.pk]) for meet in meets}


def _standings(meet: Meet, events: list[Event], entries: Iterable[tuple[Any, ...]]) -> MeetStandings:
    index = {event.pk: i for i, event in enumerate(events)}
    results, names, keys = [], {}, {}
    for event_id, player_id, name, key, place, numerator, denominator in entries:
        results.append(GameResult(index[event_id], player_id, place, Fraction(numerator, denominator)))
        names[player_id], keys[player_id] = name, key
    won = {(result.game, result.player_id) for result in results if result.place == 1}
    is_by_profit = meet.ordered_by == MeetOrder.PROFIT
    of_balances = {i for i, event in enumerate(events) if _pays_balances(event)}
    rows = overall_rows(len(events), results, "profit" if is_by_profit else "total", of_balances=of_balances)
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
    return MeetStandings(events, lines, is_by_profit, len(of_balances) == len(events))


def _pays_balances(event: Event) -> bool:
    rules = getattr(event, "rules", None)
    return bool(rules and rules.pays_balances)


def _cells(
    points: Sequence[Fraction | None], player_id: int, won: set[tuple[int, int]]
) -> list[tuple[Decimal, bool] | None]:
    return [
        None if value is None else (decimal_of(value, POINTS), (game, player_id) in won)
        for game, value in enumerate(points)
    ]
