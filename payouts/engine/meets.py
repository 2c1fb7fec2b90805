"""Overall standings of a meet: several games on one day, their points added up."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class GameResult:
    """Place and points of one entry in one game; `game` is the index of the game's column."""

    game: int
    player_id: int
    place: int
    points: Fraction


@dataclass(frozen=True)
class MeetRow:
    """A player's overall result: points by game, None for a game not played; `wins` counts games won, not entries."""

    player_id: int
    points: tuple[Fraction | None, ...]
    total: Fraction
    n_games: int
    wins: int
    place: int


def overall_rows(n_games: int, results: Iterable[GameResult]) -> list[MeetRow]:
    """Add up the standings of a meet, whose games may be settled by different rules.

    Parameters
    ----------
    n_games : int
        Number of games, which is the number of columns.
    results : iterable of GameResult
        One for each entry, in any order; a player's entries in one game are added up.

    Returns
    -------
    list of MeetRow
        In order of place: by total, then games won; players equal on both share a place, in order of player_id.

    Examples
    --------
    >>> results = [GameResult(0, 7, 1, Fraction(5)), GameResult(1, 7, 3, Fraction(1)), GameResult(1, 8, 1, Fraction(6))]
    >>> [(row.place, row.player_id, str(row.total)) for row in overall_rows(2, results)]
    [(1, 7, '6'), (1, 8, '6')]
    """
    points: dict[int, dict[int, Fraction]] = defaultdict(dict)
    won: dict[int, set[int]] = defaultdict(set)
    for result in results:
        by_game = points[result.player_id]
        by_game[result.game] = by_game.get(result.game, Fraction(0)) + result.points
        if result.place == 1:
            won[result.player_id].add(result.game)
    keys = {player: (-sum(by_game.values()), -len(won[player])) for player, by_game in points.items()}
    in_order = sorted(keys.values())
    return [
        MeetRow(
            player_id=player,
            points=tuple(points[player].get(index) for index in range(n_games)),
            total=sum(points[player].values(), Fraction(0)),
            n_games=len(points[player]),
            wins=len(won[player]),
            place=1 + bisect_left(in_order, keys[player]),
        )
        for player in sorted(points, key=lambda player: (keys[player], player))
    ]
