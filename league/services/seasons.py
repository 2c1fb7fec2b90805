from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.formats import date_format

from league.hooks.signals import season_opened
from league.models import Change, Club, Pool, Season
from league.services.changes import lock_pool, lock_pools, record_change, require_not_sealed
from league.services.errors import Refused
from league.services.slugs import keep_former_season_slug, propose_season_slug, require_free_season_address
from league.vocabulary import gettext as _
from reading.names.keys import name_key


@transaction.atomic
def open_season(
    club: Club,
    *,
    name: str,
    starts_on: date,
    ends_on: date | None,
    slug: str = "",
    taken_from: Season | None = None,
    actor: User | None = None,
) -> Season:
    """Begin a season; without an address it gets one from its name.

    It takes over the rating pool of the season `taken_from`, and what apps above the core keep of it.
    """
    pools = lock_pools(club)
    if name_key(name) in map(name_key, club.seasons.values_list("name", flat=True)):
        raise Refused(_("This club already has a season “%(name)s”.") % {"name": name})
    if slug:
        require_free_season_address(club, slug)
    season = Season.objects.create(
        club=club,
        pool=pool_taken_over(taken_from) or pools[0],
        name=name,
        slug=slug or propose_season_slug(club, name, starts_on),
        starts_on=starts_on,
        ends_on=ends_on,
    )
    pool = next(each for each in pools if each.pk == season.pool_id)
    record_change(pool, kind=Change.Kind.SEASON_OPENED, actor=actor, season=season, after=_days(season))
    season_opened.send(sender=Season, season=season, taken_from=taken_from, actor=actor)
    return season


def pool_taken_over(season: Season | None) -> Pool | None:
    """Return the pool of a season; None without a season or if the pool is shut."""
    return season.pool if season and not season.pool.is_shut else None


def _days(season: Season) -> dict[str, str]:
    return {name: str(getattr(season, name)) for name in ("name", "starts_on", "ends_on")}


@transaction.atomic
def update_season(
    season: Season, *, name: str, starts_on: date, ends_on: date | None, slug: str = "", actor: User
) -> Season:
    """Change a season. Without a new address it keeps the one it has."""
    lock_pools(season.club)
    season.refresh_from_db()
    after = {"name": name, "slug": slug or season.slug, "starts_on": starts_on, "ends_on": ends_on}
    days = [event.starts_at.astimezone(season.club.tz).date() for event in season.events.all()]
    if days and (min(days) < starts_on or (ends_on and max(days) > ends_on)):
        raise Refused(
            _("The season has %(events_word)s from %(first)s to %(last)s: its days must hold them.")
            % {"first": date_format(min(days), "DATE_FORMAT"), "last": date_format(max(days), "DATE_FORMAT")}
        )
    return _change_season(season, after, actor)


@transaction.atomic
def close_season(season: Season, *, actor: User | None) -> Season:
    """Close a season for results. Idempotent."""
    return _change_season(season, {"is_closed": True}, actor)


@transaction.atomic
def reopen_season(season: Season, *, actor: User | None) -> Season:
    """Open a closed season again. Idempotent."""
    return _change_season(season, {"is_closed": False}, actor)


def _rated_from(season: Season, before: dict[str, Any], after: dict[str, Any]) -> datetime | None:
    """Find from when ratings can change with the season's first day: they may restart there, or by other settings."""
    if before.get("starts_on") == after.get("starts_on"):
        return None
    first_day = min(before["starts_on"], after["starts_on"])
    return Season(club=season.club, starts_on=first_day).starts_at


def _change_season(season: Season, after: dict[str, Any], actor: User | None) -> Season:
    pool = lock_pool(season.pool_id)
    season.refresh_from_db()
    before = {name: getattr(season, name) for name in after}
    if before != after:
        require_not_sealed(season)
        if after.get("slug", season.slug) != season.slug:
            keep_former_season_slug(season, after["slug"])
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
