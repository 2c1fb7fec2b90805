"""Order of players: equal on one criterion, they are split by the next, until none is left."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import inf
from types import MappingProxyType
from typing import TypeAlias

from payouts.engine.tallies import Tally

# Keys of a group of players, lower is better; only compared with each other.
Criterion: TypeAlias = Callable[[Sequence[Tally]], Iterable[tuple[float | str, ...]]]


def ranks(tallies: Sequence[Tally], criteria: Sequence[Criterion]) -> dict[int, int]:
    """Competition rank (1-2-2-4) of each player, best first; equal ones by player_id.

    Parameters
    ----------
    tallies : sequence of Tally
        Players, in any order.
    criteria : sequence of Criterion
        What decides, in order.

    Returns
    -------
    dict of int to int
        Rank by player_id.

    Examples
    --------
    >>> ranks([Tally(1, wins=1), Tally(2, wins=3), Tally(3, wins=1)], [CRITERIA["wins"]])
    {2: 1, 1: 2, 3: 2}
    """
    found: dict[int, int] = {}
    groups = [sorted(tallies, key=lambda tally: tally.player_id)] if tallies else []
    for criterion in criteria:
        groups = [part for group in groups for part in _split(group, criterion)]
    for group in groups:
        rank = len(found) + 1
        found.update((tally.player_id, rank) for tally in group)
    return found


def _split(group: list[Tally], criterion: Criterion) -> Iterator[list[Tally]]:
    if len(group) == 1:
        yield group
        return
    keyed = sorted(zip(criterion(group), group, strict=True), key=lambda pair: pair[0])
    for _, part in groupby(keyed, key=lambda pair: pair[0]):
        yield [tally for _, tally in part]


def _best_places(group: Sequence[Tally]) -> Iterable[tuple[float, ...]]:
    """More firsts, then more seconds, and so on: the sorted places, and having one more beats having none."""
    return [(*sorted(tally.places), inf) for tally in group]


def _head_to_head(group: Sequence[Tally]) -> Iterable[tuple[float, ...]]:
    """Over all events: how many of the group finished behind the player, less how many ahead of him."""
    fields: dict[int, list[tuple[int, int]]] = {}
    for tally in group:
        for event, place in zip(tally.events, tally.places, strict=True):
            fields.setdefault(event, []).append((place, tally.player_id))
    score = dict.fromkeys((tally.player_id for tally in group), 0)
    for field in fields.values():
        n_ahead = 0
        for _, tied in groupby(sorted(field), key=lambda finisher: finisher[0]):
            players = [player for _, player in tied]
            for player in players:
                score[player] += len(field) - 2 * n_ahead - len(players)
            n_ahead += len(players)
    return [(-score[tally.player_id],) for tally in group]


CRITERIA: Mapping[str, Criterion] = MappingProxyType(
    {
        "total": lambda group: [(-tally.total,) for tally in group],
        "points": lambda group: [(-tally.points,) for tally in group],
        "wins": lambda group: [(-tally.wins,) for tally in group],
        "best_places": _best_places,
        "head_to_head": _head_to_head,
        "events": lambda group: [(-tally.n_events,) for tally in group],
        "profit": lambda group: [(-tally.profit,) for tally in group],
    }
)


def alphabetical(names: Mapping[int, str]) -> Criterion:
    """By name, as given: the caller folds case and accents.

    Raises
    ------
    ValueError
        Naming the player who has none, when the order is asked for.
    """

    def keys(group: Sequence[Tally]) -> Iterable[tuple[str]]:
        for tally in group:
            if tally.player_id not in names:
                raise ValueError(f"names: alphabetical order needs the name of player {tally.player_id}")
            yield (names[tally.player_id],)

    return keys
