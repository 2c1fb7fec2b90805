"""Rating settings of a pool. A change makes a new revision and re-rates everything."""

from dataclasses import asdict
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Change, Pool, Season
from league.services.changes import lock_pool, record_change
from league.services.errors import Refused, Stale
from league.vocabulary import gettext as _
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.params import TierParams
from ratings.models import RatingSettings
from ratings.queries import BadgeBounds, values_of, wanted_settings


@transaction.atomic
def set_rating_settings(
    pool: Pool,
    params: TierParams | ProfitParams,
    *,
    revision: int,
    actor: User | None,
    season: Season | None = None,
    badge_bounds: BadgeBounds | None = None,
) -> RatingSettings | None:
    """Save the parameters as a new revision that takes effect with `season`, or for the whole history.

    A pool of kind profit takes ProfitParams, and has badges only with bounds. Without a change, return the newest
    revision, or None if there is none. Raise Stale if `revision` is not the newest, and Refused if the season has
    another pool.
    """
    pool = lock_pool(pool.pk)
    newest = wanted_settings(pool.pk)
    if (newest.revision if newest else 0) != revision:
        raise Stale(
            _("Somebody else has changed these settings since you opened them. Compare and save again.")
        )
    if season and season.pool_id != pool.pk:
        raise Refused(_("The season %(season)s has other ratings.") % {"season": season})
    saved = RatingSettings(
        pool=pool,
        revision=revision + 1,
        params=asdict(params),
        badge_bounds=badge_bounds,
        season=season,
        changed_by=actor,
    )
    is_same = values_of(pool.kind, newest) == values_of(pool.kind, saved)
    if is_same and (newest.season if newest else None) == season:
        return newest
    saved.save()
    record_settings(pool, newest, saved, rated_from=saved.takes_effect_at, actor=actor)
    return saved


def record_settings(
    pool: Pool,
    before: RatingSettings | None,
    saved: RatingSettings,
    *,
    rated_from: datetime,
    actor: User | None,
) -> None:
    """Record a saved revision with what it changes from the one before; the pool is locked."""
    old, new = values_of(pool.kind, before), values_of(pool.kind, saved)
    changed = [name for name in new if new[name] != old[name]]
    season = {"from_season": saved.season.name} if saved.season else {}
    record_change(
        pool,
        kind=Change.Kind.RATINGS_CHANGED,
        actor=actor,
        rated_from=rated_from,
        before={name: old[name] for name in changed},
        after={name: new[name] for name in changed} | season,
    )
