"""Pages of a pool's rating settings: everybody who may read the club sees them, owners change them."""

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRefresh

from league.access import ClubRequest, club_view
from league.models import Pool, PoolKind
from league.rights import Act
from league.services.errors import Stale
from league.vocabulary import gettext as _
from ratings.forms import SettingsForm, badges_typed, form_of
from ratings.models import RatingSettings
from ratings.parameters import changed_parameters, preset_values, presets, shown_groups
from ratings.queries import (
    Era,
    applied_eras,
    published_values,
    revisions_of,
    values_of,
    wanted_settings,
)
from ratings.services.settings import set_rating_settings

MOST_REVISIONS = 50


@require_safe
@vary_on_headers("HX-Request")  # Without it, the browser's Back button shows the polled line alone.
@club_view()
def settings(request: ClubRequest, pool_id: int | None = None) -> HttpResponse:
    pools = _rated_pools(request)
    pool = _pool(pools, pool_id)
    newest = wanted_settings(pool.pk)
    waiting = newest if newest and newest.applied_from is None else None
    if request.htmx:
        return _answer_poll(request, waiting)
    eras = applied_eras(pool.pk)
    in_force = next((era.settings for era in eras if era.settings and era.settings.is_in_force), None)
    shown = _chosen(eras, request.GET.get("revision"), in_force)
    context = {
        "pool": pool,
        "pools": pools,
        "eras": eras,
        "shown": shown,
        "groups": shown_groups(pool.kind, values_of(pool.kind, shown)),
        "in_force": in_force,
        "waiting": waiting,
        "history": _history(pool),
    }
    return render(request, "ratings/settings.html", context)


def _chosen(eras: list[Era], revision: str | None, in_force: RatingSettings | None) -> RatingSettings | None:
    """Choose the settings of the revision in the URL (0: the published ones), else those in force."""
    numbers = {str(era.settings.revision if era.settings else 0): era.settings for era in eras}
    return numbers.get(revision or "", in_force)


def _answer_poll(request: ClubRequest, waiting: RatingSettings | None) -> HttpResponse:
    """Render the line of the waiting revision, or reload the page once no revision waits."""
    if waiting is None:
        return HttpResponseClientRefresh()
    return render(request, "ratings/_waiting.html", {"waiting": waiting})


@club_view(Act.CHANGE_CLUB)
def settings_edit(request: ClubRequest, pool_id: int | None = None) -> HttpResponse:
    pool = _pool(_rated_pools(request), pool_id)
    newest = wanted_settings(pool.pk)
    revision = newest.revision if newest else 0
    is_reset = request.method != "POST" and "published" in request.GET
    values = values_of(pool.kind, newest)
    taken = preset_values(request.GET.get("preset", "")) if pool.kind == PoolKind.PROFIT else {}
    fitted = badges_typed(request.GET)
    form = form_of(pool.kind)(
        request.POST or None,
        values=(published_values(pool.kind, values) if is_reset else values) | taken | fitted,
        revision=revision,
        season_id=newest.season_id if newest else None,
        seasons=pool.seasons.all(),
    )
    if request.method == "POST" and form.is_valid() and _save(request, pool, form):
        messages.success(request, _("Saved. The ratings are computed again."))
        return redirect("ratings:settings", request.club.slug, pool.pk)
    context = {
        "form": form,
        "pool": pool,
        "is_reset": is_reset,
        "has_fitted": bool(fitted),
        "presets": presets() if pool.kind == PoolKind.PROFIT else [],
        "taken": request.GET.get("preset") if taken else "",
    }
    return render(request, "ratings/settings_form.html", context)


def _rated_pools(request: ClubRequest) -> list[Pool]:
    return list(request.club.pools.exclude(kind=PoolKind.NONE).order_by("pk"))


def _pool(pools: list[Pool], pool_id: int | None) -> Pool:
    """Find the pool with this id, or the club's first without an id; raise Http404 if none matches."""
    for pool in pools:
        if pool_id in {None, pool.pk}:
            return pool
    raise Http404


def _save(request: ClubRequest, pool: Pool, form: SettingsForm) -> bool:
    try:
        set_rating_settings(
            pool,
            form.params,
            revision=form.cleaned_data["revision"] or 0,
            season=form.cleaned_data["season"],
            badge_bounds=form.badge_bounds,
            actor=request.user,
        )
    except Stale as error:
        newest = wanted_settings(pool.pk)
        if newest and _is_saved(pool, newest, form):
            return True  # The same form was sent twice.
        form.add_error(None, str(error))
        # With the newest revision in the form, the next attempt can be saved.
        form.data = request.POST.dict() | {"revision": str(newest.revision if newest else 0)}
        return False
    return True


def _is_saved(pool: Pool, newest: RatingSettings, form: SettingsForm) -> bool:
    sent = RatingSettings(params=asdict(form.params), badge_bounds=form.badge_bounds)
    is_same = values_of(pool.kind, newest) == values_of(pool.kind, sent)
    return is_same and newest.season == form.cleaned_data["season"]


def _history(pool: Pool) -> list[dict[str, Any]]:
    """Revisions, the newest first, each with its changes from the one before."""
    revisions = list(revisions_of(pool.pk)[: MOST_REVISIONS + 1])
    values = [values_of(pool.kind, revision) for revision in revisions]
    older = values[1:]
    if len(revisions) <= MOST_REVISIONS:
        older.append(values_of(pool.kind, None))
    return [
        {"revision": revision, "changes": changed_parameters(before, after)}
        for revision, before, after in zip(revisions, older, values, strict=False)
    ]
