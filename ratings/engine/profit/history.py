"""Games as the profit rating reads them: their entries, results and balances."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.chain import competition_places
from ratings.engine.errors import BadEventError
from ratings.engine.history import require_array
from ratings.engine.profit.kernels import find_twice
from ratings.engine.profit.params import ProfitParams

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ProfitHistory:
    """Games in the order they are rated, as flat arrays.

    Parameters
    ----------
    offset : int64, shape (n_events + 1,)
        Entries of event e are offset[e]..offset[e + 1] - 1; at least two.
    player : int64, shape (n_entries,)
        Index 0..n_players-1; nobody twice in an event.
    place : int64, shape (n_entries,)
        Competition ranking of the event (ties 1-2-2-4).
    balance : float64, shape (n_entries,)
        Points; NaN if unknown.

    Raises
    ------
    BadEventError
        With the indices of event, player and entry.
    ValueError
        If an array has the wrong dtype or shape.

    Examples
    --------
    >>> ProfitHistory.of_balances([{0: 25.0, 3: -25.0}]).place.tolist()
    [1, 2]
    """

    offset: Ints
    player: Ints
    place: Ints
    balance: Floats

    def __post_init__(self) -> None:
        for name in ("player", "place"):
            require_array(name, getattr(self, name), np.int64, self.player.size)
        require_array("balance", self.balance, np.float64, self.player.size)
        require_array("offset", self.offset, np.int64, max(self.offset.size, 1))
        sizes = np.diff(self.offset)
        if self.offset[0] != 0 or self.offset[-1] != self.n_entries or np.any(sizes < 0):
            raise ValueError(f"offset must rise from 0 to {self.n_entries}, the number of entries")
        if np.any(sizes < 2):
            event = int(np.argmax(sizes < 2))
            raise BadEventError(event, None, "offset", "too_few_players", got=int(sizes[event]))
        self._check_players()
        right = competition_places(self.event * (self.n_entries + 1) + self.place) - self.offset[self.event]
        self.refuse(right != self.place, "place", "not_a_ranking")

    @property
    def n_events(self) -> int:
        return self.offset.size - 1

    @property
    def n_entries(self) -> int:
        return self.player.size

    @property
    def event(self) -> Ints:
        """Event of each entry."""
        return np.repeat(np.arange(self.n_events), np.diff(self.offset))

    @classmethod
    def of_balances(cls, games: list[dict[int, float]]) -> "ProfitHistory":
        """Build a history from balances; places follow from them.

        Parameters
        ----------
        games : list of dict of int to float
            Balance by player, points.

        Returns
        -------
        ProfitHistory

        Examples
        --------
        >>> ProfitHistory.of_balances([{7: -1.0, 8: 2.0, 9: -1.0}]).place.tolist()
        [2, 1, 2]
        """
        balances = [np.array(list(game.values()), dtype=np.float64) for game in games]
        places = [1 + (balance[None, :] > balance[:, None]).sum(axis=1) for balance in balances]
        return cls(
            np.concatenate([[0], np.cumsum([balance.size for balance in balances])]).astype(np.int64),
            np.array([who for game in games for who in game], dtype=np.int64),
            np.concatenate([[], *places]).astype(np.int64),
            np.concatenate([[], *balances]).astype(np.float64),
        )

    @classmethod
    def joined(cls, parts: Sequence["ProfitHistory"]) -> "ProfitHistory":
        """Put histories of the same players one after the other.

        Parameters
        ----------
        parts : sequence of ProfitHistory
            At least one.

        Returns
        -------
        ProfitHistory

        Examples
        --------
        >>> game = ProfitHistory.of_balances([{0: 1.0, 1: -1.0}])
        >>> ProfitHistory.joined([game, game]).offset.tolist()
        [0, 2, 4]
        """
        sizes = np.concatenate([np.diff(part.offset) for part in parts])
        return cls(
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.concatenate([part.player for part in parts]),
            np.concatenate([part.place for part in parts]),
            np.concatenate([part.balance for part in parts]),
        )

    def without(self, events: Ints) -> "ProfitHistory":
        """Leave out events.

        Parameters
        ----------
        events : int64, shape (n_left_out,)

        Returns
        -------
        ProfitHistory

        Examples
        --------
        >>> ProfitHistory.of_balances([{0: 1.0, 1: -1.0}, {2: 5.0, 3: -5.0}]).without(np.array([0])).player.tolist()
        [2, 3]
        """
        is_kept = np.ones(self.n_events, dtype=np.bool_)
        is_kept[events] = False
        entries = is_kept[self.event]
        return ProfitHistory(
            np.concatenate([[0], np.cumsum(np.diff(self.offset)[is_kept])]).astype(np.int64),
            self.player[entries],
            self.place[entries],
            self.balance[entries],
        )

    def refuse(self, wrong: Flags, field: str, code: str, **values: int) -> None:
        """Raise BadEventError for the first entry that is wrong.

        Parameters
        ----------
        wrong : bool, shape (n_entries,)
        field, code, **values
            As for `BadEventError`.

        Raises
        ------
        BadEventError
            If an entry is wrong.

        Examples
        --------
        >>> ProfitHistory.of_balances([{7: 1.0, 8: -1.0}]).refuse(np.array([False, False]), "balance", "infinite")
        """
        if wrong.any():
            entry = int(np.argmax(wrong))
            event = int(np.searchsorted(self.offset, entry, side="right")) - 1
            raise BadEventError(event, int(self.player[entry]), field, code, entry=entry, **values)

    def _check_players(self) -> None:
        self.refuse(self.player < 0, "player", "negative")
        no_event = np.full(int(self.player.max(initial=-1)) + 1, -1, dtype=np.int64)
        twice = find_twice(np.ascontiguousarray(self.offset), np.ascontiguousarray(self.player), no_event)
        self.refuse(np.arange(self.n_entries) == twice, "player", "player_twice")


def results(history: ProfitHistory, params: ProfitParams) -> Floats:
    """Result r of every entry, as it is after `games` games.

    Parameters
    ----------
    history : ProfitHistory
    params : ProfitParams

    Returns
    -------
    float64, shape (n_entries,)
        Rating points; NaN where a balance that counts is missing.

    References
    ----------
    .. [1] Proposal of 2010: 0.2 * 0.4079 per thousand points of balance; 0.2 * (30, 10, -10, -30) by place.

    Examples
    --------
    >>> game = ProfitHistory.of_balances([{0: 40e3, 1: 10e3, 2: -20e3, 3: -30e3}])
    >>> results(game, ProfitParams()).round(6).tolist()
    [3.2632, 0.8158, -1.6316, -2.4474]
    >>> results(game, ProfitParams(system="placement")).tolist()
    [6.0, 2.0, -2.0, -6.0]
    """
    if params.system == "balance":
        scaled: Floats = params.f * (history.balance / params.balance_unit)
        return scaled
    size = np.diff(history.offset)[history.event]
    key = history.event * (history.n_entries + 1) + history.place
    _keys, at, n_tied = np.unique(key, return_inverse=True, return_counts=True)
    below_less_above = size + 1 - 2 * history.place - (n_tied[at] - 1)
    by_place: Floats = params.place_first * below_less_above / (size - 1)
    return by_place


def wrong_sums(history: ProfitHistory, params: ProfitParams) -> Ints:
    """Find the games whose balances are incomplete or do not have the right sum.

    Parameters
    ----------
    history : ProfitHistory
    params : ProfitParams

    Returns
    -------
    int64, shape (n_wrong,)
        Indices of the events, rising.

    Examples
    --------
    >>> wrong_sums(ProfitHistory.of_balances([{0: 1.0, 1: -1.0}, {0: 1.0, 1: 0.0}]), ProfitParams()).tolist()
    [1]
    """
    if history.n_events == 0:
        return np.zeros(0, dtype=np.int64)
    first, size = history.offset[:-1], np.diff(history.offset)
    is_known = np.isfinite(history.balance)
    balance = np.where(is_known, history.balance, 0.0)
    expected = -params.house_per_table - size * params.house_per_player
    rounding = np.finfo(np.float64).eps * size * np.add.reduceat(np.abs(balance), first)
    is_wrong = np.abs(np.add.reduceat(balance, first) - expected) > params.sum_tolerance + rounding
    wrong: Ints = np.flatnonzero(is_wrong | ~np.logical_and.reduceat(is_known, first))
    return wrong
