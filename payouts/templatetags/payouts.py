from dataclasses import dataclass
from fractions import Fraction

from django import template

from league import formats
from league.finishing_order.order import FinishingOrder
from league.models import Event, Season, name_key
from league.results import entries_of
from payouts.engine.exact import exact_text
from payouts.engine.facts import entry_facts
from payouts.error_messages import field_and_message
from payouts.models import PointsRules
from payouts.queries import settling_of
from payouts.words import structure_in_words

register = template.Library()
MOST_READABLE = 100  # a denominator


@dataclass(frozen=True)
class PointsPreview:
    """The points each line of a finishing order would give, or why there are none.

    More than one number where a formula gives tied players different points.
    """

    by_line: dict[int, list[float]]
    error: str = ""


@register.simple_tag
def points_before_saving(order: FinishingOrder, season: Season, event: Event | None = None) -> PointsPreview:
    """By the structure and the terms of the event, where it is stored; otherwise by those of the season."""
    if not order.is_ready:
        return PointsPreview({})
    entries = entries_of(order)
    facts = entry_facts(
        [name_key(entry.name) for entry in entries],
        [entry.number for entry in entries],
        [entry.knockouts for entry in entries],
        [entry.cost for entry in entries],
    )
    try:
        points = settling_of(event or Event(season=season)).points([it.place for it in entries], facts)
    except ValueError as error:
        return PointsPreview({}, field_and_message(error)[1])
    by_line = {
        (name_key(entry.name), entry.place): value for entry, value in zip(entries, points, strict=True)
    }
    found: dict[int, list[float]] = {}
    for it in order.finishers:
        own = float(by_line[name_key(it.name), it.place])
        if own not in found.setdefault(it.line, []):
            found[it.line].append(own)
    return PointsPreview(found)


@register.filter
def exactly(value: Fraction) -> str:
    """2.5 or 5/3, so that sums can be checked; what cannot be read as a fraction to four decimals."""
    readable = value if value.denominator <= MOST_READABLE else Fraction(round(value * 10**4), 10**4)
    return exact_text(readable)


@register.filter
def signed_exactly(value: Fraction) -> str:
    """+1.67: to two decimals, with its sign."""
    return formats.signed(float(value), 2)


@register.filter
def points_of_place(value: Fraction | None) -> str:
    """A dash for a place without points, nothing for one that there is not."""
    if value is None:
        return ""
    return formats.points(value) if value else "–"


@register.filter
def in_words(rules: PointsRules) -> str:
    """The structure of a season's or an event's rules with its formula."""
    return structure_in_words(rules.points_structure)


@register.filter
def of_line(points: dict[int, list[float]], line: int) -> list[float]:
    return points.get(line, [])
