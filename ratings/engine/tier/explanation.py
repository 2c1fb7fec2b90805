"""Explain why a rate changed: one record for each rated entry, whose steps add up to the change.

`Figures` are the numbers of an entry as figures.py takes them from a replay, and as they are stored. `explain` turns
them into the record. No numba is needed here, so pages can import this module. Each step is a change of the rate shown:

    finishing_order  change of mu in the whole field; includes the weight of evidence H
    partial_field    what the partial field adds to it, if it was taken
    place_weight     effect of the weight of the place on mu
    balance          equal share of what the weights of places took from the field
    late_penalty     minus the penalty
    certainty        change of sigma times -K, with the weight and the floor that sigma has
    rate_floor       by how much mu is lifted so that the rate is not below its floor; where the floor is newer than
                     the prior, also what the rate shown before was above the prior's own

The first five (SKILL) change mu; with the last they add up to its change. `certainty` is the whole change of sigma.
"""

from dataclasses import dataclass, fields

from ratings.engine.tier.badges import badge
from ratings.engine.tier.params import WEIGHT_ROWS, TierParams, is_provisional, rate

# The steps that change mu: together they are the change of skill.
SKILL = ("finishing_order", "partial_field", "place_weight", "balance", "late_penalty")
# Steps smaller than this are rounding, rating points.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Figures:
    """Input of `explain` for one rated entry; in rating points unless marked.

    Attributes
    ----------
    number, place, n_entries : int
        Number of the entry, place among all entries of the event, and how many those are.
    field_place, field_size : int
        Place in the field of the entry's round, which holds every player once, and size of that field.
    expected_place : float
        Expected place in that field before the round.
    n_before : int
        Rated entries of the player before this one.
    prior_mu, prior_sigma, whole_mu, whole_sigma, posterior_mu, posterior_sigma : float
    partial_mu, partial_sigma : float, optional
    partial_place, partial_size : int
        0 if the entry met the whole field.
    is_partial_taken : bool
    minutes, hours, evidence : float
        t, h (hours of nine-seat play, not clipped) and H (no unit).
    is_mean_time : bool
        Whether t is the mean of the event, because the entry's bust was not recorded.
    table_size : int
    weight, weight_row : float, int
        Weight of the place, and its row as an index into tier.WEIGHT_ROWS.
    balance : float
    n_entered, n_bust : int
        Pe and Pb when the entry registered; it is late if n_bust > 0.
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
    is_mean_time: bool
    hours: float
    evidence: float
    table_size: int
    weight: float
    weight_row: int
    balance: float
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
    """Field that an early bust met: its size, the place in it, the change of rate, and whether that was the better."""

    size: int
    place: int
    change: float
    is_taken: bool


@dataclass(frozen=True)
class Evidence:
    """t in minutes and whether it is the event's mean, n_max, h in hours of nine-seat play (not clipped) and H."""

    minutes: float
    is_mean_time: bool
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
    """Explanation of one rated entry.

    Attributes
    ----------
    number : int
        Number of the entry; a re-entry from 2 on.
    place, n_entries : int
        Place among all entries of the event.
    field_place, field_size : int
        Place in the field of the entry's round, which holds every player once, and size of that field.
    expected_place : float
        Expected place in that field before the round.
    prior, posterior : Skill
    whole_change : float
        Change of rate from the whole field, rating points, no floor applied.
    partial : PartialField, optional
        None if the entry met the whole field.
    evidence : Evidence
    place_weight : PlaceWeight
    late : LatePenalty, optional
        None if the entry was not late.
    floors : tuple of str
        Floors that were reached: "sigma", "rate".
    steps : tuple of (str, float)
        Names (module docstring) and changes of the rate shown, rating points; steps of 0 are included.
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
    shown_rate = rate(mu, sigma, params)
    return Skill(mu, sigma, shown_rate, badge(shown_rate, params), is_provisional(n_entries, params))


def _rate_change(mu: float, sigma: float, figures: Figures, params: TierParams) -> float:
    """Compute the change of rate from the prior to mu and sigma, no floor applied."""
    return (mu - figures.prior_mu) - params.conservatism * (sigma - figures.prior_sigma)


def _partial(figures: Figures, params: TierParams) -> PartialField | None:
    if figures.partial_mu is None or figures.partial_sigma is None:
        return None
    change = _rate_change(figures.partial_mu, figures.partial_sigma, figures, params)
    return PartialField(figures.partial_size, figures.partial_place, change, figures.is_partial_taken)


def _late(figures: Figures, params: TierParams) -> LatePenalty | None:
    if figures.n_bust == 0:
        return None
    factor = params.late_first if figures.number == 1 else params.late_reentry
    return LatePenalty(
        figures.n_entered, figures.n_bust, figures.late_part1, figures.late_part2, factor, figures.penalty
    )


def _steps(
    figures: Figures, prior: Skill, posterior: Skill, params: TierParams
) -> tuple[tuple[str, float], ...]:
    whole = figures.whole_mu - prior.mu
    chosen = whole
    if figures.is_partial_taken and figures.partial_mu is not None:
        chosen = figures.partial_mu - prior.mu
    skill = (
        ("finishing_order", whole),
        ("partial_field", chosen - whole),
        ("place_weight", (figures.weight - 1.0) * chosen),
        ("balance", figures.balance),
        ("late_penalty", -figures.penalty),
    )
    reached = prior.mu + sum(change for _name, change in skill)
    lifted = max(params.rate_floor - _own_rate(reached, posterior.sigma, params), 0.0)
    hidden = max(params.rate_floor - _own_rate(prior.mu, prior.sigma, params), 0.0)
    return (
        *skill,
        ("certainty", -params.conservatism * (posterior.sigma - prior.sigma)),
        ("rate_floor", lifted - hidden),
    )


def _own_rate(mu: float, sigma: float, params: TierParams) -> float:
    """Compute the rate of mu and sigma, no floor applied."""
    return mu - params.conservatism * sigma + params.offset


def _floors(figures: Figures, posterior: Skill, params: TierParams) -> tuple[str, ...]:
    """List the floors that changed the posterior; sigma's floor applies after weighting."""
    weight = figures.weight if params.weight_scales_sigma else 1.0
    changed = _chosen_sigma(figures) - figures.prior_sigma
    is_reached = {
        "sigma": abs(posterior.sigma - figures.prior_sigma - weight * changed) > ROUNDING,
        "rate": posterior.rate <= params.rate_floor + ROUNDING,
    }
    return tuple(name for name, reached in is_reached.items() if reached)


