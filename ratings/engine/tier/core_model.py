"""The core model alone: drift and the whole field, without the rules for poker."""

from dataclasses import asdict, dataclass, fields, replace

import numpy as np
import numpy.typing as npt

from ratings.engine.errors import EngineError
from ratings.engine.history import EventHistory
from ratings.engine.limits import MAX_ROUNDS, TOLERANCE
from ratings.engine.tier.params import CONSERVATISM, SIGMA_AFTER_PLACEMENT, TierParams

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Seats where they are not known; neutral parameters do not use them.
SEATS = 9
# Far below every rate, rating points.
NO_FLOOR = -1e9
OURS = ("tau_per_event", "draw_margin")


@dataclass(frozen=True)
class PlainParams:
    """Parameters of the core model: those of TierParams that it reads, and two that other rating systems have.

    Parameters
    ----------
    mu0, sigma0, beta, conservatism, offset, provisional_entries : float
        As for `TierParams`.
    tau_per_day, tolerance, max_rounds, badge_top, badge_step : float
        As for `TierParams`.
    tau_per_event : float
        Drift: sigma^2 of everybody who enters grows by its square before each event, the first included and also above
        sigma0; rating points.
    draw_margin : float
        Performances of tied players differ by less, those of neighbours with different places by more; rating points.
        0: the exact limit, in which tied performances are equal.

    Raises
    ------
    EngineError
        If a value makes no sense; names the field.

    References
    ----------
    .. [1] R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006: for a draw
       probability p of two players, draw_margin = sqrt(2) beta Phi^-1((p + 1)/2).

    Examples
    --------
    >>> PlainParams(mu0=25.0, sigma0=25 / 3, beta=25 / 6).tier.sigma_floor
    0.0
    """

    mu0: float = 1500.0
    sigma0: float = 500.0
    beta: float = 1000.0
    conservatism: float = CONSERVATISM
    offset: float = CONSERVATISM * SIGMA_AFTER_PLACEMENT
    provisional_entries: int = 3
    tau_per_day: float = 0.0
    tau_per_event: float = 0.0
    draw_margin: float = 0.0
    tolerance: float = TOLERANCE
    max_rounds: int = MAX_ROUNDS
    badge_top: float = 2000.0
    badge_step: float = 100.0

    def __post_init__(self) -> None:
        self.tier  # noqa: B018  building it checks the shared parameters
        for name in OURS:
            value = getattr(self, name)
            if not np.isfinite(value):
                raise EngineError(name, "not_finite", got=value)
            if value < 0.0:
                raise EngineError(name, "too_small", got=value, least=0)

    @property
    def tier(self) -> TierParams:
        """The parameters that both have, with neutral values of the others and without floors."""
        shared = {name: value for name, value in asdict(self).items() if name not in OURS}
        return core_only(TierParams(**shared, sigma_floor=0.0, rate_floor=NO_FLOOR))


# Parameters that the core model does not read.
WITHOUT_EFFECT = frozenset(field.name for field in fields(TierParams)) - frozenset(
    field.name for field in fields(PlainParams)
)


def core_only(params: TierParams) -> TierParams:
    """Make hands, weights of places and late penalty neutral.

    Parameters
    ----------
    params : TierParams

    Returns
    -------
    TierParams
        Floors, drift and seasons are those of `params`.

    Examples
    --------
    >>> core_only(TierParams(beta=250.0)).beta
    250.0
    """
    return replace(
        params,
        hands_scale=1.0,
        hands_low=1.0,
        hands_high=1.0,
        weight_first=1.0,
        weight_top=1.0,
        weight_final_table=1.0,
        weight_bottom=1.0,
        weight_rest_low=1.0,
        weight_rest_high=1.0,
        late_a=0.0,
        late_b=0.0,
    )


def order_history(day: Floats, offset: Ints, player: Ints, place: Ints) -> EventHistory:
    """Build a history of events of which only the finishing order is known; it may have ties.

    Parameters
    ----------
    day : float64, shape (n_events,)
    offset : int64, shape (n_events + 1,)
    player, place : int64, shape (n_entries,)
        As for `EventHistory`; nobody enters twice.

    Returns
    -------
    EventHistory

    Raises
    ------
    BadEventError, ValueError
        As for `EventHistory`.

    Examples
    --------
    >>> tied = order_history(np.zeros(1), np.array([0, 3]), np.array([5, 6, 7]), np.array([2, 1, 2]))
    >>> tied.n_events, tied.number.tolist()
    (1, [1, 1, 1])
    """
    seats = np.full(day.size, SEATS, dtype=np.int64)
    unknown, no_times = np.full(day.size, np.nan), np.full(player.size, np.nan)
    return EventHistory(
        day=day,
        offset=offset,
        duration=unknown,
        closes_at=unknown,
        table_size=seats,
        final_table_size=seats,
        player=player,
        number=np.ones(player.size, dtype=np.int64),
        place=place,
        registered_at=no_times,
        busted_at=no_times,
    )
