"""Times of each entry: the recorded ones, else estimates from the finishing order.

* No registration time: registered at the start. In an event with some recorded times, a re-entry registered when
  the player's entry before it was bust.
* No bust time: n - 1 busts evenly spaced from the start to the end of the event, the last of them when the
  winner is left alone. If some busts of the event are recorded, those in between are spaced evenly between them.
* Nobody is out before registering: a registration after the estimated bust is moved to it.
* No end: the last recorded time or minutes_per_entry for each entry, whichever is later.

In an event of which only the order is known, everybody registers at the start: there is no penalty and no partial
field, as in TIER's publication.

Assumed times only put busts and registrations in an order; they weigh nothing. The playing time of an entry whose bust
was not recorded is the event's mean: that of the entries whose bust was, and half the duration if none was; but no
more than registration left of the event. The winner plays to the end, which is recorded with the bust that leaves the
winner alone.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import kernel
from ratings.engine.history import EventHistory
from ratings.engine.tier.params import TierParams

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class EntryTimes:
    """Times of all entries, none unknown.

    Attributes
    ----------
    duration : float64, shape (n_events,)
        Minutes from start to end.
    registered_at, busted_at : float64, shape (n_entries,)
        Minutes from the start; the winner's "bust" is the end.
    played : float64, shape (n_entries,)
        Minutes at the table: from registration, or the start if that is later, to a recorded bust; else the mean of
        the event.
    is_mean_time : bool, shape (n_entries,)
        Whether `played` is the mean of the event.
    """

    duration: Floats
    registered_at: Floats
    busted_at: Floats
    played: Floats
    is_mean_time: Bools


def _durations(history: EventHistory, params: TierParams) -> Floats:
    if not np.isnan(history.duration).any():
        return history.duration
    latest = np.zeros(history.n_events)
    for times in (history.registered_at, history.busted_at):
        latest = np.fmax(latest, np.fmax.reduceat(times, history.offset[:-1]))
    guessed = np.maximum(latest, params.minutes_per_entry * np.diff(history.offset))
    return np.where(np.isnan(history.duration), guessed, history.duration)


@kernel
def _fill_evenly(offset: Ints, duration: Floats, place: Ints, busted: Floats) -> None:
    """Fill in unknown busts, evenly spaced; entries that share a place bust together."""
    for e in range(offset.size - 1):
        n = offset[e + 1] - offset[e]
        busts = max(n - 1.0, 1.0)
        for i in range(offset[e], offset[e + 1]):
            if math.isnan(busted[i]):
                busted[i] = duration[e] * min(n + 1.0 - place[i], busts) / busts


def _busts_between(place: Floats, busted: Floats, duration: float) -> Floats:
    """Interpolate the unknown busts of an event between the recorded ones, linearly in place."""
    known = np.flatnonzero(~np.isnan(busted))
    known = known[np.argsort(-place[known], kind="stable")]
    end = max(duration, float(busted[known].max()))
    places = np.concatenate([[-(place.size + 1.0)], -place[known], [-1.0]])
    times = np.concatenate([[0.0], np.maximum.accumulate(busted[known]), [end]])
    return np.where(np.isnan(busted), np.interp(-place, places, times), busted)


def _busts(history: EventHistory, duration: Floats) -> Floats:
    unknown = np.isnan(history.busted_at)
    if not unknown.any():
        return history.busted_at
    busted = history.busted_at.copy()
    _fill_evenly(history.offset, duration, history.place, busted)
    n_unknown = np.add.reduceat(unknown, history.offset[:-1], dtype=np.int64)
    for e in np.flatnonzero((n_unknown > 0) & (n_unknown < np.diff(history.offset))):
        span = slice(history.offset[e], history.offset[e + 1])
        place = history.place[span].astype(np.float64)
        busted[span] = _busts_between(place, history.busted_at[span], duration[e])
    return busted


def _registrations(history: EventHistory, busted: Floats) -> Floats:
    unknown = np.isnan(history.registered_at)
    if not unknown.any():
        return np.minimum(history.registered_at, busted)
    guessed = _re_entry_registrations(history, unknown, busted) if np.any(history.number > 1) else 0.0
    registered = np.where(unknown, guessed, history.registered_at)
    return np.minimum(registered, busted)


def _re_entry_registrations(history: EventHistory, unknown: Bools, busted: Floats) -> Floats:
    """Registration of each re-entry in an event with recorded times; 0 for all other entries."""
    event = np.repeat(np.arange(history.n_events), np.diff(history.offset))
    timed = ~unknown | ~np.isnan(history.busted_at)
    is_timed = np.bincount(event, weights=timed, minlength=history.n_events) > 0
    order = np.lexsort((history.number, history.player, event))
    before = np.zeros(history.n_entries)
    before[order[1:]] = busted[order[:-1]]
    return np.where(is_timed[event] & (history.number > 1), before, 0.0)


def _has_recorded_end(history: EventHistory) -> Bools:
    """Mark the entries whose bust is recorded, and winners whose runner-up's is."""
    recorded = ~np.isnan(history.busted_at)
    first, sizes = history.offset[:-1], np.diff(history.offset)
    is_winner = history.place == 1
    beaten = np.where(is_winner, np.iinfo(np.int64).max, history.place)
    runner_up = np.repeat(np.minimum.reduceat(beaten, first), sizes)
    left_alone = np.logical_or.reduceat(recorded & (history.place == runner_up), first)
    is_recorded: Bools = recorded | (is_winner & np.repeat(left_alone, sizes))
    return is_recorded


def _played(
    history: EventHistory, duration: Floats, registered: Floats, busted: Floats
) -> tuple[Floats, Bools]:
    """Compute the minutes at the table, and mark the entries that have the mean of the event."""
    played = np.maximum(busted - np.maximum(registered, 0.0), 0.0)
    if not np.isnan(history.busted_at).any():
        return played, np.zeros(history.n_entries, dtype=np.bool_)
    recorded = _has_recorded_end(history)
    first, sizes = history.offset[:-1], np.diff(history.offset)
    n_recorded = np.add.reduceat(recorded, first, dtype=np.int64)
    total = np.add.reduceat(np.where(recorded, played, 0.0), first)
    mean = np.where(n_recorded > 0, total / np.maximum(n_recorded, 1), duration / 2.0)
    # A recorded registration: the assumed ones are moved to assumed busts. fmax takes 0 where there is none.
    left = np.maximum(np.repeat(duration, sizes) - np.fmax(history.registered_at, 0.0), 0.0)
    return np.where(recorded, played, np.minimum(np.repeat(mean, sizes), left)), ~recorded


def entry_times(history: EventHistory, params: TierParams) -> EntryTimes:
    """Times of every entry of a history.

    Parameters
    ----------
    history : EventHistory
    params : TierParams
        minutes_per_entry.

    Returns
    -------
    EntryTimes

    References
    ----------
    .. [1] TIER publication of November 2022: "if only a finishing order is known, all are taken to have started
       together and bust evenly spaced from start to end"; the rest is ours (module docstring).

    Examples
    --------
    >>> times = entry_times(EventHistory.of_orders([[0, 1, 2]], duration=60.0), TierParams())
    >>> times.busted_at.tolist(), times.registered_at.tolist()
    ([60.0, 60.0, 30.0], [0.0, 0.0, 0.0])
    >>> times.played.tolist()
    [30.0, 30.0, 30.0]
    """
    duration = _durations(history, params)
    busted = _busts(history, duration)
    registered = _registrations(history, busted)
    played, is_mean_time = _played(history, duration, registered, busted)
    return EntryTimes(duration, registered, busted, played, is_mean_time)
