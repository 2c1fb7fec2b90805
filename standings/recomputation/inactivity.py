"""Who has not played for so many days of play that a place by rating would mean little."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from standings.recomputation.columns import EntryColumns


def inactive_players(entries: EntryColumns, days: Sequence[date], inactive_after: int | None) -> set[int]:
    """Find the players without an entry on the last `inactive_after` days of play; nobody if that is None.

    `days` has the day of each event. Days without an event do not count, so that a club's pauses make nobody inactive.
    """
    if inactive_after is None or not days:
        return set()
    _days, number = np.unique([day.toordinal() for day in days], return_inverse=True)
    players, position = np.unique(entries.player_id, return_inverse=True)
    last = np.zeros(len(players), dtype=np.int64)
    np.maximum.at(last, position, number[entries.event_index])
    inactive: list[int] = players[number.max() - last >= inactive_after].tolist()
    return set(inactive)
