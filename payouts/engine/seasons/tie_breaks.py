"""Order of players: those equal on one criterion are split by the next."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import inf
from types import MappingProxyType
from typing import TypeAlias

from payouts.engine.seasons.tallies import Tally

# Sort keys of a group of players, lower is better, only comparable within the group.
Criterion: TypeAlias = Callable[[Sequence[Tally]], Iterable[tuple[float | str, ...]]]


def ranks(tallies: Sequence[Tally], criteria: Sequence[Criterion]) -> dict[int, int]:
    """Rank players 1-2-2-4, best first; equal players are in order of player_id.

    Parameters
    ----------
    tallies : sequence of Tally
        Players, in any order.
    criteria : sequence of Criterion
        Criteria to rank on, in order.

    Returns
    -------
    dict of int to int
        Rank by player_id.

    Examples
    --------
    >>> ranks([Tally(1, wins=1), Tally(2, wins=3), Tally(3, wins=1)], [CRITERIA["wins"]])
    {2: 1, 1: 2, 3: 2}
    """
    rank_by_player: dict[int, int] = {}
    groups = [sorted(tallies, key=lambda tally: tally.player_id)] if tallies else []
    for criterion in criteria:
        groups = [part for group in groups for part in _split(group, criterion)]
    for group in groups:
        rank = len(rank_by_player) + 1
        rank_by_player.update((tally.player_id, rank) for tally in group)
    return rank_by_player


def _split(group: list[Tally], criterion: Criterion) -> Iterator[list[Tally]]:
    if len(group) == 1:
        yield group
        return
    keyed = sorted(zip(criterion(group), group, strict=True), key=lambda pair: pair[0])
    for _, part in groupby(keyed, key=lambda pair: pair[0]):
        yield [tally for _, tally in part]


def _best_places(group: Sequence[Tally]) -> Iterable[tuple[float, ...]]:
    """Sort on more firsts, then more seconds, and so on; the `inf` at the end makes one more place better than none."""
    return [(*sorted(tally.places.tolist()), inf) for tally in group]


def _head_to_head(group: Sequence[Tally]) -> Iterable[tuple[float, ...]]:
    """Sort on how many of the group finished behind the player in all events, less how many finished ahead."""
    fields: dict[int, list[tuple[int, int]]] = {}
    for tally in group:
        for event, place in zip(tally.events.tolist(), tally.places.tolist(), strict=True):
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
    """Make the criterion that sorts by name; the caller folds case and accents.

    Raises
    ------
    ValueError
        Naming a player without a name, when the criterion is used.
    """

    def keys(group: Sequence[Tally]) -> Iterable[tuple[str]]:
        for tally in group:
            if tally.player_id not in names:
                raise ValueError(f"names: alphabetical order needs the name of player {tally.player_id}")
            yield (names[tally.player_id],)

    return keys
