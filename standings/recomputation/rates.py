"""The rates of a season's players, summed up from those of their entries."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from payouts.engine.results import begins
from payouts.engine.seasons.awards import IMPROVED_FROM
from standings.recomputation.columns import LETTERS, RatedColumns

N_LAST_RATES = 9


@dataclass(frozen=True, slots=True)
class PlayerRates:
    """A player's ratings through the season: after each of the last events, before the first and the last night."""

    first_before: float | None
    third_before: float | None  # before the event that counts first for "most improved"
    night_before: float | None  # None for a player who was not rated that night
    last_rates: list[float]
    badge: str
    is_provisional: bool
    was_provisional: bool  # before the last night
    was_rated: bool
    is_newcomer: bool  # without an entry in the pool before

    @property
    def rate(self) -> float | None:
        return self.last_rates[-1] if self.last_rates else None

    @property
    def rate_before_night(self) -> float | None:
        """The rate that the player had before the last night, if there was one."""
        if not self.was_rated:
            return None
        return self.rate if self.night_before is None else self.night_before


UNRATED = PlayerRates(
    None,
    None,
    None,
    [],
    "",
    is_provisional=True,
    was_provisional=True,
    was_rated=False,
    is_newcomer=False,
)


def rates_by_player(rated: RatedColumns, *, since: int) -> dict[int, PlayerRates]:
    """Sum up each player's rates. Entries of one event are one change: before the first, after the last.

    `since` is the index of the first event of the last night.
    """
    order = np.lexsort((rated.event_index, rated.player_id))
    of_player = begins(rated.player_id[order])
    starts = np.flatnonzero(of_player | begins(rated.event_index[order]))
    # The rows of the last entry of each player and event.
    ends = order[np.append(starts, len(order))[1:] - 1]
    # Each player's changes are those from one of these indices to the next.
    firsts = np.append(np.flatnonzero(of_player[starts]), len(starts))
    starts = order[starts]
    first, last = starts[firsts[:-1]], ends[firsts[1:] - 1]
    n_before = np.add.reduceat((rated.event_index[starts] < since).astype(np.int64), firsts[:-1])
    newest = firsts[1:] - 1
    of_night = np.minimum(firsts[:-1] + n_before, newest)  # the first change of the night, or the last of all
    third = np.minimum(firsts[:-1] + IMPROVED_FROM - 1, newest)
    before_night = ends[np.maximum(firsts[:-1] + n_before - 1, firsts[:-1])]
    columns = (
        rated.player_id[first],
        rated.event_index[last] >= since,
        rated.prior_rate[first],
        rated.prior_rate[starts[third]],
        rated.prior_rate[starts[of_night]],
        rated.badge[last],
        rated.is_provisional[last],
        rated.is_provisional[before_night],
        n_before > 0,
        rated.is_first[first],
    )
    rows = zip(pairwise(firsts.tolist()), *(column.tolist() for column in columns), strict=True)
    return {
        player_id: PlayerRates(
            first_before=first_before,
            third_before=third_before if end - start >= IMPROVED_FROM else None,
            night_before=night_before if was_there else None,
            last_rates=rated.posterior_rate[ends[max(start, end - N_LAST_RATES) : end]].tolist(),
            badge=LETTERS[badge],
            is_provisional=is_provisional,
            was_provisional=was_provisional or not was_rated,
            was_rated=was_rated,
            is_newcomer=is_first,
        )
        for (
            (start, end),
            player_id,
            was_there,
            first_before,
            third_before,
            night_before,
            badge,
            is_provisional,
            was_provisional,
            was_rated,
            is_first,
        ) in rows
    }
