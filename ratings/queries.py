"""Queries for the rating settings of a pool."""

from dataclasses import fields

from django.db.models import QuerySet

from ratings.engine.tier import TierParams
from ratings.models import RatingSettings

PARAM_NAMES = tuple(field.name for field in fields(TierParams))


def wanted_settings(pool_id: int) -> RatingSettings | None:
    """The newest revision; None if nobody has changed the settings."""
    return RatingSettings.objects.filter(pool=pool_id).order_by("-revision").first()


def settings_in_force(pool_id: int) -> RatingSettings | None:
    """The revision that the stored ratings were computed with; None stands for the published parameters."""
    return RatingSettings.objects.filter(pool=pool_id, is_in_force=True).first()


def revisions_of(pool_id: int) -> QuerySet[RatingSettings]:
    """Revisions with the accounts that made them, the newest first."""
    return RatingSettings.objects.filter(pool=pool_id).select_related("changed_by").order_by("-revision")


def params_of(settings: RatingSettings | None) -> TierParams:
    """Parameters of a revision: new ones have their defaults, removed ones are ignored."""
    stored = settings.params if settings else {}
    return TierParams(**{name: stored[name] for name in PARAM_NAMES if name in stored})
