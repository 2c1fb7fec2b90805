from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from django import template

from league import formats
from league.hooks.event_parts import EventPart
from league.models import Event, Player, Season
from payouts.engine.exact import exact_decimal, exact_text
from payouts.error_messages import field_and_message
from payouts.forms.event_part import TermsPart
from payouts.models import ClubMoney, EntryMoney, PointsRules
from payouts.queries import Settling, rules_of, settling_of
from payouts.sentences import amount_text, structure_in_words
from payouts.services.settling import facts_before_saving
from reading.finishing_order.order import FinishingOrder
from reading.names.keys import name_key
from reading.results import entries_of

register = template.Library()
NONE = "–"
MOST_READABLE = 100  # largest denominator that is easy to read


@dataclass(frozen=True)
class PointsPreview:
    """Points that each name of a finishing order would get, by its reference, or why there are none."""

    by_ref: dict[str, float]
    error: str = ""


@register.simple_tag
def points_before_saving(
    order: FinishingOrder, season: Season, event: Event | None = None, parts: Sequence[EventPart] = ()
) -> PointsPreview:
    """Compute the points of a finishing order, by the event's rules if it is stored, else by the season's.

    The terms are those of the form's `parts`. A stored event that moves to another season takes its rules.
    """
    if not order.is_ready:
        return PointsPreview({})
    entries = entries_of(order)
    facts = facts_before_saving(entries)
    try:
        points = _settling(season, event, parts).points([entry.place for entry in entries], facts)
    except ValueError as error:
        return PointsPreview({}, field_and_message(error)[1])
    by_player = {
        (name_key(entry.name), entry.place): value for entry, value in zip(entries, points, strict=True)
    }
    return PointsPreview(
        {
            finisher.ref: float(by_player[name_key(finisher.name), finisher.place])
            for finisher in order.finishers
        }
    )


def _settling(season: Season, event: Event | None, parts: Sequence[EventPart]) -> Settling:
    stays = event is not None and event.season_id == season.pk
    settling = settling_of(event if event and stays else Event(season=season))
    terms = next((part.terms for part in parts if isinstance(part, TermsPart)), settling.terms)
    return replace(settling, terms=terms)


@register.filter
def exactly(value: Fraction) -> str:
    """Write 2.5 or 5/3, so that sums can be checked; round fractions that are hard to read to four decimals."""
    readable = value if value.denominator <= MOST_READABLE else Fraction(round(value * 10**4), 10**4)
    return exact_text(readable).replace("-", formats.MINUS)


@register.filter
def amount(value: Fraction | Decimal | None, money: ClubMoney) -> str:
    """Write an amount in the club's way, such as 12.50 €; with more decimals if it has more; a dash for none."""
    return NONE if value is None else amount_text(value, money)


@register.filter
def signed_amount(value: Fraction, money: ClubMoney) -> str:
    """Write what was won or lost, such as +12.50 €."""
    return amount_text(value, money, formats.signed)


@register.filter
def has_money(player: Player) -> bool:
    """Tell whether money of a player is recorded."""
    return EntryMoney.objects.filter(entry__player=player).exists()


@register.filter
def plain_amount(value: Fraction | Decimal | None) -> str:
    """Write an amount as a form sends it; nothing for none."""
    return "" if value is None else f"{exact_decimal(Fraction(value)):f}"


@register.filter
def signed_exactly(value: Fraction) -> str:
    """Write a number with its sign and two decimals, such as +1.67."""
    return formats.signed(float(value), 2)


@register.filter
def points_of_place(value: Fraction | None) -> str:
    """Format a place's points: a dash for no points, an empty text for a place that does not exist."""
    if value is None:
        return ""
    return formats.points(value) if value else "–"


@register.filter
def pays_balances(season: Season) -> bool:
    """Tell whether the points of a season are the balances of its games."""
    return rules_of(season).pays_balances


@register.filter
def in_words(rules: PointsRules) -> str:
    """Name the structure of a season's or an event's rules with its formula."""
    return structure_in_words(rules.points_structure)


@register.filter
def of_name(points: dict[str, float], ref: str) -> float | None:
    return points.get(ref)
