"""Winners of season awards, from the rows of the standings. Equal winners share an award."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from payouts.engine.seasons.standings import SeasonRow

N_ON_POINTS = 3
IMPROVED_FROM = 3  # the first event of a player that `most_improved` counts: the first two are placement
Value: TypeAlias = Fraction | int | float


@dataclass(frozen=True)
class Award:
    """One award: `place` is 1 except for `first_three`; `value` is the winning figure."""

    kind: str
    place: int
    player_ids: tuple[int, ...]
    value: Value


@dataclass(frozen=True)
class AwardInput:
    """Figures of a season that decide its awards.

    `rate_changes` holds the rating points that each player gained from event `IMPROVED_FROM` of the season on, and
    nobody with fewer events; `newcomers` are the players who had
    never played before it; `min_events` is how many events `best_profit` and `most_improved` need; `knockouts` is how
    many players each has knocked out in the season.
    """

    rows: Sequence[SeasonRow]
    rate_changes: Mapping[int, float]
    newcomers: Collection[int] = ()
    min_events: int = 1
    knockouts: Mapping[int, int] = field(default_factory=dict)


def first_three(season: AwardInput) -> list[Award]:
    """First three on points; tied players share a rank and the next is skipped."""
    awards = []
    for place in range(1, N_ON_POINTS + 1):
        winners = [row for row in season.rows if row.points_rank == place]
        if winners:
            players = tuple(sorted(row.player_id for row in winners))
            awards.append(Award("first_three", place, players, winners[0].total))
    return awards


def best_profit(season: AwardInput) -> list[Award]:
    """Best profit per tourney of those with at least `min_events` events."""
    rows = (row for row in season.rows if row.n_events >= season.min_events)
    return _best("best_profit", ((row.player_id, row.profit_per_tourney) for row in rows))


def most_attendance(season: AwardInput) -> list[Award]:
    """Most events played."""
    return _best("most_attendance", ((row.player_id, row.n_events) for row in season.rows))


def best_newcomer(season: AwardInput) -> list[Award]:
    """Newcomers with the best points rank; the value is their total."""
    rows = [row for row in season.rows if row.player_id in season.newcomers]
    rank = min((row.points_rank for row in rows), default=0)
    return _best("best_newcomer", ((row.player_id, row.total) for row in rows if row.points_rank == rank))


def most_improved(season: AwardInput) -> list[Award]:
    """Most rating points gained, of those with at least `min_events` events; nobody if nobody has gained."""
    return _best(
        "most_improved",
        (
            (row.player_id, season.rate_changes[row.player_id])
            for row in season.rows
            if row.n_events >= season.min_events and season.rate_changes.get(row.player_id, 0) > 0
        ),
    )


def most_wins(season: AwardInput) -> list[Award]:
    """Most events won; nobody if there are no wins."""
    return _best("most_wins", ((row.player_id, row.wins) for row in season.rows if row.wins))


def most_knockouts(season: AwardInput) -> list[Award]:
    """Find who knocked out most players; nobody if no knock-outs are recorded."""
    counts = ((row.player_id, season.knockouts.get(row.player_id, 0)) for row in season.rows)
    return _best("most_knockouts", ((player, n) for player, n in counts if n))


AWARDS: Mapping[str, Callable[[AwardInput], list[Award]]] = MappingProxyType(
    {
        "first_three": first_three,
        "best_profit": best_profit,
        "most_attendance": most_attendance,
        "best_newcomer": best_newcomer,
        "most_improved": most_improved,
        "most_wins": most_wins,
        "most_knockouts": most_knockouts,
    }
)


def award_winners(kind: str, season: AwardInput) -> list[Award]:
    """Winners of one kind of award.

    Parameters
    ----------
    kind : str
        Name in `AWARDS`.
    season : AwardInput
        Standings and other figures of the season.

    Returns
    -------
    list of Award
        One (`first_three`: up to three), or none if nobody qualifies. Tied winners are in one award.

    Raises
    ------
    ValueError
        If there is no such kind; the message lists them.

    Examples
    --------
    >>> from payouts.engine.seasons.standings import EventResult, season_rows
    >>> rows = season_rows([EventResult(player, 0, Fraction(0), 1, player) for player in (1, 2)])
    >>> award_winners("most_attendance", AwardInput(rows, {}))[0].player_ids
    (1, 2)
    """
    if kind not in AWARDS:
        raise ValueError(f"kind: unknown award {kind!r}, one of: {', '.join(AWARDS)}")
    return AWARDS[kind](season)


def _best(kind: str, values: Iterable[tuple[int, Value]]) -> list[Award]:
    by_player = dict(values)
    if not by_player:
        return []
    most = max(by_player.values())
    players = tuple(sorted(player for player, value in by_player.items() if value == most))
    return [Award(kind, 1, players, most)]
