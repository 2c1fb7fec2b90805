"""Overall standings of a meet: several games on one day, their points by one structure, added up."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from payouts.engine.facts import NO_EVENT_FACTS, EventFacts
from payouts.engine.structure import PointsStructure


@dataclass(frozen=True)
class Game:
    """One game of a meet: player and finishing place of every entry (1-2-2-4), in any order."""

    name: str
    finishers: Sequence[tuple[int, int]]
    facts: EventFacts = NO_EVENT_FACTS


@dataclass(frozen=True)
class GameResult:
    """What one entry took from one game, by the index of its column."""

    game: int
    player_id: int
    place: int
    points: Fraction


@dataclass(frozen=True)
class MeetRow:
    """A player's meet: points by game, None where he did not play."""

    player_id: int
    points: tuple[Fraction | None, ...]
    total: Fraction
    n_games: int
    wins: int
    place: int


def meet_rows(games: Sequence[Game], structure: PointsStructure) -> list[MeetRow]:
    """Overall standings of a meet.

    Parameters
    ----------
    games : sequence of Game
        In the order of their columns.
    structure : PointsStructure
        Gives each game its points, by the entries of that game.

    Returns
    -------
    list of MeetRow
        By place: total, then games won; equal on both is the same place. Players of one place by player_id.

    Raises
    ------
    ValueError
        Naming the game, the field and the place that are wrong.

    Examples
    --------
    >>> games = [Game("poker", [(1, 1), (2, 2), (3, 3)]), Game("mahjong", [(2, 1), (1, 2)])]
    >>> rows = meet_rows(games, PointsStructure("linear"))
    >>> [(row.place, row.player_id, int(row.total)) for row in rows]
    [(1, 1, 4), (1, 2, 4), (3, 3, 1)]
    """
    results = [
        GameResult(index, player, place, value)
        for index, game in enumerate(games)
        for (player, place), value in zip(game.finishers, _points(game, structure), strict=True)
    ]
    return overall_rows(len(games), results)


def overall_rows(n_games: int, results: Iterable[GameResult]) -> list[MeetRow]:
    """The same from points that are known: of games settled each by rules of its own.

    Examples
    --------
    >>> results = [GameResult(0, 7, 1, Fraction(5)), GameResult(1, 7, 3, Fraction(1)), GameResult(1, 8, 1, Fraction(6))]
    >>> [(row.place, row.player_id, str(row.total)) for row in overall_rows(2, results)]
    [(1, 7, '6'), (1, 8, '6')]
    """
    points: dict[int, dict[int, Fraction]] = defaultdict(dict)
    wins: dict[int, int] = defaultdict(int)
    for result in results:
        own = points[result.player_id]
        own[result.game] = own.get(result.game, Fraction(0)) + result.points
        wins[result.player_id] += result.place == 1
    keys = {player: (-sum(own.values()), -wins[player]) for player, own in points.items()}
    in_order = sorted(keys.values())
    return [
        MeetRow(
            player_id=player,
            points=tuple(points[player].get(index) for index in range(n_games)),
            total=sum(points[player].values(), Fraction(0)),
            n_games=len(points[player]),
            wins=wins[player],
            place=1 + bisect_left(in_order, keys[player]),
        )
        for player in sorted(points, key=lambda player: (keys[player], player))
    ]


def _points(game: Game, structure: PointsStructure) -> list[Fraction]:
    try:
        return structure.event_points([place for _, place in game.finishers], facts=game.facts)
    except ValueError as error:
        raise ValueError(f"{error} (game {game.name})") from error
