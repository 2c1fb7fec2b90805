from collections import Counter
from fractions import Fraction

from django import template

from league import formats
from league.finishing_order import FinishingOrder
from league.models import Season, name_key
from league.results import entries_of
from payouts.engine.exact import exact_text
from payouts.engine.facts import EntryFacts
from payouts.models import PointsRules
from payouts.queries import rules_of
from payouts.words import structure_in_words

register = template.Library()


@register.simple_tag
def points_before_saving(order: FinishingOrder, season: Season) -> dict[int, float]:
    """The points each line of a finishing order would give, by line."""
    if not order.is_ready:
        return {}
    entries = entries_of(order)
    structure = rules_of(season).points_structure
    n_entries = Counter(name_key(entry.name) for entry in entries)
    facts = [EntryFacts(entries=n_entries[name_key(entry.name)]) for entry in entries]
    try:
        points = structure.event_points([entry.place for entry in entries], entries=facts)
    except ValueError:  # a formula of the club's own that has no value for this field
        return {}
    by_line = {
        (name_key(entry.name), entry.place): value for entry, value in zip(entries, points, strict=True)
    }
    return {
        finisher.line: float(by_line[name_key(finisher.name), finisher.place]) for finisher in order.finishers
    }


@register.filter
def exactly(value: Fraction) -> str:
    """2.5 or 5/3, so that sums can be checked."""
    return exact_text(value)


@register.filter
def signed_exactly(value: Fraction) -> str:
    """+1.67: to two decimals, with its sign."""
    return formats.signed(float(value), 2)


@register.filter
def in_words(rules: PointsRules) -> str:
    """The structure of a season's or an event's rules with its formula."""
    return structure_in_words(rules.points_structure)


@register.filter
def of_line(points: dict[int, float], line: int) -> float | None:
    return points.get(line)
