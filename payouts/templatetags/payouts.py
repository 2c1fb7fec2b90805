from collections.abc import Iterable
from typing import TYPE_CHECKING

from django import template

from league.finishing_order import FinishingOrder
from league.models import Season
from league.results import entries_of
from payouts.engine.dhondt import check_ties
from payouts.engine.points import event_points, points_by_place
from payouts.models import Structure
from payouts.queries import rules_of

if TYPE_CHECKING:
    from fractions import Fraction

register = template.Library()


@register.simple_tag
def points_before_saving(order: FinishingOrder, season: Season) -> dict[int, float]:
    """The points each line of a finishing order would give, by line."""
    if not order.is_ready:
        return {}
    rules = rules_of(season)
    entries = entries_of(order)
    points = event_points([entry.place for entry in entries], rules.structure, check_ties(rules.ties))
    by_place: dict[int, Fraction] = {}
    for entry, value in zip(entries, points, strict=True):
        by_place[entry.place] = value
    return {finisher.line: float(by_place[finisher.place]) for finisher in order.finishers}


@register.filter
def of_line(points: dict[int, float], line: int) -> float | None:
    return points.get(line)


@register.simple_tag
def structure_examples(sizes: Iterable[int]) -> list[tuple[str, list[tuple[int, list[float]]]]]:
    """Points by place under each structure for some numbers of entries."""
    return [
        (
            str(structure.label),
            [
                (size, [float(points) for points in points_by_place(structure, size) if points])
                for size in sizes
            ],
        )
        for structure in Structure
    ]
