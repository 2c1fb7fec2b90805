"""TIER parameters, the rate shown to members and its badge. Imports neither numba nor the EP engine."""

import math
from dataclasses import dataclass, fields
from typing import overload

import numpy as np
import numpy.typing as npt

from ratings.engine.errors import EngineError
from ratings.engine.limits import MAX_ROUNDS, TOLERANCE

Floats = npt.NDArray[np.float64]

# Revision of the rating engine. Raise it with every change after which the same results give other ratings or
# standings: sites then compute everything again by themselves.
REVISION = 7
# Share of skill mass above mu - K sigma is 80 %: K = 0.84162123357, no unit (publication, 2022).
CONSERVATISM = 0.84162123357
# Median sigma after three events, rating points (publication, 2022): there the median rate is mu0.
SIGMA_AFTER_PLACEMENT = 440.0

# Rows of the table of place weights, in the order they are tried (publication, 2022).
WEIGHT_ROWS = ("first", "top", "final_table", "bottom", "rest")

# What happens to a rating when its player first plays in a season that began after the player's last event.
SEASON_STARTS = ("carry_on", "soft", "full")

# How much of the gain from entering late is charged: the share that makes the published figures, or all of it.
LATE_CHARGES = ("published", "full")
# Share of that gain which the full charge takes, no unit: the least, rounded up to hundredths, with which entering late
# does not pay on average in any field of 20 to 100 equal players (ratings/calibrate.py).
FULL_LATE_B = 1.11


