"""How ratings and points of a club work, from its own settings and the rules of its season."""

from dataclasses import astuple, dataclass, replace
from fractions import Fraction
from functools import partial
from math import isinf, nan
from typing import Any

from league.models import Pool, PoolKind, Season
from payouts.models import SeasonRules
from payouts.queries import rules_of
from payouts.sentences import LABELS, formula_in_words, rules_in_words
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.badges import badge_bounds
from ratings.engine.tier.params import TierParams
from ratings.queries import badge_bounds_of, params_of, profit_params_of, settings_in_force
from standings.goals.memory import remembered
from standings.recomputation.fields import UsualField, usual_field

# Where a club has not played yet: the events of the publication.
PUBLISHED_FIELD = UsualField(n_players=50, people=(), minutes=nan, seats=9, final_seats=9, day=0.0)
MOST_PLAYERS = 200  # of a field that is rated as an example
MOST_LISTED = 12  # places whose points are listed


@dataclass(frozen=True)
class RatingLesson:
    """The parameters of a pool by its kind, its badges with the least rating of each, and its usual field."""

    tier: TierParams | None
    profit: ProfitParams | None
    badges: list[tuple[str, float | None]]
    field: UsualField = PUBLISHED_FIELD


def rating_lesson(pool: Pool | None) -> RatingLesson:
    """Read the settings in force of a pool; without a pool they are the published ones."""
    if pool is None:
        return _of_tier(TierParams(), PUBLISHED_FIELD)
    field = usual_field(pool.pk) or PUBLISHED_FIELD
    settings = settings_in_force(pool.pk)
    if pool.kind == PoolKind.TIER:
        return _of_tier(params_of(settings), field)
    params = profit_params_of(settings) if pool.kind == PoolKind.PROFIT else None
    return RatingLesson(None, params, _finite(badge_bounds_of(settings)), field)


def _of_tier(params: TierParams, field: UsualField) -> RatingLesson:
    small = replace(field, n_players=min(field.n_players, MOST_PLAYERS), people=())
    return RatingLesson(params, None, _finite(badge_bounds(params)), small)


def _finite(bounds: tuple[tuple[str, float], ...]) -> list[tuple[str, float | None]]:
    return [(letters, None if isinf(least) else least) for letters, least in bounds]


@dataclass(frozen=True)
class Example:
    """One place of one field: changes of the rate, rating points, as `place_lesson` finds them."""

    newcomer: float
    settled: float
    among_stronger: float


@dataclass(frozen=True)
class Costs:
    """What the engine finds for some settings: events until a rate has settled, and late entries by who is left."""

    n_to_settle: int | None
    # Players left; penalty of a first entry and of a re-entry; mean change of a first entry beside one from the start.
    late: list[tuple[int, float, float, float]]


def example(n_players: int, place: int, lesson: RatingLesson) -> Example:
    """Rate a place of an event like those of the club, with another number of players."""
    field = replace(lesson.field, n_players=n_players)
    return remembered(("example", place, *_key(field, lesson)), partial(_example, place, field, lesson))


def _key(field: UsualField, lesson: RatingLesson) -> tuple[Any, ...]:
    assert lesson.tier
    return (*astuple(lesson.tier), field.n_players, field.minutes, field.seats, field.final_seats)


def _example(place: int, field: UsualField, lesson: RatingLesson) -> Example:
    from ratings.engine.simulation.lessons import place_lesson

    assert lesson.tier
    found = place_lesson(field.n_players, place, lesson.tier, **_table(field))
    return Example(found.newcomer, found.settled, found.among_stronger)


def _table(field: UsualField) -> dict[str, Any]:
    return {"minutes": field.minutes, "seats": field.seats, "final_seats": field.final_seats}


def costs(lesson: RatingLesson) -> Costs:
    return remembered(("costs", *_key(lesson.field, lesson)), partial(_costs, lesson))


def _costs(lesson: RatingLesson) -> Costs:
    from ratings.engine.simulation.lessons import events_to_settle, late_costs

    params, field = lesson.tier, lesson.field
    assert params
    by_reentry = params.late_reentry / params.late_first if params.late_first else 0.0
    late = [(left, -cost, -cost * by_reentry, gain) for left, (cost, gain) in late_costs(params).items()]
    n_to_settle = events_to_settle(field.n_players, params, minutes=field.minutes, seats=field.seats)
    return Costs(n_to_settle, late)


@dataclass(frozen=True)
class PointsLesson:
    """Points by place for a usual field, and the rules of the season in sentences."""

    structure: str
    formula: str
    is_dhondt: bool
    n_entries: int
    points: list[Fraction]
    n_more: int  # places after the listed ones that have points
    sentences: list[str]


def points_lesson(season: Season | None, n_entries: int) -> PointsLesson:
    """Read the rules of a season; without one they are those that a season begins with."""
    rules = rules_of(season) if season else SeasonRules()
    structure = rules.points_structure
    points = [value for value in structure.points(n_entries) if value] if structure.follows_places else []
    return PointsLesson(
        structure=str(LABELS[structure.name]),
        formula=formula_in_words(structure),
        is_dhondt=structure.is_dhondt,
        n_entries=n_entries,
        points=points[:MOST_LISTED],
        n_more=len(points[MOST_LISTED:]),
        sentences=rules_in_words(rules),
    )
