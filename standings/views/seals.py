"""The seal of a season: its page, its file, and the owner's page that sets or breaks it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, season_view
from league.downloads import attachment
from league.rights import Act
from league.services.errors import Refused
from league.vocabulary import gettext as _
from standings.models import SeasonSeal
from standings.pages.forms.seasons import UnsealForm
from standings.seals.queries import seal_of
from standings.seals.services import seal_problem, seal_season, unseal_season


@require_safe
@season_view()
def seal(request: ClubRequest) -> HttpResponse:
    return render(request, "standings/seals/seal.html", {"seal": seal_of(request.season)})


@require_safe
@season_view()
def seal_file(request: ClubRequest) -> HttpResponse:
    stored = get_object_or_404(SeasonSeal, season=request.season)
    return attachment(request, stored.text, "sealed.json", "application/json")


@season_view(Act.SEAL)
def seal_edit(request: ClubRequest) -> HttpResponse:
    season = request.season
    form = UnsealForm(request.POST if "unseal" in request.POST else None, season=season)
    try:
        if "seal" in request.POST:
            seal_season(season, actor=request.user)
            messages.success(request, _("%(season)s is sealed.") % {"season": season})
            return redirect("standings:seal", request.club.slug, season.slug)
        if form.is_valid():
            unseal_season(season, actor=request.user)
            messages.success(request, _("The seal of %(season)s is broken.") % {"season": season})
            return redirect(season)
    except Refused as error:
        messages.error(request, str(error))
    problem = seal_problem(season, season.pool)
    return render(request, "standings/seals/seal_edit.html", {"form": form, "problem": problem})
