"""The sections in the masthead of a club's pages."""

from collections.abc import Iterator
from typing import NamedTuple

from django import template
from django.http import HttpRequest
from django.urls import reverse

from league import rights
from league.hooks import tray
from league.vocabulary import gettext as _

register = template.Library()

N_IN_VIEW = 4  # on the narrowest phone; the row scrolls to the others


class Section(NamedTuple):
    """A section of a club's pages; `n_waiting` is None where nothing can wait."""

    name: str
    label: str
    address: str
    n_waiting: int | None = None


@register.simple_tag
def sections(request: HttpRequest, shown: str) -> list[Section]:
    """List the sections of a club for this reader; the one shown comes first if it would be out of view."""
    listed = [*_of_organizers(request), *_of_readers(request)]
    if shown in [section.name for section in listed[N_IN_VIEW:]]:
        listed.sort(key=lambda section: section.name != shown)
    return listed


def _of_organizers(request: HttpRequest) -> Iterator[Section]:
    club, season = request.club, request.season  # type: ignore[attr-defined]  # a ClubRequest
    if not rights.may(request.role, rights.Act.ENTER_RESULTS):  # type: ignore[attr-defined]
        return
    address = reverse("noticeboard:run", args=[club.slug])
    yield Section("run", _("Run the club"), address, tray.n_waiting(request))
    if season and not season.is_closed:
        yield Section("entry", _("Enter"), reverse("entry:enter", args=[club.slug, season.slug]))


def _of_readers(request: HttpRequest) -> Iterator[Section]:
    club, season = request.club, request.season  # type: ignore[attr-defined]  # a ClubRequest

    def of_season(name: str, label: str, page: str) -> Section:
        return Section(name, label, reverse(page, args=[club.slug, season.slug]))

    def of_club(name: str, label: str, page: str) -> Section:
        return Section(name, label, reverse(page, args=[club.slug]))

    if season:
        yield of_season("table", _("Table"), "standings:leaderboard")
        yield of_season("season", _("Season"), "standings:season-table")
        yield of_season("events", _("%(Events_word)s"), "standings:events")
    yield of_club("players", _("Players"), "standings:players")
    if season:
        yield of_season("awards", _("Awards"), "standings:awards")
        yield of_season("forecast", _("Forecast"), "forecasts:title")
    yield of_club("schedule", _("Schedule"), "noticeboard:schedule")
    yield of_club("search", _("Search"), "standings:search")
