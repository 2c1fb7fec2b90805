"""Sealing a season for good, and breaking a seal."""

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Change, Pool, Season
from league.services.changes import lock_pool, record_change
from league.services.errors import Refused
from league.vocabulary import gettext as _
from standings.models import Recomputation, SeasonSeal
from standings.seals.document import canonical_text, checksum, season_document


@transaction.atomic
def seal_season(season: Season, *, actor: User) -> SeasonSeal:
    """Freeze results, rules, standings and awards and store them. Do nothing if the season is sealed already."""
    pool = lock_pool(season.pool_id)
    season.refresh_from_db()
    if season.is_sealed:
        return SeasonSeal.objects.get(season=season)
    if problem := seal_problem(season, pool):
        raise Refused(problem)
    Season.objects.filter(pk=season.pk).update(is_sealed=True)
    season.refresh_from_db()
    text = canonical_text(season_document(season))
    seal = SeasonSeal.objects.create(season=season, text=text, sha256=checksum(text), sealed_by=actor)
    record_change(
        pool, kind=Change.Kind.SEASON_SEALED, actor=actor, season=season, after={"sha256": seal.sha256}
    )
    return seal


@transaction.atomic
def unseal_season(season: Season, *, actor: User) -> None:
    """Break the seal: the season is closed, its standings are recomputed, and the history keeps the checksum."""
    pool = lock_pool(season.pool_id)
    seal = SeasonSeal.objects.filter(season=season).defer("text").first()
    season.refresh_from_db()
    if seal is None or not season.is_sealed:
        return
    seal.delete()
    Season.objects.filter(pk=season.pk).update(is_sealed=False)
    season.refresh_from_db()
    record_change(
        pool, kind=Change.Kind.SEASON_UNSEALED, actor=actor, season=season, before={"sha256": seal.sha256}
    )


def seal_problem(season: Season, pool: Pool) -> str:
    """Explain why the season cannot be sealed now; empty if it can be."""
    if not season.is_closed:
        return _("Close the season first: a sealed season takes no more results.")
    state = Recomputation.objects.filter(pool=pool).first()
    if pool.data_version > 0 and (state is None or state.is_behind(pool)):
        return _("Points and ratings are still being computed. Seal the season when they are done.")
    return ""
