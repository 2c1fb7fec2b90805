"""Comparison of a season with the same season under other rules."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from payouts.engine.seasons.standings import SeasonRow


@dataclass(frozen=True)
class WhatIfRow:
    """A player's rank and total in both standings, None where absent; `moved` is the ranks gained in the other."""

    player_id: int
    rank: int | None
    total: Fraction | None
    other_rank: int | None
    other_total: Fraction | None
    moved: int | None


def side_by_side(actual: Iterable[SeasonRow], other: Iterable[SeasonRow]) -> list[WhatIfRow]:
    """Compare two standings of the same season, found by `season_rows` from other points or other rules.

    Parameters
    ----------
    actual, other : iterable of SeasonRow
        Standings as they are, and as they would be.

    Returns
    -------
    list of WhatIfRow
        In order of the actual standings; players who are only in the other follow, in its order.

    Examples
    --------
    >>> from payouts.engine.seasons.standings import EventResult, SeasonRules, season_rows
    >>> results = [EventResult(1, 0, Fraction(3), 1, 1), EventResult(2, 0, Fraction(2), 1, 2)]
    >>> results += [EventResult(2, 1, Fraction(2), 1, 1)]
    >>> rows = side_by_side(season_rows(results), season_rows(results, SeasonRules(Fraction(0), best_n=1)))
    >>> [(row.player_id, row.rank, row.other_rank, row.moved) for row in rows]
    [(2, 1, 2, -1), (1, 2, 1, 1)]
    """
    before = {row.player_id: row for row in actual}
    after = {row.player_id: row for row in other}
    return [_row(player, before.get(player), after.get(player)) for player in {**before, **after}]


def _row(player_id: int, before: SeasonRow | None, after: SeasonRow | None) -> WhatIfRow:
    rank = before.points_rank if before else None
    other_rank = after.points_rank if after else None
    return WhatIfRow(
        player_id=player_id,
        rank=rank,
        total=before.total if before else None,
        other_rank=other_rank,
        other_total=after.total if after else None,
        moved=None if rank is None or other_rank is None else rank - other_rank,
    )
