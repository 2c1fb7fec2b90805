"""Overall standings of a meet: several games on one day, by total points or by profit per tourney."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

MeetOrder: TypeAlias = Literal["total", "profit"]


@dataclass(frozen=True)
class GameResult:
    """Place and points of one entry in one game; `game` is the index of the game's column."""

    game: int
    player_id: int
    place: int
    points: Fraction


@dataclass(frozen=True)
class MeetRow:
    """A player's overall result: points by game, None for a game not played; `wins` counts games won, not entries.

    `profit_per_tourney` is (total - entries) / games, as in the standings of a season; entries of games whose points
    are balances do not count.
    """

    player_id: int
    points: tuple[Fraction | None, ...]
    total: Fraction
    profit_per_tourney: Fraction
    n_games: int
    wins: int
    place: int


def overall_rows(
    n_games: int,
    results: Iterable[GameResult],
    order: MeetOrder = "total",
    *,
    of_balances: Collection[int] = (),
) -> list[MeetRow]:
    """Add up the standings of a meet, whose games may be settled by different rules.

    Parameters
    ----------
    n_games : int
        Number of games, which is the number of columns.
    results : iterable of GameResult
        One for each entry, in any order; a player's entries in one game are added up.
    order : {"total", "profit"}
        What the places are by.
    of_balances : collection of int
        Games whose points are balances: nothing is staked in them.

    Returns
    -------
    list of MeetRow
        In order of place: by total or profit, then games won; players equal on both share a place, in order of
        player_id.

    Examples
    --------
    >>> results = [GameResult(0, 7, 1, Fraction(5)), GameResult(1, 7, 3, Fraction(1)), GameResult(1, 8, 1, Fraction(6))]
    >>> [(row.place, row.player_id, str(row.total)) for row in overall_rows(2, results)]
    [(1, 7, '6'), (1, 8, '6')]
    """
    points: dict[int, dict[int, Fraction]] = defaultdict(dict)
    won: dict[int, set[int]] = defaultdict(set)
    n_entries: Counter[int] = Counter()
    for result in results:
        n_entries[result.player_id] += result.game not in of_balances
        by_game = points[result.player_id]
        by_game[result.game] = by_game.get(result.game, Fraction(0)) + result.points
        if result.place == 1:
            won[result.player_id].add(result.game)
    totals = {player: sum(by_game.values(), Fraction(0)) for player, by_game in points.items()}
    profits = {
        player: (totals[player] - n_entries[player]) / len(by_game) for player, by_game in points.items()
    }
    ordered_by = profits if order == "profit" else totals
    keys = {player: (-ordered_by[player], -len(won[player])) for player in points}
    in_order = sorted(keys.values())
    return [
        MeetRow(
            player_id=player,
            points=tuple(points[player].get(index) for index in range(n_games)),
            total=totals[player],
            profit_per_tourney=profits[player],
            n_games=len(points[player]),
            wins=len(won[player]),
            place=1 + bisect_left(in_order, keys[player]),
        )
        for player in sorted(points, key=lambda player: (keys[player], player))
    ]
