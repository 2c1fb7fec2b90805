"""Checks of all events of a file at once; what is wrong, and where, is said by the row reader (`checks`)."""

import numpy as np
import numpy.typing as npt

from reading.event_files.columns import NO_MOMENT, FileColumns, Ints
from reading.event_files.reader import MAX_PLACE
from reading.finishing_order.lines import MAX_ENTRIES_OF_ONE

Bools = npt.NDArray[np.bool_]


def are_events_right(file: FileColumns) -> bool:
    """Tell whether the row reader would find no problem in any event as a whole."""
    event = file.event
    return (
        _are_places_right(file, event) and _are_numbers_right(file, event) and _are_times_right(file, event)
    )


def _are_places_right(file: FileColumns, event: Ints) -> bool:
    """Tell whether places run from 1 to n; tied players share one and the next are skipped (1-2-2-4)."""
    base = event * (MAX_PLACE + 1)
    place = np.sort(base + file.place) - base
    position = np.arange(1, event.size + 1) - file.offset[event]
    ties = np.zeros(event.size, dtype=np.bool_)
    ties[1:] = (place[1:] == place[:-1]) & (position[1:] > 1)
    return bool(np.all(ties | (place == position)))


def _are_numbers_right(file: FileColumns, event: Ints) -> bool:
    """Tell whether an event has two players, and each player's entries run from 1, none below the one before it."""
    player, keys = file.players()
    base = MAX_ENTRIES_OF_ONE + 1
    packed = (event * len(keys) + player) * base + file.number
    order = np.argsort(packed, kind="stable") if np.any(file.number > 1) else None
    in_order = np.sort(packed) if order is None else packed[order]
    pair, number = in_order // base, in_order % base
    first = np.ones(event.size, dtype=np.bool_)
    first[1:] = pair[1:] != pair[:-1]
    follows = np.zeros(event.size, dtype=np.bool_)
    follows[1:] = number[1:] == number[:-1] + 1
    if not np.all(np.where(first, number == 1, follows)):
        return False
    if np.any(np.bincount(event[first], minlength=file.n_events) < 2):  # noqa: PLR2004  one player alone is no result
        return False
    if order is None:
        return True
    place = file.place[order]
    return not np.any(~first[1:] & (place[1:] > place[:-1]))


def _are_times_right(file: FileColumns, event: Ints) -> bool:
    registered, busted = file.registered_at, file.busted_at
    closes, start = file.closes_at[event], file.starts_at[event]
    has_registered, has_bust = registered != NO_MOMENT, busted != NO_MOMENT
    wrong = has_registered & (closes != NO_MOMENT) & (registered > closes)
    wrong |= has_bust & (busted < start)
    wrong |= has_registered & has_bust & (busted < registered)
    ends = file.ends_at
    if np.any(has_bust) and not _are_busts_in_order(file, event, has_bust):
        return False
    return not (np.any(wrong) or np.any((ends != NO_MOMENT) & (ends < file.starts_at)))


def _are_busts_in_order(file: FileColumns, event: Ints, has_bust: Bools) -> bool:
    """Tell whether nobody's last entry went out later than that of somebody with a better place; ties have no order."""
    player, keys = file.players()
    pair = event * len(keys) + player
    _pairs, of_pair = np.unique(pair, return_inverse=True)
    last = np.zeros(of_pair.max() + 1, dtype=np.int64)
    np.maximum.at(last, of_pair, file.number)
    timed = np.flatnonzero(has_bust & (file.number == last[of_pair]))
    in_order = timed[np.lexsort((-file.busted_at[timed], file.place[timed], event[timed]))]
    busted, of_event = file.busted_at[in_order], event[in_order]
    return bool(np.all((busted[1:] <= busted[:-1]) | (of_event[1:] != of_event[:-1])))
