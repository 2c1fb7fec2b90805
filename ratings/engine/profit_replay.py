"""Profit rating of a history of games, checked and replayed in order, with the change of every entry."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.chain import competition_places
from ratings.engine.errors import BadEventError
from ratings.engine.history import require_array
from ratings.engine.profit import ProfitParams, corrections
from ratings.engine.profit_kernels import find_twice, replay_games

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


@dataclass(frozen=True)
class ProfitState:
    """Every player of a pool between two games.

    Attributes
    ----------
    r : float64, shape (n_players,)
        R, rating points.
    n_games : int64, shape (n_players,)
        Rated games so far.
    """

    r: Floats
    n_games: Ints

    def __post_init__(self) -> None:
        require_array("r", self.r, np.float64, self.r.size)
        require_array("n_games", self.n_games, np.int64, self.r.size)
        wrong = ~np.isfinite(self.r) | (self.n_games < 0)
        if wrong.any():
            who = int(np.argmax(wrong))
            raise ValueError(f"player {who}: r {self.r[who]} after {self.n_games[who]} games is no rating")

    def stretched(self, times: float, r0: float) -> "ProfitState":
        """Multiply every distance from r0.

        Parameters
        ----------
        times : float
        r0 : float
            R of a new player, rating points.

        Returns
        -------
        ProfitState

        Examples
        --------
        >>> ProfitState(np.array([1400.0, 1500.0]), np.array([9, 0])).stretched(1.5, 1500.0).r.tolist()
        [1350.0, 1500.0]
        """
        return ProfitState(r0 + times * (self.r - r0), self.n_games)

    @classmethod
    def fresh(cls, n_players: int, params: ProfitParams) -> "ProfitState":
        """State before the first game.

        Parameters
        ----------
        n_players : int
        params : ProfitParams

        Returns
        -------
        ProfitState

        Examples
        --------
        >>> ProfitState.fresh(2, ProfitParams()).r.tolist()
        [1500.0, 1500.0]
        """
        return cls(np.full(n_players, params.r0, dtype=np.float64), np.zeros(n_players, dtype=np.int64))


@dataclass(frozen=True)
class ProfitReplay:
    """Result of a replay, for every entry in the order of the history.

    Attributes
    ----------
    history : ProfitHistory
    params : ProfitParams
    before, after : float64, shape (n_entries,)
        R before and after the game, rating points.
    n_before : int64, shape (n_entries,)
        Games of the player before this one.
    table_mean : float64, shape (n_events,)
        Mean R of the table before the game.
    state : ProfitState
        After the last game.
    """

    history: ProfitHistory
    params: ProfitParams
    before: Floats
    after: Floats
    n_before: Ints
    table_mean: Floats
    state: ProfitState

    @property
    def correction(self) -> Floats:
        """c(n) of each entry, no unit."""
        table = corrections(self.params)
        return table[np.minimum(self.n_before, table.size - 1)]

    @property
    def result_part(self) -> Floats:
        """Change of R by the result, rating points."""
        return self.correction / self.params.least_correction * results(self.history, self.params)

    @property
    def pull_part(self) -> Floats:
        """Change of R by the pull to the table's mean, rating points; the two parts add up to the change."""
        distance = self.table_mean[self.history.event] - self.before
        return self.correction / self.params.least_correction * self.params.pull * distance


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


def _check_balances(history: ProfitHistory) -> None:
    history.refuse(np.isnan(history.balance), "balance", "no_balance")
    history.refuse(np.isinf(history.balance), "balance", "infinite")


def _check_sums(history: ProfitHistory, params: ProfitParams) -> None:
    balance, wrong = history.balance, wrong_sums(history, params)
    if wrong.size:
        event = int(wrong[0])
        entries = balance[history.offset[event] : history.offset[event + 1]]
        got, right = round(float(entries.sum()), 6), params.balance_sum(entries.size)
        if wrong.size == 1:
            raise BadEventError(event, None, "balance", "wrong_sum", got=got, right=right)
        n_later = wrong.size - 1
        raise BadEventError(event, None, "balance", "wrong_sums", got=got, right=right, n_later=n_later)


def replay_profit(
    history: ProfitHistory, start: ProfitState, params: ProfitParams, *, checks_sums: bool = True
) -> ProfitReplay:
    """Rate every game of a history in order.

    Parameters
    ----------
    history : ProfitHistory
    start : ProfitState
        State before the first game; left unchanged.
    params : ProfitParams
    checks_sums : bool, optional
        False for games that were checked when they were saved, perhaps by another part of the house.

    Returns
    -------
    ProfitReplay
        Replaying a history in one go or in parts, each from the state the last one returned, gives the same
        bits.

    Raises
    ------
    BadEventError
        If a balance that counts is missing, balances have a wrong sum, or R is not finite; names the event.
    ValueError
        If the history names a player the pool does not have.

    References
    ----------
    .. [1] Proposal of 2010: dR = c(n) (r + u (Rbar - R)).

    Examples
    --------
    >>> game = ProfitHistory.of_balances([{0: 40e3, 1: 10e3, 2: -20e3, 3: -30e3}])
    >>> fresh = ProfitState.fresh(4, ProfitParams())
    >>> (replay_profit(game, fresh, ProfitParams()).after - 1500.0).round(3).tolist()
    [16.316, 4.079, -8.158, -12.237]
    """
    n_players = start.r.size
    history.refuse(history.player >= n_players, "player", "unknown_player", n_players=n_players)
    if params.system == "balance":
        _check_balances(history)
        if checks_sums:
            _check_sums(history, params)
    with np.errstate(over="ignore", invalid="ignore"):  # Overflows are refused below.
        result = results(history, params)
    r, n_games = start.r.copy(), start.n_games.copy()
    before, after = np.empty(history.n_entries), np.empty(history.n_entries)
    n_before, table_mean = np.empty(history.n_entries, dtype=np.int64), np.empty(history.n_events)
    replay_games(
        np.ascontiguousarray(history.offset),
        np.ascontiguousarray(history.player),
        result,
        corrections(params) / params.least_correction,
        params.pull,
        r,
        n_games,
        before,
        after,
        n_before,
        table_mean,
    )
    history.refuse(~np.isfinite(after), "R", "unbounded")
    return ProfitReplay(history, params, before, after, n_before, table_mean, ProfitState(r, n_games))
