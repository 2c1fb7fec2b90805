"""Why a rate changed: one structured record for each rated entry, whose steps add up to the change.

`Figures` are the numbers of an entry as figures.py reads them off a replay, and as they are stored. `explain` turns
them into the record; it needs no numba, so pages can import it. The steps are changes of the rate shown:

    whole_field    posterior of the whole field less the prior; the weight of evidence H is in it
    partial_field  what the partial field adds, if it was taken
    place_weight   what the weight of the place takes off (or gives back)
    late_penalty   less the penalty
    sigma_floor    sigma stopped at its floor
    rate_floor     the rate shown stopped at its floor, before or after
"""

from dataclasses import dataclass, fields

from ratings.engine.tier import WEIGHT_ROWS, TierParams, badge, is_provisional, rate

# A smaller step than this is rounding, rating points.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Figures:
    """Everything `explain` needs of one rated entry; in rating points unless marked.

    Attributes
    ----------
    number, place, n_entries : int
        Number of the entry, place among all entries of the event, and how many those are.
    field_place, field_size : int
        Of its round, in which every player stands once.
    expected_place : float
        In that field, before it played.
    n_before : int
        Rated entries of the player before this one.
    prior_mu, prior_sigma, whole_mu, whole_sigma, posterior_mu, posterior_sigma : float
    partial_mu, partial_sigma : float, optional
    partial_place, partial_size : int
        0 if it met the whole field.
    is_partial_taken : bool
    minutes, hours, evidence : float
        t, h (hours of nine-seat play, not clipped) and H (no unit).
    table_size : int
    weight, weight_row : float, int
        Of the place; the row is an index into tier.WEIGHT_ROWS.
    n_entered, n_bust : int
        Pe and Pb when it registered; late if n_bust > 0.
    late_part1, late_part2, penalty : float
    """

    number: int
    place: int
    n_entries: int
    field_place: int
    field_size: int
    expected_place: float
    n_before: int
    prior_mu: float
    prior_sigma: float
    whole_mu: float
    whole_sigma: float
    partial_mu: float | None
    partial_sigma: float | None
    partial_place: int
    partial_size: int
    is_partial_taken: bool
    minutes: float
    hours: float
    evidence: float
    table_size: int
    weight: float
    weight_row: int
    n_entered: int
    n_bust: int
    late_part1: float
    late_part2: float
    penalty: float
    posterior_mu: float
    posterior_sigma: float


FIGURES = tuple(field.name for field in fields(Figures))


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
    """The weight and the row of the table that applied (tier.WEIGHT_ROWS)."""

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
    number : int
        Of the entry (2 and up: re-entry).
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
    return Skill(mu, sigma, shown, badge(shown, params), is_provisional(n_entries, params))


def _partial(it: Figures, K: float) -> PartialField | None:
    if it.partial_mu is None or it.partial_sigma is None:
        return None
    up = (it.partial_mu - it.prior_mu) - K * (it.partial_sigma - it.prior_sigma)
    return PartialField(it.partial_size, it.partial_place, up, it.is_partial_taken)


def _late(it: Figures, params: TierParams) -> LatePenalty | None:
    if it.n_bust == 0:
        return None
    factor = params.late_first if it.number == 1 else params.late_reentry
    return LatePenalty(it.n_entered, it.n_bust, it.late_part1, it.late_part2, factor, it.penalty)


def _steps(it: Figures, prior: Skill, posterior: Skill, params: TierParams) -> tuple[tuple[str, float], ...]:
    K, weight = params.conservatism, it.weight
    whole = (it.whole_mu - prior.mu, it.whole_sigma - prior.sigma)
    chosen = whole
    if it.is_partial_taken and it.partial_mu is not None and it.partial_sigma is not None:
        chosen = (it.partial_mu - prior.mu, it.partial_sigma - prior.sigma)
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
        ("late_penalty", -it.penalty),
        ("sigma_floor", -K * (posterior.sigma - unfloored_sigma)),
        ("rate_floor", lifted[1] - lifted[0]),
    )


def _floors(posterior: Skill, sigma_step: float, params: TierParams) -> tuple[str, ...]:
    bit = {"sigma": abs(sigma_step) > ROUNDING, "rate": posterior.rate == params.rate_floor}
    return tuple(name for name, did in bit.items() if did)


def explain(it: Figures, params: TierParams) -> Explanation:
    """The explanation of one rated entry.

    Parameters
    ----------
    it : Figures
    params : TierParams
        It was rated with.

    Returns
    -------
    Explanation

    References
    ----------
    .. [1] TIER publication of November 2022; the steps are the module docstring's.
    """
    prior = _skill(it.prior_mu, it.prior_sigma, it.n_before, params)
    posterior = _skill(it.posterior_mu, it.posterior_sigma, it.n_before + 1, params)
    steps = _steps(it, prior, posterior, params)
    return Explanation(
        number=it.number,
        place=it.place,
        n_entries=it.n_entries,
        field_place=it.field_place,
        field_size=it.field_size,
        expected_place=it.expected_place,
        prior=prior,
        posterior=posterior,
        whole_change=steps[0][1],
        partial=_partial(it, params.conservatism),
        evidence=Evidence(it.minutes, it.table_size, it.hours, it.evidence),
        place_weight=PlaceWeight(it.weight, WEIGHT_ROWS[it.weight_row]),
        late=_late(it, params),
        floors=_floors(posterior, dict(steps)["sigma_floor"], params),
        steps=steps,
    )
