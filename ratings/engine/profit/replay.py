"""Profit rating of a history of games, checked and replayed in order, with the change of every entry."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.errors import BadEventError
from ratings.engine.history import require_array
from ratings.engine.profit.history import ProfitHistory, results, wrong_sums
from ratings.engine.profit.kernels import replay_games
from ratings.engine.profit.params import ProfitParams, corrections

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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
