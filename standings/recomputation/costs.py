"""Estimate how long recomputing a pool will take: entries to rate again, times what each has taken in this pool.

The entries are estimated from the number of events after the change and the mean field, so that a save need not count
the results of a giant. What a recomputation has taken corrects the next estimate.
"""

from typing import Any

import numpy as np
from django.db.models import F, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from numpy.typing import NDArray

from league.models import Change, Entry, Event, Pool
from league.site.queues import FIRST_GUESS, LATER, LATER_TASKS, LONG, LONG_SECONDS, SOON
from ratings.engine.tier.params import REVISION
from standings.models import Recomputation

FEWEST = 2_000  # entries, from which on the time of each is measured: of fewer, it is mostly that of any pass
WEIGHT = 0.5  # of a new measurement against those before


def queue_of(name: str, args: tuple[Any, ...], *_details: object, **_more: object) -> dict[str, str] | None:
    """Choose the queue of a task: a router of Celery."""
    if name in LATER_TASKS:
        return {"queue": LATER}
    if name in {"standings.tasks.make_club", "entry.tasks.do_asked"}:
        return {"queue": LONG}
    if name == "standings.tasks.recompute_pool":
        return {"queue": LONG if mark_long(*args) else SOON}
    if name.startswith("forecasts.tasks.compute_"):
        return {"queue": LONG if mark_long(*args, since_beginning=True) else LATER}
    return None


def mark_long(pool_id: int, *, since_beginning: bool = False) -> bool:
    """Note that a pool has work that takes long, for the supervisor, which starts a worker for it; tell whether."""
    is_long = expected_seconds(pool_id, since_beginning=since_beginning) > LONG_SECONDS
    if is_long:
        Recomputation.objects.get_or_create(pool_id=pool_id)
        Recomputation.objects.filter(pool=pool_id, is_long=False).update(is_long=True)
    return is_long


def mark_done(pool_id: int) -> None:
    """Note that long work of a pool is done. What else of it waits is marked again when it is published again."""
    Recomputation.objects.filter(pool=pool_id, is_long=True).update(is_long=False)


def expected_seconds(pool_id: int, *, since_beginning: bool = False) -> float:
    """Estimate the processor time of the next recomputation, or of one from the first event on."""
    state = Recomputation.objects.filter(pool=pool_id).first()
    if state is None or state.mean_field is None:  # nothing is known of its fields
        return Entry.objects.filter(event__pool=pool_id).count() * FIRST_GUESS
    events = Event.objects.filter(pool=pool_id)
    of_event = state.mean_field * (state.seconds_per_entry or FIRST_GUESS)
    whole = events.count() * of_event
    if since_beginning or whole <= LONG_SECONDS or state.engine_revision != REVISION:
        return whole
    changes = Change.objects.filter(pool=pool_id, version__gt=state.rated_version, rated_from__isnull=False)
    earliest = changes.order_by("rated_from").values_list("rated_from", flat=True).first()
    return events.filter(starts_at__gte=earliest).count() * of_event if earliest else 0.0


def note_cost(pool: Pool, *, rated_events: NDArray[Any], seconds: float) -> None:
    """Correct the estimates of a pool by a recomputation, given the event of each entry that it has rated."""
    n_rated = len(rated_events)
    values: dict[str, Any] = {"took": seconds}
    if not n_rated and not Recomputation.objects.filter(pool=pool, mean_field__isnull=False).exists():
        n_events = Event.objects.filter(pool=pool).count()
        values["mean_field"] = Entry.objects.filter(event__pool=pool).count() / max(1, n_events)
    elif n_rated:
        values["mean_field"] = _corrected("mean_field", n_rated / len(np.unique(rated_events)))
    if n_rated >= FEWEST:
        values["seconds_per_entry"] = _corrected("seconds_per_entry", seconds / n_rated)
    Recomputation.objects.filter(pool=pool).update(**values)


def _corrected(column: str, measured: float) -> Combinable:
    """Mix a measurement with those before; the first one counts alone."""
    return Value(WEIGHT * measured) + Value(1 - WEIGHT) * Coalesce(F(column), Value(measured))
