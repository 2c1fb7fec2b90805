"""Divide a replay by the settings that rate each part of it, and note which settings its rows follow."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db.models import Max

from league.models import BEGINNING, Event
from ratings.models import RatingSettings
from ratings.queries import Era


def revisions_to_rate(pool_id: int) -> list[RatingSettings]:
    """Read the revisions of a pool with their seasons, the newest first."""
    revisions = RatingSettings.objects.filter(pool=pool_id).select_related("season__club")
    return list(revisions.order_by("-revision"))


def present_era(pool_id: int, eras: Sequence[Era]) -> Era:
    """Find the era of the pool's last event."""
    if len(eras) == 1:
        return eras[0]
    last = Event.objects.filter(pool=pool_id).aggregate(Max("starts_at"))["starts_at__max"]
    return [era for era in eras if era.starts_at <= (last or BEGINNING)][-1]


def divided(starts: Sequence[datetime], eras: Sequence[Era]) -> Iterator[tuple[Era, int, int]]:
    """Divide events, by their starts in order, into eras: each with its first event and the one after its last.

    An era without events is left out; without any event there are only empty ones.
    """
    ends = [*(bisect_left(starts, era.starts_at) for era in eras[1:]), len(starts)]
    for era, first, end in zip(eras, [0, *ends], ends, strict=False):
        if first < end or not starts:
            yield era, first, end


def put_in_force(revisions: Sequence[RatingSettings], present: Era) -> None:
    """Mark the revision that rated the last event, and from when each revision is taken into account.

    The seasons are those that were read, since the rows were computed with them.
    """
    # The revision in force until now comes first, since there is one at most.
    for revision in sorted(revisions, key=lambda revision: not revision.is_in_force):
        marks = {
            "is_in_force": revision == present.settings,
            "applied_from": revision.takes_effect_at,
        }
        if marks != {name: getattr(revision, name) for name in marks}:
            RatingSettings.objects.filter(pk=revision.pk).update(**marks)
