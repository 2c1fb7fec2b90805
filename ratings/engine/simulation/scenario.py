"""The publication's simulated seasons as event histories.

1000 players of five types; in a field of n the chance of place r changes linearly from the first to the last, in
percent for n = 100

    type       top   strong  average  weak  beginner
    players    50    250     400      250   50
    place 1    1.75  1.25    1        0.75  0.25
    place 100  0.25  0.75    1        1.25  1.75

Places of an event: in random order each player draws one of the places still free, by the chances of the player's
type.
250 events of 50 entries over 300 minutes and 75 of 100 over 600, in random order, nine seats a table, every
player in 20 of them, n - 1 busts evenly spaced from the start to the end. In `published` everybody is seated at
the start; in `published-late` half of each field is, and the others come at equal intervals until
registration closes, each equally likely to be any entry that is not yet bust.

References
----------
.. [1] TIER publication of November 2022, simulation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ratings.engine.history import EventHistory
from ratings.engine.simulation.draws import draw_places, draw_registrations, separate_doubles
from ratings.engine.simulation.player_types import FIRST_PLACE, TYPES

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PLAYERS = (50, 250, 400, 250, 50)
N_PLAYERS = 1000
EVENTS_EACH = 20
# Number of events, entries, minutes [1]_.
EVENT_SIZES = ((250, 50, 300.0), (75, 100, 600.0))
SEATS = 9

# Late penalty [1]_: entries of the field, length of the event, the late player's mu, players left at the registration.
PENALTY_FIELD = 60
PENALTY_MINUTES = 360.0
PENALTY_MU = (1000.0, 1500.0, 2000.0)
PENALTY_LEFT = (59, 49, 39, 29)


@dataclass(frozen=True)
class Scenario:
    """A simulated season.

    Attributes
    ----------
    history : EventHistory
    kind : int64, shape (n_players,)
        Index into TYPES.
    """

    history: EventHistory
    kind: Ints


def _seat_players(offset: Ints, rng: np.random.Generator) -> Ints:
    player = rng.permutation(np.repeat(np.arange(N_PLAYERS, dtype=np.int64), EVENTS_EACH))
    separate_doubles(offset, player, rng)
    return player


def _places(offset: Ints, chance_first: Floats, rng: np.random.Generator) -> Ints:
    place = np.empty(chance_first.size, dtype=np.int64)
    for start, end in pairwise(offset.tolist()):
        order, uniform = rng.permutation(end - start), rng.random(end - start)
        draw_places(
            chance_first[start:end], order, uniform, np.empty(end - start, np.bool_), place[start:end]
        )
    return place


def bust_times(place: Ints, n: int, duration: float) -> Floats:
    """Bust times of a field: n - 1 of them evenly spaced from the start to the end, where the winner stops too.

    Parameters
    ----------
    place : int64, any shape
    n : int
        Size of the field, at least 2.
    duration : float
        Minutes.

    Returns
    -------
    float64, shape of `place`
        Minutes from the start.

    Examples
    --------
    >>> bust_times(np.array([1, 2, 3]), 3, 60.0).tolist()
    [60.0, 60.0, 30.0]
    """
    return duration * np.minimum(n + 1 - place, n - 1) / (n - 1)


def _register(busted: Floats, duration: float, closes: float | None, rng: np.random.Generator) -> Floats:
    registered = np.zeros(busted.size)
    if closes is not None:
        n_late = busted.size // 2
        times = closes * duration * (np.arange(1, n_late + 1) / n_late)  # the last one exactly at the close
        order = np.argsort(busted, kind="stable")
        slots = np.concatenate([np.zeros(busted.size - n_late), times])
        drawn = np.empty(busted.size)
        draw_registrations(busted[order], slots, rng.random(busted.size), drawn)
        registered[order] = drawn
    return registered


def published(rng: np.random.Generator, *, closes: float | None = None) -> Scenario:
    """Simulate scenario `published`, or `published-late` if registration closes after the start.

    Parameters
    ----------
    rng : numpy.random.Generator
    closes : float, optional
        End of registration as a fraction of the duration, above 0 and at most 1; None if everybody is there at
        the start.

    Returns
    -------
    Scenario

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> season = published(np.random.default_rng(1))
    >>> season.history.n_events, season.history.n_entries
    (325, 20000)
    """
    kinds = rng.permutation(np.concatenate([np.full(count, size) for count, size, _ in EVENT_SIZES]))
    minutes = {size: duration for _, size, duration in EVENT_SIZES}
    duration = np.array([minutes[int(size)] for size in kinds])
    offset = np.concatenate([[0], np.cumsum(kinds)]).astype(np.int64)
    kind = np.repeat(np.arange(len(TYPES), dtype=np.int64), PLAYERS)
    player = _seat_players(offset, rng)
    place = _places(offset, np.array(FIRST_PLACE)[kind[player]], rng)
    events = list(zip(offset[:-1], offset[1:], duration, strict=True))
    busted = np.concatenate([bust_times(place[a:b], int(b - a), minutes) for a, b, minutes in events])
    registered = np.concatenate([_register(busted[a:b], minutes, closes, rng) for a, b, minutes in events])
    seats = np.full(duration.size, SEATS, dtype=np.int64)
    history = EventHistory(
        day=np.arange(float(duration.size)),
        offset=offset,
        duration=duration,
        closes_at=duration * (0.0 if closes is None else closes),
        table_size=seats,
        final_table_size=seats,
        player=player,
        number=np.ones(player.size, dtype=np.int64),
        place=place,
        registered_at=registered,
        busted_at=busted,
    )
    return Scenario(history, kind)


def late_entries(left: int, places: Sequence[int], *, n_entries: int = PENALTY_FIELD) -> EventHistory:
    """Build scenario `late-penalty`: events whose first entry registers late, one for each place that it reaches.

    Parameters
    ----------
    left : int
        Players not bust when the late one registers, the late one included; `n_entries` if it is there at the start.
    places : sequence of int
        Places of the late player, at most `left`.
    n_entries : int
        Size of the field.

    Returns
    -------
    EventHistory
        Event e has players n_entries e and on, the late one first; the others finish in the order of their indices.
        Registration closes when the late player registers.

    References
    ----------
    [1]_ of the module docstring; the length of the event is not published (six minutes for each entry, as in
    both of its other scenarios).

    Examples
    --------
    >>> float(late_entries(59, [15]).registered_at.max().round(6))
    9.152542
    """
    n, n_events, n_bust = n_entries, len(places), n_entries - left
    minutes = PENALTY_MINUTES * n / PENALTY_FIELD
    others = np.arange(1, n)
    place = np.concatenate([np.append(late, others + (others >= late)) for late in places])
    registered = np.zeros((n_events, n))
    registered[:, 0] = minutes * (n_bust + 0.5) / (n - 1) if n_bust else 0.0
    seats = np.full(n_events, SEATS, dtype=np.int64)
    return EventHistory(
        day=np.zeros(n_events),
        offset=np.arange(n_events + 1, dtype=np.int64) * n,
        duration=np.full(n_events, minutes),
        closes_at=registered[:, 0].copy(),
        table_size=seats,
        final_table_size=seats,
        player=np.arange(n_events * n, dtype=np.int64),
        number=np.ones(n_events * n, dtype=np.int64),
        place=place,
        registered_at=registered.ravel(),
        busted_at=bust_times(place, n, minutes),
    )
