from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.models import Change, Club, Season
from league.services.changes import lock_pool, record_change, require_not_sealed
from league.services.errors import Refused


def season_slug(name: str, starts_on: date) -> str:
    """Make an address from the name, or from the first day if the name has no Latin letters."""
    return slugify(name)[:50].strip("-") or f"{starts_on:%Y-%m-%d}"


@transaction.atomic
def open_season(
    club: Club, *, name: str, starts_on: date, ends_on: date | None, actor: User | None = None
) -> Season:
    slug = season_slug(name, starts_on)
    pool = lock_pool(club.pools.order_by("pk")[0].pk)
    if Season.objects.filter(club=club, slug=slug).exists():
        raise Refused(_("This club already has a season at the address “%(slug)s”.") % {"slug": slug})
    season = Season.objects.create(
        club=club, pool=pool, name=name, slug=slug, starts_on=starts_on, ends_on=ends_on
    )
    record_change(pool, kind=Change.Kind.SEASON_OPENED, actor=actor, season=season, after=_days(season))
    return season


def _days(season: Season) -> dict[str, str]:
    return {name: str(getattr(season, name)) for name in ("name", "starts_on", "ends_on")}


@transaction.atomic
def update_season(season: Season, *, name: str, starts_on: date, ends_on: date | None, actor: User) -> Season:
    after = {"name": name, "starts_on": starts_on, "ends_on": ends_on}
    lock_pool(season.pool_id)
    days = [event.starts_at.astimezone(season.club.tz).date() for event in season.events.all()]
    if days and (min(days) < starts_on or (ends_on and max(days) > ends_on)):
        raise Refused(
            _("The season has events from %(first)s to %(last)s: its days must hold them.")
            % {"first": min(days).isoformat(), "last": max(days).isoformat()}
        )
    return _change_season(season, after, actor)


@transaction.atomic
def set_season_closed(season: Season, *, is_closed: bool, actor: User) -> Season:
    return _change_season(season, {"is_closed": is_closed}, actor)


def _rated_from(season: Season, before: dict[str, Any], after: dict[str, Any]) -> datetime | None:
    """Find from when ratings can change with the season's first day: they may restart there, or by other settings."""
    if before.get("starts_on") == after.get("starts_on"):
        return None
    first_day = min(before["starts_on"], after["starts_on"])
    return Season(club=season.club, starts_on=first_day).starts_at


def _change_season(season: Season, after: dict[str, Any], actor: User) -> Season:
    pool = lock_pool(season.pool_id)
    season.refresh_from_db()
    before = {name: getattr(season, name) for name in after}
    if before != after:
        require_not_sealed(season)
        Season.objects.filter(pk=season.pk).update(**after)
        record_change(
            pool,
            kind=Change.Kind.SEASON_CHANGED,
            actor=actor,
            season=season,
            rated_from=_rated_from(season, before, after),
            before={name: str(value) for name, value in before.items()},
            after={name: str(value) for name, value in after.items()},
        )
    season.refresh_from_db()
    return season
