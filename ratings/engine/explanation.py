"""Why a rate changed: one structured record for each rated entry, whose steps add up to the change.

Everything but the expected place comes out of the replay's arrays. The steps are changes of the rate shown:

    whole_field    posterior of the whole field less the prior; the weight of evidence H is in it
    partial_field  what the partial field adds, if it was taken
    place_weight   what the weight of the place takes off (or gives back)
    late_penalty   less the penalty
    sigma_floor    sigma stopped at its floor
    rate_floor     the rate shown stopped at its floor, before or after
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine import pipeline_arrays as rows
from ratings.engine.pipeline import TierReplay
from ratings.engine.place_weights import ROWS
from ratings.engine.prediction import expected_places
from ratings.engine.tier import TierParams, badge, is_provisional, rate

Floats = npt.NDArray[np.float64]

# A smaller step than this is rounding, rating points.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Skill:
    """mu and sigma, the rate shown (all rating points) and its badge."""

    mu: float
    sigma: float
    rate: float
    badge: str
    is_provisional: bool


@dataclass(frozen=True)
class PartialField:
    """The field an early bust met: its size, the place in it, the change of rate, and whether it was the better."""

    size: int
    place: int
    change: float
    is_taken: bool


@dataclass(frozen=True)
class Evidence:
    """t in minutes, n_max, h in hours of nine-seat play (not clipped) and H."""

    minutes: float
    table_size: int
    hours: float
    weight: float


@dataclass(frozen=True)
class PlaceWeight:
    """The weight and the row of the table that applied (place_weights.ROWS)."""

    weight: float
    row: str


@dataclass(frozen=True)
class LatePenalty:
    """Pe and Pb, both parts (rating points), the factor of a first entry or re-entry, and the points charged."""

    n_entered: int
    n_bust: int
    part1: float
    part2: float
    factor: float
    penalty: float


@dataclass(frozen=True)
class Explanation:
    """Everything a member can ask about one rated entry.

    Attributes
    ----------
    event, player, number : int
        Indices of the history, and the number of the entry (2 and up: re-entry).
    place, n_entries : int
        Place among all entries of the event.
    field_place, field_size : int
        Place in the field of its round, in which every player stands once.
    expected_place : float
        In that field, before it played.
    prior, posterior : Skill
    whole_change : float
        Change of rate from the whole field, rating points, no floor applied.
    partial : PartialField, optional
        None if it met the whole field.
    evidence : Evidence
    place_weight : PlaceWeight
    late : LatePenalty, optional
        None if it was not late.
    floors : tuple of str
        "sigma" and "rate", if they bit.
    steps : tuple of (str, float)
        Names (module docstring) and changes of the rate shown, rating points; those that are 0 too.
    """

    event: int
    player: int
    number: int
    place: int
    n_entries: int
    field_place: int
    field_size: int
    expected_place: float
    prior: Skill
    posterior: Skill
    whole_change: float
    partial: PartialField | None
    evidence: Evidence
    place_weight: PlaceWeight
    late: LatePenalty | None
    floors: tuple[str, ...]
    steps: tuple[tuple[str, float], ...]

    @property
    def change(self) -> float:
        """Change of the rate shown, rating points."""
        return self.posterior.rate - self.prior.rate


def _skill(mu: float, sigma: float, n_entries: int, params: TierParams) -> Skill:
    shown = rate(mu, sigma, params)
    return Skill(mu, sigma, shown, badge(shown), is_provisional(n_entries, params))


def _expected_places(replayed: TierReplay, e: int) -> Floats:
    """Of every entry of an event, in the field of its round as it stood before that round."""
    history = replayed.history
    of = slice(int(history.offset[e]), int(history.offset[e + 1]))
    number, player, numbers = history.number[of], history.player[of], replayed.numbers[:, of]
    last = np.zeros(int(player.max()) + 1, dtype=np.int64)
    np.maximum.at(last, player, number)
    expected = np.empty(number.size)
    for round_number in range(1, int(number.max()) + 1):
        now = number == round_number
        inside = now | ((number == last[player]) & (number < round_number))
        mu = np.where(now, numbers[rows.PRIOR_MU], numbers[rows.POSTERIOR_MU])[inside]
        sigma = np.where(now, numbers[rows.PRIOR_SIGMA], numbers[rows.POSTERIOR_SIGMA])[inside]
        expected[now] = expected_places(mu, sigma, beta=replayed.params.beta)[now[inside]]
    return expected


def _partial(replayed: TierReplay, i: int) -> PartialField | None:
    counts, numbers = replayed.counts[:, i], replayed.numbers[:, i]
    if counts[rows.PARTIAL_FIELD_SIZE] == 0:
        return None
    up = numbers[rows.PARTIAL_MU] - numbers[rows.PRIOR_MU]
    up -= replayed.params.conservatism * (numbers[rows.PARTIAL_SIGMA] - numbers[rows.PRIOR_SIGMA])
    size, place = int(counts[rows.PARTIAL_FIELD_SIZE]), int(counts[rows.PARTIAL_PLACE])
    return PartialField(size, place, float(up), bool(counts[rows.PARTIAL_TAKEN]))


def _late(replayed: TierReplay, i: int) -> LatePenalty | None:
    if replayed.n_bust[i] == 0:
        return None
    params, numbers = replayed.params, replayed.numbers[:, i]
    return LatePenalty(
        n_entered=int(replayed.n_entered[i]),
        n_bust=int(replayed.n_bust[i]),
        part1=float(numbers[rows.PART1]),
        part2=float(numbers[rows.PART2]),
        factor=params.late_first if replayed.history.number[i] == 1 else params.late_reentry,
        penalty=float(numbers[rows.PENALTY]),
    )


def _steps(replayed: TierReplay, i: int, prior: Skill, posterior: Skill) -> tuple[tuple[str, float], ...]:
    params, numbers = replayed.params, replayed.numbers[:, i].tolist()
    K, weight = params.conservatism, numbers[rows.WEIGHT]
    whole = (numbers[rows.WHOLE_MU] - prior.mu, numbers[rows.WHOLE_SIGMA] - prior.sigma)
    chosen = whole
    if replayed.counts[rows.PARTIAL_TAKEN, i]:
        chosen = (numbers[rows.PARTIAL_MU] - prior.mu, numbers[rows.PARTIAL_SIGMA] - prior.sigma)
    of_sigma = weight if params.weight_scales_sigma else 1.0
    unfloored_sigma = prior.sigma + of_sigma * chosen[1]
    lifted = [
        skill.rate - (skill.mu - K * skill.sigma + params.offset) if skill.rate == params.rate_floor else 0.0
        for skill in (prior, posterior)
    ]
    return (
        ("whole_field", whole[0] - K * whole[1]),
        ("partial_field", (chosen[0] - whole[0]) - K * (chosen[1] - whole[1])),
        ("place_weight", (weight - 1.0) * chosen[0] - K * (of_sigma - 1.0) * chosen[1]),
        ("late_penalty", -numbers[rows.PENALTY]),
        ("sigma_floor", -K * (posterior.sigma - unfloored_sigma)),
        ("rate_floor", lifted[1] - lifted[0]),
    )


def _floors(posterior: Skill, sigma_step: float, params: TierParams) -> tuple[str, ...]:
    bit = {"sigma": abs(sigma_step) > ROUNDING, "rate": posterior.rate == params.rate_floor}
    return tuple(name for name, did in bit.items() if did)


def _explain(replayed: TierReplay, e: int, i: int, expected: float) -> Explanation:
    history, counts, params = replayed.history, replayed.counts[:, i], replayed.params
    numbers, n_before = replayed.numbers[:, i].tolist(), int(counts[rows.N_BEFORE])
    prior = _skill(numbers[rows.PRIOR_MU], numbers[rows.PRIOR_SIGMA], n_before, params)
    posterior = _skill(numbers[rows.POSTERIOR_MU], numbers[rows.POSTERIOR_SIGMA], n_before + 1, params)
    steps = _steps(replayed, i, prior, posterior)
    played, hours, weight = replayed.times.played[i], replayed.hours[i], replayed.evidence[i]
    return Explanation(
        event=e,
        player=int(history.player[i]),
        number=int(history.number[i]),
        place=int(history.place[i]),
        n_entries=int(history.offset[e + 1] - history.offset[e]),
        field_place=int(counts[rows.FIELD_PLACE]),
        field_size=int(counts[rows.FIELD_SIZE]),
        expected_place=expected,
        prior=prior,
        posterior=posterior,
        whole_change=steps[0][1],
        partial=_partial(replayed, i),
        evidence=Evidence(float(played), int(history.table_size[e]), float(hours), float(weight)),
        place_weight=PlaceWeight(numbers[rows.WEIGHT], ROWS[int(counts[rows.ROW])]),
        late=_late(replayed, i),
        floors=_floors(posterior, dict(steps)["sigma_floor"], params),
        steps=steps,
    )


def explain_event(replayed: TierReplay, event: int) -> list[Explanation]:
    """Explanations of every entry of an event.

    Parameters
    ----------
    replayed : TierReplay
    event : int
        Index into its history.

    Returns
    -------
    list of Explanation
        In the order of the history.

    References
    ----------
    .. [1] TIER publication of November 2022; the steps are the module docstring's.

    Examples
    --------
    >>> from ratings.engine.history import EventHistory
    >>> from ratings.engine.pipeline import rate_event
    >>> from ratings.engine.replay import PoolState
    >>> one = EventHistory.of_orders([[0, 1]], duration=60.0)
    >>> why = explain_event(rate_event(one, PoolState.fresh(2, TierParams()), TierParams()), 0)
    >>> why[1].expected_place, why[1].place, abs(sum(by for _, by in why[1].steps) - why[1].change) < 1e-9
    (1.5, 2, True)
    """
    expected = _expected_places(replayed, event)
    first = int(replayed.history.offset[event])
    return [_explain(replayed, event, first + k, float(expected[k])) for k in range(expected.size)]