def _chosen_sigma(figures: Figures) -> float:
    if figures.is_partial_taken and figures.partial_sigma is not None:
        return figures.partial_sigma
    return figures.whole_sigma


def explain(figures: Figures, params: TierParams) -> Explanation:
    """Explain one rated entry.

    Parameters
    ----------
    figures : Figures
    params : TierParams
        Parameters the entry was rated with.

    Returns
    -------
    Explanation

    References
    ----------
    .. [1] TIER publication of November 2022; the steps are the module docstring's.
    """
    prior = _skill(figures.prior_mu, figures.prior_sigma, figures.n_before, params)
    posterior = _skill(figures.posterior_mu, figures.posterior_sigma, figures.n_before + 1, params)
    steps = _steps(figures, prior, posterior, params)
    return Explanation(
        number=figures.number,
        place=figures.place,
        n_entries=figures.n_entries,
        field_place=figures.field_place,
        field_size=figures.field_size,
        expected_place=figures.expected_place,
        prior=prior,
        posterior=posterior,
        whole_change=_rate_change(figures.whole_mu, figures.whole_sigma, figures, params),
        partial=_partial(figures, params),
        evidence=Evidence(
            figures.minutes, figures.is_mean_time, figures.table_size, figures.hours, figures.evidence
        ),
        place_weight=PlaceWeight(figures.weight, WEIGHT_ROWS[figures.weight_row]),
        late=_late(figures, params),
        floors=_floors(figures, posterior, params),
        steps=steps,
    )
