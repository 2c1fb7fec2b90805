"""Changes of an event's terms, under the pool's lock."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Change, Event
from league.services.changes import lock_pool, record_change
from league.services.errors import Stale
from league.services.events import correct_result
from league.services.plans import stored_plan, with_entries
from payouts.models import EventTerms
from payouts.queries import terms_of, terms_version
from payouts.services.rules import require_open
from payouts.services.settling import require_points

TABLE_FIELDS = ("table_size", "final_table_size")
TERM_FIELDS = ("multiplier", "is_final", "total", "buy_in", "paid")


@transaction.atomic
def set_terms_and_tables(
    event: Event,
    *,
    terms: Mapping[str, Any],
    tables: Mapping[str, int | None],
    version: int,
    result_version: int,
    actor: User | None,
) -> EventTerms:
    """Change the terms of an event, and the seats of its tables as a correction of its result. Idempotent.

    None keeps a number of seats. Raise Stale if either would change and its version is outdated.
    """
    stored = stored_plan(with_entries(Event.objects.filter(pk=event.pk)).get(), event.pool)
    details = replace(
        stored.details, table_size=tables["table_size"], final_table_size=tables["final_table_size"]
    )
    correct_result(event, details, stored.entries, version=result_version, actor=actor)
    return set_event_terms(event, terms=terms, version=version, actor=actor)


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
