"""Replay of a pool's history: every event in order, each player's posterior the next event's prior."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.chain import NotConvergedError
from ratings.engine.kernels import workspace
from ratings.engine.replay_kernels import replay_events
from ratings.engine.tier import TierParams

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Progress = Callable[[int, int], None]

# Participations between two calls of `progress`: some 20 ms of work.
CHUNK = 50_000


def _require(name: str, array: npt.NDArray[np.generic], dtype: type, size: int) -> None:
    if array.dtype != dtype or array.shape != (size,):
        expected = f"{np.dtype(dtype).name} of shape ({size},)"
        raise ValueError(f"{name} must be {expected}, got {array.dtype} of shape {array.shape}")


@dataclass(frozen=True)
class History:
    """Events in the order they are rated, as flat arrays.

    Parameters
    ----------
    day : float64, shape (n_events,)
        Days since any epoch, never falling.
    offset : int64, shape (n_events + 1,)
        Participations of event e are offset[e]..offset[e + 1] - 1; an event may be empty.
    player : int64, shape (n_participations,)
        Index 0..n_players-1.
    place : int64, shape (n_participations,)
        Competition ranking within the event (ties 1-2-2-4).

    Raises
    ------
    ValueError
        Naming the event and the entry or player: wrong dtype or shape, falling or non-finite days, a
        player twice in an event, places that are not a competition ranking.

    References
    ----------
    .. [1] "Standard competition ranking": place = 1 + number of better entries.

    Examples
    --------
    >>> one = History(np.zeros(1), np.array([0, 2]), np.array([4, 7]), np.array([2, 1]))
    >>> one.n_events
    1
    """

    day: Floats
    offset: Ints
    player: Ints
    place: Ints

    def __post_init__(self) -> None:
        _require("day", self.day, np.float64, self.day.size)
        _require("offset", self.offset, np.int64, self.day.size + 1)
        _require("player", self.player, np.int64, self.player.size)
        _require("place", self.place, np.int64, self.player.size)
        self._check_days()
        self._check_offsets()
        event = np.repeat(np.arange(self.n_events), np.diff(self.offset))
        self._check_players(event)
        self._check_places(event)

    @property
    def n_events(self) -> int:
        return self.day.size

    def _check_days(self) -> None:
        bad = np.flatnonzero(~np.isfinite(self.day))
        if bad.size:
            raise ValueError(f"day[{bad[0]}] must be finite, got {self.day[bad[0]]}")
        falls = np.flatnonzero(np.diff(self.day) < 0.0)
        if falls.size:
            raise ValueError(f"day[{falls[0] + 1}] is before day[{falls[0]}]: events must be in order")

    def _check_offsets(self) -> None:
        if self.offset[0] != 0 or self.offset[-1] != self.player.size or np.any(np.diff(self.offset) < 0):
            raise ValueError(f"offset must rise from 0 to {self.player.size}, the number of participations")

    def _check_players(self, event: Ints) -> None:
        bad = np.flatnonzero(self.player < 0)
        if bad.size:
            raise ValueError(f"player[{bad[0]}] must not be negative, got {self.player[bad[0]]}")
        width = int(self.player.max(initial=0)) + 1
        key = np.sort(event * width + self.player)
        twice = key[1:][key[1:] == key[:-1]]
        if twice.size:
            raise ValueError(f"event {twice[0] // width}: player {twice[0] % width} is in it twice")

    def _check_places(self, event: Ints) -> None:
        size = np.diff(self.offset)[event]
        bad = np.flatnonzero((self.place < 1) | (self.place > size))
        if not bad.size:
            # A place p is right if p - 1 entries of the event stand before its group in sorted order.
            width = int(size.max(initial=0)) + 1
            key = event * width + self.place
            before = np.searchsorted(np.sort(key), key, side="left")
            bad = np.flatnonzero(before - self.offset[event] + 1 != self.place)
        if bad.size:
            at = bad[0]
            raise ValueError(
                f"event {event[at]}, entry {at - self.offset[event[at]]}: place {self.place[at]} is not part"
                " of a competition ranking (ties 1-2-2-4)"
            )


@dataclass(frozen=True)
class PoolState:
    """Every player of a pool between two events.

    Attributes
    ----------
    mu, sigma : float64, shape (n_players,)
        Mean and standard deviation of skill, rating points.
    last_day : float64, shape (n_players,)
        Day of the last event, NaN if there was none.
    n_entries : int64, shape (n_players,)
        Rated entries so far.
    """

    mu: Floats
    sigma: Floats
    last_day: Floats
    n_entries: Ints

    def __post_init__(self) -> None:
        for name in ("mu", "sigma", "last_day"):
            _require(name, getattr(self, name), np.float64, self.mu.size)
        _require("n_entries", self.n_entries, np.int64, self.mu.size)
        bad = np.flatnonzero(~(np.isfinite(self.mu) & np.isfinite(self.sigma) & (self.sigma > 0.0)))
        if bad.size:
            who = bad[0]
            raise ValueError(f"player {who}: mu {self.mu[who]}, sigma {self.sigma[who]} is no Gaussian")

    @classmethod
    def fresh(cls, n_players: int, params: TierParams) -> "PoolState":
        """State before the first event.

        Parameters
        ----------
        n_players : int
        params : TierParams

        Returns
        -------
        PoolState

        References
        ----------
        .. [1] TIER publication of November 2022: everybody starts at (mu0, sigma0).

        Examples
        --------
        >>> PoolState.fresh(2, TierParams()).sigma.tolist()
        [500.0, 500.0]
        """
        return cls(
            np.full(n_players, params.mu0, dtype=np.float64),
            np.full(n_players, params.sigma0, dtype=np.float64),
            np.full(n_players, np.nan),
            np.zeros(n_players, dtype=np.int64),
        )


@dataclass(frozen=True)
class Replay:
    """What a replay found.

    Attributes
    ----------
    prior_mu, prior_sigma : float64, shape (n_participations,)
        Before the event, drift included, rating points.
    posterior_mu, posterior_sigma : float64, shape (n_participations,)
        After the event, floor of sigma included, rating points.
    state : PoolState
        After the last event.
    """

    prior_mu: Floats
    prior_sigma: Floats
    posterior_mu: Floats
    posterior_sigma: Floats
    state: PoolState


def _check_start(history: History, start: PoolState) -> None:
    if history.player.size and history.player.max() >= start.mu.size:
        at = int(np.argmax(history.player))
        raise ValueError(f"player[{at}] is {history.player[at]}, but the pool has {start.mu.size} players")
    if history.n_events:
        ahead = np.flatnonzero(start.last_day > history.day[0])
        if ahead.size:
            raise ValueError(f"player {ahead[0]} last played after the first event of the history")


def _chunk_ends(offset: Ints) -> list[int]:
    n_events = offset.size - 1
    ends = np.unique(np.searchsorted(offset, np.arange(CHUNK, offset[-1], CHUNK), side="left"))
    return [*(int(end) for end in ends if 0 < end < n_events), n_events]


def replay(
    history: History, start: PoolState, params: TierParams, *, progress: Progress | None = None
) -> Replay:
    """Rate every event of a history in order.

    Parameters
    ----------
    history : History
    start : PoolState
        State before the first event; left unchanged.
    params : TierParams
    progress : callable, optional
        Called with (done_events, n_events) between chunks and at the end.

    Returns
    -------
    Replay
        Replaying a history in one go or in parts, each from the state the last one returned, gives the
        same bits.

    Raises
    ------
    ValueError
        If the history names a player the pool does not have, or starts before a player's last day.
    NotConvergedError
        Naming the event.

    References
    ----------
    .. [1] P. Dangauthier, R. Herbrich, T. Minka, T. Graepel, "TrueSkill Through Time", NIPS 2007,
       section 2 (filtering): sigma^2 + tau^2 days is the next prior's variance.

    Examples
    --------
    >>> history = History(np.zeros(1), np.array([0, 2]), np.array([0, 1]), np.array([1, 2]))
    >>> replay(history, PoolState.fresh(2, TierParams()), TierParams()).state.mu.round(6).tolist()
    [1626.156626, 1373.843374]
    """
    _check_start(history, start)
    largest = int(np.diff(history.offset).max(initial=0))
    state = np.stack([start.mu, start.sigma, start.last_day])
    n_entries = start.n_entries.copy()
    results = np.empty((4, history.player.size))
    arrays = (
        np.ascontiguousarray(history.day),
        np.ascontiguousarray(history.offset),
        np.ascontiguousarray(history.player),
        np.ascontiguousarray(history.place),
    )
    constants = (
        float(params.tau_per_day) ** 2,
        float(params.sigma0),
        float(params.sigma_floor),
        float(params.tolerance),
        int(params.max_rounds),
    )
    scratch = (*workspace(largest), np.full(largest, float(params.beta) ** 2))
    done = 0
    for end in _chunk_ends(history.offset):
        reached = replay_events(done, end, *arrays, constants, *scratch, state, n_entries, results)
        if reached != end:
            raise NotConvergedError(f"event {reached} did not converge in {params.max_rounds} rounds")
        done = end
        if progress is not None:
            progress(done, history.n_events)
    final = PoolState(state[0].copy(), state[1].copy(), state[2].copy(), n_entries)
    return Replay(results[0], results[1], results[2], results[3], final)
