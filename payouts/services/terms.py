"""Changes of an event's terms, under the pool's lock."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Change, Event
from league.services.changes import lock_pool, record_change
from league.services.errors import Stale
from payouts.models import EventTerms
from payouts.queries import terms_of, terms_version
from payouts.services.rules import require_open
from payouts.services.settling import require_points

TERM_FIELDS = ("multiplier", "is_final", "total", "buy_in", "paid")


@transaction.atomic
def set_event_terms(
    event: Event, *, terms: Mapping[str, Any], version: int, actor: User | None
) -> EventTerms:
    """Change the terms of an event, which settles it again by its own structure.

    Raise Stale if anything would change and `version` is outdated.
    """
    pool = lock_pool(event.season.pool_id)
    current = Event.objects.select_related("season", "terms").filter(pk=event.pk).first()
    if current is None:
        raise Stale
    require_open(current.season)
    stored = terms_of(current)
    before = {name: getattr(stored, name) for name in TERM_FIELDS}
    if before == dict(terms):
        return stored
    if terms_version(current) != version:
        raise Stale
    stored, _created = EventTerms.objects.update_or_create(event=current, defaults=dict(terms))
    require_points([current.pk])
    record_change(
        pool,
        kind=Change.Kind.TERMS_CHANGED,
        actor=actor,
        event=current,
        season=current.season,
        before={name: str(value) for name, value in before.items()},
        after={name: str(value) for name, value in terms.items()},
    )
    return stored
