"""State of a pool's players between two events, and its drift."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import inner
from ratings.engine.history import require_array
from ratings.engine.tier.params import TierParams

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PoolState:
    """Every player of a pool between two events.

    Attributes
    ----------
    mu, sigma : float64, shape (n_players,)
        Mean and standard deviation of skill, rating points.
    last_day : float64, shape (n_players,)
        Day of the last event, or of the rating brought forward; NaN for a newcomer.
    n_entries : int64, shape (n_players,)
        Rated entries so far.
    """

    mu: Floats
    sigma: Floats
    last_day: Floats
    n_entries: Ints

    def __post_init__(self) -> None:
        for name in ("mu", "sigma", "last_day"):
            require_array(name, getattr(self, name), np.float64, self.mu.size)
        require_array("n_entries", self.n_entries, np.int64, self.mu.size)
        bad = np.flatnonzero(~(np.isfinite(self.mu) & np.isfinite(self.sigma) & (self.sigma > 0.0)))
        if bad.size:
            who = bad[0]
            raise ValueError(f"player {who}: mu {self.mu[who]}, sigma {self.sigma[who]} is no Gaussian")

    @classmethod
    def fresh(cls, n_players: int, params: TierParams) -> "PoolState":
        """State of a pool before its first event.

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

    def with_newcomers(self, params: TierParams) -> "PoolState":
        """Let newcomers start by other parameters: players without an entry or a rating brought forward.

        Parameters
        ----------
        params : TierParams

        Returns
        -------
        PoolState

        Examples
        --------
        >>> before = PoolState.fresh(1, TierParams())
        >>> before.with_newcomers(TierParams(mu0=1200.0)).mu.tolist()
        [1200.0]
        """
        is_new = np.isnan(self.last_day)
        return replace(
            self,
            mu=np.where(is_new, params.mu0, self.mu),
            sigma=np.where(is_new, params.sigma0, self.sigma),
        )


@inner
def drifted(sigma: float, days: float, tau_sq: float, sigma0: float) -> float:
    """Widen sigma by drift up to sigma0; a sigma that is wider already stays."""
    if not days > 0.0 or tau_sq == 0.0:  # Days are NaN for a new player.
        return sigma
    return max(sigma, min(math.sqrt(sigma * sigma + tau_sq * days), sigma0))
