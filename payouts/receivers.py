from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.dispatch import receiver

from league.hooks.signals import amounts_read, event_form_made, event_moved, results_planned
from league.models import Event, Season
from league.services.plans import PlannedResult
from payouts.forms.event_part import TermsPart
from payouts.models import EventRules
from payouts.services.amounts import record_amounts
from payouts.services.settling import plans_without_points
from reading.results import EntryInput


@receiver(results_planned)
def refuse_results_without_points(plans: Sequence[PlannedResult], **_kwargs: Any) -> dict[int, str]:
    return plans_without_points(plans)


@receiver(event_form_made)
def add_terms(season: Season, event: Event | None, data: Any, **_kwargs: Any) -> TermsPart:
    return TermsPart(season, event, data)


@receiver(amounts_read)
def keep_amounts(event: Event, entries: Sequence[EntryInput], actor: User | None, **_kwargs: Any) -> None:
    record_amounts(event, entries, actor=actor)


@receiver(event_moved)
def forget_rules(event: Event, **_kwargs: Any) -> None:
    """Delete the event's stored structure, so that the rules of its new season apply."""
    EventRules.objects.filter(event=event).delete()
