"""Addresses of clubs and seasons: free ones, and changes of them. Old addresses stay known and lead to the new ones.

A former address of a club, or of a season inside its club, is nobody else's: links and printed codes with it must never
lead to other people's pages. Only whose it was takes it again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.models import Club, FormerAddress, Season
from league.services.errors import Refused
from league.slugs import first_free_slug, slug_of

MOST_OF_CLUB, MOST_OF_SEASON = 40, 50
N_DIGITS = 9  # of a number behind an address, with its hyphen


class SlugTaken(Refused):
    """Refusal of a slug that another club or season has or had."""

    def __init__(self, slug: str) -> None:
        super().__init__(
            _("The address “%(slug)s” is taken, or was that of another one before.") % {"slug": slug}
        )


@contextmanager
def claiming_slug(slug: str) -> Iterator[None]:
    """Turn the error of the database into SlugTaken: another request took the address after the form was checked."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise SlugTaken(slug) from error


def propose_club_slug(name: str) -> str:
    """Propose the address of a new club by its name."""
    wanted = slug_of(name, most=MOST_OF_CLUB) or "club"
    near = Q(slug__startswith=wanted[: MOST_OF_CLUB - N_DIGITS])
    present = Club.objects.filter(near).values_list("slug", flat=True)
    former = FormerAddress.objects.filter(near, season=None).values_list("slug", flat=True)
    return first_free_slug(wanted, {*present, *former}, most=MOST_OF_CLUB)


def propose_season_slug(club: Club, name: str, starts_on: date | None) -> str:
    """Propose the address of a new season by its name, or by its first day if nothing of that can be written."""
    wanted = slug_of(name, most=MOST_OF_SEASON) or (f"{starts_on}" if starts_on else "season")
    present = Season.objects.filter(club=club).values_list("slug", flat=True)
    former = _of_seasons(club).values_list("slug", flat=True)
    return first_free_slug(wanted, {*present, *former}, most=MOST_OF_SEASON)


def require_free_club_address(club: Club, slug: str) -> None:
    """Raise SlugTaken if another club has or had the address."""
    former = FormerAddress.objects.filter(slug=slug, season=None).values("club")
    if Club.objects.filter(Q(slug=slug) | Q(pk__in=former)).exclude(pk=club.pk).exists():
        raise SlugTaken(slug)


def require_free_season_address(club: Club, slug: str, season: Season | None = None) -> None:
    """Raise SlugTaken if another season of the club has or had the address."""
    former = _of_seasons(club).filter(slug=slug).values("season")
    others = club.seasons.exclude(pk=season.pk) if season else club.seasons.all()
    if others.filter(Q(slug=slug) | Q(pk__in=former)).exists():
        raise SlugTaken(slug)


def keep_former_club_slug(club: Club, slug: str) -> None:
    """Note the address that a club had until now as a former one."""
    require_free_club_address(club, slug)
    club.former_addresses.filter(season=None, slug=slug).delete()
    FormerAddress.objects.create(club=club, slug=club.slug)


def keep_former_season_slug(season: Season, slug: str) -> None:
    """Note the present address of a season as a former one, before it gets another."""
    require_free_season_address(season.club, slug, season)
    season.former_addresses.filter(slug=slug).delete()
    FormerAddress.objects.create(club=season.club, season=season, slug=season.slug)


def _of_seasons(club: Club) -> QuerySet[FormerAddress]:
    return club.former_addresses.exclude(season=None)
