"""Overall standings of a meet: several games on one day, their points added up."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class GameResult:
    """What one entry took from one game, by the index of its column."""

    game: int
    player_id: int
    place: int
    points: Fraction


@dataclass(frozen=True)
class MeetRow:
    """A player's meet: points by game, None where he did not play; `wins` are games, however many entries won one."""

    player_id: int
    points: tuple[Fraction | None, ...]
    total: Fraction
    n_games: int
    wins: int
    place: int


def overall_rows(n_games: int, results: Iterable[GameResult]) -> list[MeetRow]:
    """Overall standings of a meet, each game settled by rules of its own.

    Parameters
    ----------
    n_games : int
        Columns.
    results : iterable of GameResult
        Of all entries, in any order; the entries of one player in one game count together.

    Returns
    -------
    list of MeetRow
        By place: total, then games won; equal on both is the same place. Players of one place by player_id.

    Examples
    --------
    >>> results = [GameResult(0, 7, 1, Fraction(5)), GameResult(1, 7, 3, Fraction(1)), GameResult(1, 8, 1, Fraction(6))]
    >>> [(row.place, row.player_id, str(row.total)) for row in overall_rows(2, results)]
    [(1, 7, '6'), (1, 8, '6')]
    """
    points: dict[int, dict[int, Fraction]] = defaultdict(dict)
    won: dict[int, set[int]] = defaultdict(set)
    for result in results:
        own = points[result.player_id]
        own[result.game] = own.get(result.game, Fraction(0)) + result.points
        if result.place == 1:
            won[result.player_id].add(result.game)
    keys = {player: (-sum(own.values()), -len(won[player])) for player, own in points.items()}
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