@dataclass(frozen=True)
class TierParams:
    """Parameters of a rating pool; the defaults are the published ones where there are any.

    Parameters
    ----------
    mu0, sigma0 : float
        Mean and standard deviation of a new player's skill, rating points (publication).
    beta : float
        Standard deviation of one performance around skill, rating points (publication: poker has much
        chance; mu0/6 is usual for a game of skill).
    conservatism : float
        K of rate = mu - K sigma + L, no unit (publication).
    offset : float
        L, rating points; K * 440, so that the median player shows mu0 after three events (publication).
    sigma_floor : float
        sigma never falls below it, rating points (publication).
    rate_floor : float
        Least rate, rating points (publication): an event that would bring the rate below it leaves mu where the rate
        is this (ours: otherwise a debt grows that nobody sees).
    provisional_entries : int
        Entries before a badge counts (publication).
    tau_per_day : float
        Drift: sigma^2 grows by its square per day since the last event, rating points per square root
        of a day (0: the publication has none).
    tolerance : float
        See TOLERANCE, no unit.
    max_rounds : int
        See MAX_ROUNDS.
    hands_scale : float
        Weight of evidence per cube root of an hour of nine-seat play, no unit (calibrated,
        ratings/calibrate.py).
    hands_low, hands_high : float
        Bounds of the playing time that counts, hours of nine-seat play (calibrated).
    weight_first, weight_top, weight_final_table, weight_bottom : float
        Weights of a place: 1st, top share, reached the final table, bottom share; no unit (publication).
    weight_rest_low, weight_rest_high : float
        Interval of the weight all others have in common, no unit (publication).
    weight_share : float
        Top and bottom share, fraction of the field (publication: 3 %).
    weight_scales_sigma : bool
        Whether the weight of the place scales the change of sigma too (calibrated).
    late_a, late_b : float
        Shares of the late penalty's two parts that are charged, no unit (calibrated): a of what early busts gained by
        partial fields, b of the gain from entering late (ICM).
    late_charge : str
        One of LATE_CHARGES: "published" charges late_b of the second part, "full" FULL_LATE_B of it, so that entering
        late does not pay on average (ours).
    late_first, late_reentry : float
        Multiple of the penalty that a first entry and a re-entry pay, no unit (publication).
    minutes_per_entry : float
        Length of an event of unknown end, minutes for each entry (publication: both simulated events, 50
        entries over 300 and 100 over 600).
    badge_top, badge_step : float
        Least rate of badge S, and how much lower each next badge begins, rating points (publication: 2000 and
        100).
    season_start : str
        One of SEASON_STARTS, for a player who first plays in a season that began after the player's last event:
        "carry_on" changes nothing, "soft" widens sigma to season_sigma, "full" resets to a new player (ours).
    season_sigma : float
        sigma after a soft reset, rating points; a wider sigma stays (ours).

    Raises
    ------
    EngineError
        If a value makes no sense; names the field.

    References
    ----------
    .. [1] TIER publication of November 2022, as restated in ratings/README.md: rate = mu - K sigma + L.

    Examples
    --------
    >>> TierParams().offset
    370.3133427708
    """

    mu0: float = 1500.0
    sigma0: float = 500.0
    beta: float = 1000.0
    conservatism: float = CONSERVATISM
    offset: float = CONSERVATISM * SIGMA_AFTER_PLACEMENT
    sigma_floor: float = 300.0
    rate_floor: float = 900.0
    provisional_entries: int = 3
    tau_per_day: float = 0.0
    tolerance: float = TOLERANCE
    max_rounds: int = MAX_ROUNDS
    hands_scale: float = 0.525
    hands_low: float = 0.3
    hands_high: float = 2.3
    weight_first: float = 1.00
    weight_top: float = 0.97
    weight_final_table: float = 0.95
    weight_bottom: float = 0.92
    weight_rest_low: float = 0.80
    weight_rest_high: float = 0.90
    weight_share: float = 0.03
    weight_scales_sigma: bool = False
    late_charge: str = "published"
    late_a: float = 0.0502
    late_b: float = 0.1213
    late_first: float = 1.25
    late_reentry: float = 1.00
    minutes_per_entry: float = 6.0
    badge_top: float = 2000.0
    badge_step: float = 100.0
    season_start: str = "carry_on"
    season_sigma: float = 400.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name not in {"late_charge", "season_start"}:
                self._require(field.name, "not_finite", math.isfinite(getattr(self, field.name)))
        for name in ("sigma0", "beta", "tolerance"):
            self._require(name, "not_positive", getattr(self, name) > 0.0)
        for name in ("conservatism", "sigma_floor", "provisional_entries", "tau_per_day"):
            self._require(name, "too_small", getattr(self, name) >= 0.0, least=0)
        for name in ("provisional_entries", "max_rounds"):
            self._require(name, "not_a_whole_number", getattr(self, name) == int(getattr(self, name)))
        below = self.sigma_floor <= self.sigma0
        self._require("sigma_floor", "above_other", below, name="sigma0", value=self.sigma0)
        self._require("max_rounds", "too_small", self.max_rounds >= 2, least=2)
        self._check_evidence()
        self._check_weights()
        known = ", ".join(LATE_CHARGES)
        self._require("late_charge", "unknown_choice", self.late_charge in LATE_CHARGES, known=known)
        for name in ("late_a", "late_b", "late_first", "late_reentry"):
            self._require(name, "too_small", getattr(self, name) >= 0.0, least=0)
        self._require("minutes_per_entry", "not_positive", self.minutes_per_entry > 0.0)
        self._require("badge_step", "not_positive", self.badge_step > 0.0)
        self._check_season()

    @property
    def charged_b(self) -> float:
        """Share of the gain from entering late that is charged, no unit."""
        return FULL_LATE_B if self.late_charge == "full" else self.late_b

    def _check_evidence(self) -> None:
        for name in ("hands_scale", "hands_low"):
            self._require(name, "not_positive", getattr(self, name) > 0.0)
        above = self.hands_high >= self.hands_low
        self._require("hands_high", "below_other", above, name="hands_low", value=self.hands_low)

    def _check_season(self) -> None:
        known = self.season_start in SEASON_STARTS
        self._require("season_start", "unknown_choice", known, known=", ".join(SEASON_STARTS))
        within = self.sigma_floor <= self.season_sigma <= self.sigma0 or self.season_start != "soft"
        self._require(
            "season_sigma",
            "outside_others",
            within and self.season_sigma > 0.0,
            low="sigma_floor",
            least=self.sigma_floor,
            high="sigma0",
            most=self.sigma0,
        )

    def _check_weights(self) -> None:
        for name in ("weight_first", "weight_top", "weight_final_table", "weight_bottom", "weight_rest_low"):
            self._require(name, "not_positive", getattr(self, name) > 0.0)
        lowest = self.weight_rest_low
        above = self.weight_rest_high >= lowest
        self._require("weight_rest_high", "below_other", above, name="weight_rest_low", value=lowest)
        self._require("weight_share", "out_of_range", 0.0 <= self.weight_share <= 0.5, least=0, most=0.5)

    def _require(self, field: str, code: str, holds: bool, **values: object) -> None:
        if not holds:
            raise EngineError(field, code, got=getattr(self, field), **values)


