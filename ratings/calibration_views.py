"""The page on which organizers calibrate a pool of kind profit."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from league.access import ClubRequest, club_view
from league.rights import Act
from league.services.errors import Refused, Stale
from league.vocabulary import gettext as _
from ratings.calibration_pages import AdoptForm, figures_of, parameters_so_far, slope_charts, warnings_of
from ratings.queries import revisions_of
from ratings.services.calibration import (
    ADOPTED,
    PoolCalibration,
    adopt_calibration,
    calibration_of,
    left_out_events,
    preview,
    take_back_calibration,
)

MOST_REVISIONS = 50
SHOWN_AT_FIRST = 10  # rows of the preview
MOST_LEFT_OUT = 10  # games named


@club_view(Act.CHANGE_RULES)
def calibrate(request: ClubRequest, pool_id: int) -> HttpResponse:
    pool = get_object_or_404(request.club.pools, pk=pool_id)
    try:
        calibration = calibration_of(pool)
    except Refused as error:
        return render(request, "ratings/calibrate.html", {"pool": pool, "reason": error})
    form = AdoptForm(request.POST or None, calibration=calibration)
    if request.method == "POST" and form.is_valid() and _adopt(request, calibration, form):
        messages.success(request, _("Adopted. The ratings are computed again."))
        return redirect("ratings:calibrate", request.club.slug, pool.pk)
    return render(request, "ratings/calibrate.html", _shown(calibration) | {"form": form})


@require_POST
@club_view(Act.CHANGE_RULES)
def calibrate_take_back(request: ClubRequest, pool_id: int) -> HttpResponse:
    pool = get_object_or_404(request.club.pools, pk=pool_id)
    revision = request.POST.get("revision", "")
    try:
        take_back_calibration(pool, revision=int(revision) if revision.isdecimal() else 0, actor=request.user)
        messages.success(request, _("Taken back. The ratings are computed again."))
    except Stale as error:
        messages.error(request, str(error))
    return redirect("ratings:calibrate", request.club.slug, pool.pk)


def _adopt(request: ClubRequest, calibration: PoolCalibration, form: AdoptForm) -> bool:
    try:
        adopt_calibration(
            calibration.pool,
            origin=form.origin,
            pair=form.pair,
            revision=form.cleaned_data["revision"],
            season=form.cleaned_data["season"],
            actor=request.user,
        )
    except (Stale, Refused) as error:
        form.add_error(None, str(error))
        # With the newest revision in the form, the next attempt can be saved.
        form.data = request.POST.dict() | {"revision": str(calibration.revision)}
        return False
    return True


def _shown(calibration: PoolCalibration) -> dict[str, object]:
    from ratings.engine.profit.calibration import REGULAR_GAMES

    rows, settings = preview(calibration), calibration.settings
    left_out = left_out_events(calibration)
    return {
        "pool": calibration.pool,
        "found": calibration.found,
        "figures": figures_of(calibration.found),
        "warnings": warnings_of(calibration),
        "left_out": left_out[:MOST_LEFT_OUT],
        "n_left_out": len(left_out),
        "charts": slope_charts(calibration.found, REGULAR_GAMES),
        "candidates": calibration.candidates,
        "rows": rows[:SHOWN_AT_FIRST],
        "other_rows": rows[SHOWN_AT_FIRST:],
        "n_rows": len(rows),
        "n_games": len(calibration.event_ids),
        "adopted": settings if settings and settings.origin in ADOPTED else None,
        "history": parameters_so_far(list(revisions_of(calibration.pool.pk)[:MOST_REVISIONS])),
    }
