"""A pool's events as TIER reads them: entries, re-entries, times and tables."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ratings.engine.chain import competition_places
from ratings.engine.errors import BadEventError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Seats of a table for which a VPIP is published (hands.py).
LEAST_SEATS, MOST_SEATS = 2, 10


def require_array(name: str, array: npt.NDArray[np.generic], dtype: type, size: int) -> None:
    if array.dtype != dtype or array.shape != (size,):
        expected = f"{np.dtype(dtype).name} of shape ({size},)"
        raise ValueError(f"{name} must be {expected}, got {array.dtype} of shape {array.shape}")


@dataclass(frozen=True)
class EventHistory:
    """Events in the order they are rated, as flat arrays. Times are minutes from the event's start.

    Parameters
    ----------
    day : float64, shape (n_events,)
        Days since any epoch, never falling.
    offset : int64, shape (n_events + 1,)
        Entries of event e are offset[e]..offset[e + 1] - 1; at least one.
    duration : float64, shape (n_events,)
        Minutes from start to end, positive; NaN if unknown.
    closes_at : float64, shape (n_events,)
        End of registration, minutes; NaN if unknown.
    table_size, final_table_size : int64, shape (n_events,)
        Seats, 2 to 10.
    player : int64, shape (n_entries,)
        Index 0..n_players-1.
    number : int64, shape (n_entries,)
        1 for a player's first entry of the event, 2 and up for re-entries, without gaps.
    place : int64, shape (n_entries,)
        Competition ranking among all entries of the event (ties 1-2-2-4).
    registered_at, busted_at : float64, shape (n_entries,)
        Minutes; NaN if unknown. A registration before the start is negative.
    season_day : float64, shape (n_events,), optional
        Start of the event's season in the unit of `day`; NaN for an event without a season. None if no event has
        one.

    Raises
    ------
    BadEventError
        With the indices of event and player, and the field.
    ValueError
        If an array has the wrong dtype or shape.

    References
    ----------
    .. [1] "Standard competition ranking": place = 1 + number of better entries.

    Examples
    --------
    >>> one = EventHistory.of_orders([[4, 7]], duration=60.0)
    >>> one.n_events, one.place.tolist()
    (1, [1, 2])
    """

    day: Floats
    offset: Ints
    duration: Floats
    closes_at: Floats
    table_size: Ints
    final_table_size: Ints
    player: Ints
    number: Ints
    place: Ints
    registered_at: Floats
    busted_at: Floats
    season_day: Floats | None = None

    def __post_init__(self) -> None:
        self._check_shapes()
        self._check_events()
        event = np.repeat(np.arange(self.n_events), np.diff(self.offset))
        self._check_players(event)
        self._check_places(event)
        self._check_times(event)

    @property
    def n_events(self) -> int:
        return self.day.size

    @property
    def n_entries(self) -> int:
        return self.player.size

    @classmethod
    def of_orders(
        cls, orders: list[list[int]], *, duration: float = np.nan, seats: int = 9, closes_at: float = np.nan
    ) -> "EventHistory":
        """Build a history, an event a day, of which only the finishing orders are known.

        Parameters
        ----------
        orders : list of list of int
            Player indices, the winner first.
        duration, closes_at : float
            Duration and end of registration of every event, minutes.
        seats : int
            Seats of every table.

        Returns
        -------
        EventHistory

        Examples
        --------
        >>> EventHistory.of_orders([[1, 0], [0, 2, 1]]).offset.tolist()
        [0, 2, 5]
        """
        n_events, sizes = len(orders), [len(order) for order in orders]
        n_entries = sum(sizes)
        return cls(
            day=np.arange(float(n_events)),
            offset=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
            duration=np.full(n_events, float(duration)),
            closes_at=np.full(n_events, float(closes_at)),
            table_size=np.full(n_events, seats, dtype=np.int64),
            final_table_size=np.full(n_events, seats, dtype=np.int64),
            player=np.array([who for order in orders for who in order], dtype=np.int64),
            number=np.ones(n_entries, dtype=np.int64),
            place=np.array([place for n in sizes for place in range(1, n + 1)], dtype=np.int64),
            registered_at=np.full(n_entries, np.nan),
            busted_at=np.full(n_entries, np.nan),
        )

    def last_entries(self) -> npt.NDArray[np.bool_]:
        """Mark each player's last entry of an event: bool, shape (n_entries,)."""
        is_last = np.ones(self.n_entries, dtype=np.bool_)
        if np.any(self.number > 1):
            event = np.repeat(np.arange(self.n_events), np.diff(self.offset))
            order = np.lexsort((self.number, self.player, event))
            is_last[order[:-1]] = (np.diff(event[order]) != 0) | (np.diff(self.player[order]) != 0)
        return is_last

    def part(self, first: int, end: int) -> "EventHistory":
        """Extract events first..end-1.

        Parameters
        ----------
        first, end : int
            Range of events.

        Returns
        -------
        EventHistory

        Examples
        --------
        >>> EventHistory.of_orders([[1, 0], [0, 2, 1]]).part(1, 2).player.tolist()
        [0, 2, 1]
        """
        events, entries = slice(first, end), slice(int(self.offset[first]), int(self.offset[end]))
        per_event = {
            name: getattr(self, name)[events]
            for name in ("day", "duration", "closes_at", "table_size", "final_table_size")
        }
        per_entry = {
            name: getattr(self, name)[entries]
            for name in ("player", "number", "place", "registered_at", "busted_at")
        }
        season_day = None if self.season_day is None else self.season_day[first:end]
        return EventHistory(
            offset=self.offset[first : end + 1] - self.offset[first],
            season_day=season_day,
            **per_event,
            **per_entry,
        )

    def _check_shapes(self) -> None:
        for name in ("day", "duration", "closes_at"):
            require_array(name, getattr(self, name), np.float64, self.day.size)
        for name in ("table_size", "final_table_size"):
            require_array(name, getattr(self, name), np.int64, self.day.size)
        if self.season_day is not None:
            require_array("season_day", self.season_day, np.float64, self.day.size)
        require_array("offset", self.offset, np.int64, self.day.size + 1)
        for name in ("player", "number", "place"):
            require_array(name, getattr(self, name), np.int64, self.player.size)
        for name in ("registered_at", "busted_at"):
            require_array(name, getattr(self, name), np.float64, self.player.size)

    def _check_events(self) -> None:
        if self.offset[0] != 0 or self.offset[-1] != self.n_entries or np.any(np.diff(self.offset) < 0):
            raise ValueError(f"offset must rise from 0 to {self.n_entries}, the number of entries")
        sizes = np.diff(self.offset)
        self._refuse_events("offset", sizes, sizes == 0, "no_entries")
        self._refuse_events("day", self.day, ~np.isfinite(self.day), "not_finite")
        falls = np.concatenate([[False], np.diff(self.day) < 0.0])
        self._refuse_events("day", self.day, falls[: self.n_events], "not_in_order")
        self._refuse_events(
            "duration", self.duration, ~(self.duration > 0.0) & ~np.isnan(self.duration), "not_positive"
        )
        self._refuse_events("duration", self.duration, np.isinf(self.duration), "not_finite")
        self._refuse_events("closes_at", self.closes_at, np.isinf(self.closes_at), "not_finite")
        for name in ("table_size", "final_table_size"):
            seats = getattr(self, name)
            wrong = (seats < LEAST_SEATS) | (seats > MOST_SEATS)
            self._refuse_events(name, seats, wrong, "out_of_range", least=LEAST_SEATS, most=MOST_SEATS)

    def _refuse_events(
        self, name: str, got: npt.NDArray[Any], wrong: npt.NDArray[np.bool_], code: str, **bounds: int
    ) -> None:
        bad = np.flatnonzero(wrong)
        if bad.size:
            raise BadEventError(int(bad[0]), None, name, code, got=got[bad[0]].item(), **bounds)

    def _refuse_entries(
        self, event: Ints, name: str, wrong: npt.NDArray[np.bool_], code: str, **columns: npt.NDArray[Any]
    ) -> None:
        bad = np.flatnonzero(wrong)
        if bad.size:
            at = bad[0]
            values = {key: column[at].item() for key, column in columns.items()}
            raise BadEventError(int(event[at]), int(self.player[at]), name, code, entry=int(at), **values)

    def _check_players(self, event: Ints) -> None:
        self._refuse_entries(event, "player", self.player < 0, "negative")
        self._refuse_entries(event, "number", self.number < 1, "no_number", got=self.number)
        order = np.lexsort((self.number, self.player, event))
        same = np.zeros(order.size, dtype=bool)
        same[1:] = (event[order][1:] == event[order][:-1]) & (
            self.player[order][1:] == self.player[order][:-1]
        )
        before = np.zeros(order.size, dtype=np.int64)
        before[order[1:]] = np.where(same[1:], self.number[order][:-1], 0)
        self._refuse_entries(event, "number", before == self.number, "entry_twice", got=self.number)
        missing = before + 1 != self.number
        self._refuse_entries(
            event, "number", missing, "entry_missing", got=self.number, missing=self.number - 1
        )

    def _check_places(self, event: Ints) -> None:
        out = (self.place < 1) | (self.place > self.n_entries)
        self._refuse_entries(event, "place", out, "place_outside_field", got=self.place)
        right = competition_places(event * (self.n_entries + 1) + self.place) - self.offset[event]
        self._refuse_entries(event, "place", right != self.place, "wrong_place", got=self.place, right=right)

    def _check_times(self, event: Ints) -> None:
        registered, busted, closes = self.registered_at, self.busted_at, self.closes_at[event]
        for name in ("registered_at", "busted_at"):
            got = getattr(self, name)
            self._refuse_entries(event, name, np.isinf(got), "not_finite", got=got)
        self._refuse_entries(event, "busted_at", busted < 0.0, "bust_before_start", got=busted)
        too_early = busted < registered
        self._refuse_entries(
            event, "busted_at", too_early, "bust_before_registration", got=busted, registered_at=registered
        )
        too_late = registered > closes
        self._refuse_entries(
            event, "registered_at", too_late, "registered_too_late", got=registered, closes_at=closes
        )