@overload
def rate(mu: float, sigma: float, params: TierParams) -> float: ...
@overload
def rate(mu: Floats, sigma: Floats, params: TierParams) -> Floats: ...
def rate(mu: float | Floats, sigma: float | Floats, params: TierParams) -> float | Floats:
    """Rate shown to members.

    Parameters
    ----------
    mu, sigma : float or float64 array, any shape
        Mean and standard deviation of skill, rating points.
    params : TierParams

    Returns
    -------
    float or float64 array
        max(mu - K sigma + L, rate floor), rating points.

    References
    ----------
    .. [1] TIER publication of November 2022: rate = mu - K sigma + L.

    Examples
    --------
    >>> rate(1500.0, 440.0, TierParams())
    1500.0
    """
    floored = np.maximum(mu - params.conservatism * sigma + params.offset, params.rate_floor)
    return float(floored) if np.ndim(floored) == 0 else floored


def least_mu(sigma: float, params: TierParams) -> float:
    """Compute the mean at which the rate is its floor.

    Parameters
    ----------
    sigma : float
        Standard deviation of skill, rating points.
    params : TierParams

    Returns
    -------
    float
        Rating points.

    References
    ----------
    .. [1] rate = mu - K sigma + L (ratings/README.md), solved for mu at the floor.

    Examples
    --------
    >>> round(least_mu(440.0, TierParams()), 6)
    900.0
    """
    return params.rate_floor - params.offset + params.conservatism * sigma


def skill_of_rate(rate: float, params: TierParams) -> tuple[float, float]:
    """Compute the skill of a player of whom only the rate is known, as sure as after the placement.

    Parameters
    ----------
    rate : float
        Rating points, above the floor of the rate.
    params : TierParams

    Returns
    -------
    mu, sigma : float
        Rating points; `sigma` is SIGMA_AFTER_PLACEMENT within the bounds of the parameters, and the rate of both is
        the given one.

    References
    ----------
    .. [1] rate = mu - K sigma + L (ratings/README.md), solved for mu; sigma is ours.

    Examples
    --------
    >>> skill_of_rate(1640.0, TierParams())
    (1640.0, 440.0)
    """
    sigma = min(max(SIGMA_AFTER_PLACEMENT, params.sigma_floor), params.sigma0)
    return rate + params.conservatism * sigma - params.offset, sigma


def is_provisional(n_entries: int, params: TierParams) -> bool:
    """Tell whether a player is still in the placement period.

    Parameters
    ----------
    n_entries : int
        Rated entries so far.
    params : TierParams

    Returns
    -------
    bool

    References
    ----------
    .. [1] TIER publication of November 2022: placement period of three entries.

    Examples
    --------
    >>> is_provisional(2, TierParams()), is_provisional(3, TierParams())
    (True, False)
    """
    return n_entries < params.provisional_entries
