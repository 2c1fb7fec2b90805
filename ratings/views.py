"""The settings of a rating pool: everybody who reads the club sees them, an owner changes them."""

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRefresh

from league.access import ClubRequest, club_view
from league.models import Pool, Role
from league.services.errors import Stale
from ratings.engine.tier import TierParams
from ratings.forms import SettingsForm
from ratings.models import RatingSettings
from ratings.parameters import changed_parameters, shown_groups
from ratings.queries import params_of, revisions_of, settings_in_force, wanted_settings
from ratings.services.settings import set_rating_settings

MOST_REVISIONS = 50


@require_safe
@vary_on_headers("HX-Request")  # the browser's Back shows the page, not the line alone
@club_view()
def settings(request: ClubRequest, pool_id: int | None = None) -> HttpResponse:
    pools = list(request.club.pools.order_by("pk"))
    pool = _pool(pools, pool_id)
    wanted = wanted_settings(pool.pk)
    waiting = wanted if wanted and not wanted.is_in_force else None
    if request.htmx:
        return _still_waiting(request, waiting)
    in_force = settings_in_force(pool.pk)
    context = {
        "pool": pool,
        "pools": pools,
        "groups": shown_groups(params_of(in_force)),
        "in_force": in_force,
        "waiting": waiting,
        "history": _history(pool.pk),
    }
    return render(request, "ratings/settings.html", context)


def _still_waiting(request: ClubRequest, waiting: RatingSettings | None) -> HttpResponse:
    """The line of the revision that waits, asked for again and again; then the page as a whole."""
    if waiting is None:
        return HttpResponseClientRefresh()
    return render(request, "ratings/_waiting.html", {"waiting": waiting})


@club_view(Role.OWNER)
def settings_edit(request: ClubRequest, pool_id: int | None = None) -> HttpResponse:
    pool = _pool(list(request.club.pools.order_by("pk")), pool_id)
    wanted = wanted_settings(pool.pk)
    revision = wanted.revision if wanted else 0
    is_reset = request.method != "POST" and "published" in request.GET
    base = TierParams() if is_reset else params_of(wanted)
    form = SettingsForm(request.POST or None, base=base, revision=revision)
    if request.method == "POST" and form.is_valid() and _save(request, pool, form):
        messages.success(request, _("Saved. Every rating of the pool is computed again."))
        return redirect("ratings:settings", request.club.slug, pool.pk)
    return render(request, "ratings/settings_form.html", {"form": form, "pool": pool, "is_reset": is_reset})


def _pool(pools: list[Pool], pool_id: int | None) -> Pool:
    """The pool asked for, or the club's first."""
    for pool in pools:
        if pool_id in {None, pool.pk}:
            return pool
    raise Http404


def _save(request: ClubRequest, pool: Pool, form: SettingsForm) -> bool:
    try:
        set_rating_settings(
            pool, form.params, revision=form.cleaned_data["revision"] or 0, actor=request.user
        )
    except Stale as error:
        now = wanted_settings(pool.pk)
        if params_of(now) == form.params:
            return True  # the same form sent twice
        form.add_error(None, str(error))
        # The revision of now: whoever has compared may save.
        form.data = request.POST.dict() | {"revision": str(now.revision if now else 0)}
        return False
    return True


def _history(pool_id: int) -> list[dict[str, Any]]:
    """Revisions, the newest first, each with what it changed of the one before."""
    revisions = list(revisions_of(pool_id)[: MOST_REVISIONS + 1])
    older = [asdict(params_of(it)) for it in revisions[1:]]
    if len(revisions) <= MOST_REVISIONS:
        older.append(asdict(TierParams()))
    return [
        {"revision": it, "changes": changed_parameters(before, asdict(params_of(it)))}
        for it, before in zip(revisions, older, strict=False)
    ]
