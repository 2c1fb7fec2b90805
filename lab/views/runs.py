"""The season laboratory of a club: its runs, a new one, and the report of each."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from lab.models import LabRun
from lab.queries import SeasonField, field_of, progress_of, runs_of
from lab.seasons.findings import so_far
from lab.seasons.forms import RunForm, of_run, suggested
from lab.seasons.reports import COLUMNS, report_of, report_table
from lab.services.runs import cancel_run, start_run
from lab.tasks import publish_chunks
from league.access import ClubRequest, club_view
from league.downloads import csv_attachment, csv_text
from league.models import Season
from league.queries import season_of_today, typed_id
from league.rights import Act
from league.services.errors import Refused
from payouts.engine.structures.structure import PointsStructure
from payouts.queries import rules_of

MOST_SHOWN = 50


@club_view(Act.USE_AS_MEMBER)
@require_safe
def runs(request: ClubRequest) -> HttpResponse:
    return render(request, "lab/seasons/runs.html", {"runs": runs_of(request.club)[:MOST_SHOWN]})


@club_view(Act.SIMULATE)
def run_create(request: ClubRequest) -> HttpResponse:
    season, field, own = _of_season(request)
    again = typed_id(request.GET.get("from", ""))
    initial = suggested(field, own)
    if again:
        initial = of_run(get_object_or_404(LabRun, club=request.club, pk=again))
    form = RunForm(_typed(request), initial=initial, field=field, own=own)
    if request.method == "POST" and form.is_valid():
        try:
            run = start_run(
                request.club,
                scenario=form.scenario,
                n_seasons=form.cleaned_data["seasons"],
                seed=form.cleaned_data["seed"],
                token=form.cleaned_data["form_token"],
                season=season,
                actor=request.user,
            )
        except Refused as error:
            form.add_error(None, str(error))
        else:
            publish_chunks()
            return redirect(run)
    return render(request, "lab/seasons/run_form.html", {"form": form})


def _typed(request: ClubRequest) -> QueryDict | None:
    """Take what was typed; the button that offers a smaller number of seasons puts it in."""
    if request.method != "POST":
        return None
    typed = request.POST.copy()
    if enough := typed.get("enough"):
        typed["seasons"] = enough
    return typed


def _of_season(request: ClubRequest) -> tuple[Season | None, SeasonField | None, PointsStructure | None]:
    """Find the club's season of today with its rated players and its structure."""
    today = season_of_today(request.club)
    if today is None:
        return None, None, None
    season = Season.objects.select_related("club", "pool", "rules").get(pk=today.pk)
    return season, field_of(season), rules_of(season).points_structure


def _run(request: ClubRequest, run_id: int) -> LabRun:
    shown = LabRun.objects.select_related("club", "season__club", "created_by")
    return get_object_or_404(shown, club=request.club, pk=run_id)


@club_view(Act.USE_AS_MEMBER)
@require_safe
def run(request: ClubRequest, run_id: int) -> HttpResponse:
    shown = _run(request, run_id)
    context: dict[str, Any] = {"run": shown}
    if shown.is_running:
        context |= _progress(shown)
    elif shown.totals is not None:
        context["report"] = report_of(shown)
    return render(request, "lab/seasons/run.html", context)


@club_view(Act.USE_AS_MEMBER)
@require_safe
def run_progress(request: ClubRequest, run_id: int) -> HttpResponse:
    shown = _run(request, run_id)
    if not shown.is_running:
        return HttpResponseClientRefresh()
    return render(request, "lab/seasons/_progress.html", {"run": shown} | _progress(shown))


def _progress(shown: LabRun) -> dict[str, Any]:
    progress = progress_of(shown)
    return {
        "progress": progress,
        "so_far": progress.figures and so_far(shown.scenario, progress.figures),
    }


@require_POST
@club_view(Act.SIMULATE)
def run_cancel(request: ClubRequest, run_id: int) -> HttpResponse:
    ended = cancel_run(_run(request, run_id))
    if ended.totals is not None:
        messages.info(request, _("The run was done already."))
    return redirect(ended)


@club_view(Act.USE_AS_MEMBER)
@require_safe
def run_file(request: ClubRequest, run_id: int) -> HttpResponse:
    shown = get_object_or_404(LabRun, club=request.club, pk=run_id, totals__isnull=False)
    return csv_attachment(request, csv_text(COLUMNS, report_table(shown)), f"laboratory-{shown.pk}")
