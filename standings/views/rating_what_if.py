"""The page of what ratings would be by other settings."""

import hashlib
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.database.snapshots import View
from league.models import Pool, PoolKind
from league.rights import Act, may
from league.services.errors import Refused
from league.site.limits import SECONDS, consume_quota
from ratings.engine.tier.params import TierParams
from ratings.queries import settings_in_force, values_of
from standings.pages.forms.rating import TRIED, TriedSettingsForm
from standings.points.rating_what_if import OtherRating, rating_what_if
from standings.queries import chosen_pool, rated_pools

PER_PAGE = 100
MOST_COMPARISONS = 10  # in a minute


def rate_limited(view: View) -> View:
    """Wrap the page so that comparisons are counted, before the snapshot in which nothing can be written."""

    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        asked = [(name, request.GET.get(name)) for name in ("pool", *TRIED)]
        what = hashlib.sha256(repr((request.path, asked)).encode()).hexdigest()[:16]
        if "beta" in request.GET and not consume_quota(
            request, "what-if-ratings", user=request.user, limit=MOST_COMPARISONS, dedupe_key=what
        ):
            kwargs["is_too_soon"] = True
        return view(request, **kwargs)

    return wrapped


@require_safe
@rate_limited
@club_view()
def what_if_ratings(request: ClubRequest, *, is_too_soon: bool = False) -> HttpResponse:
    pools = [pool for pool in rated_pools(request.club) if pool.kind == PoolKind.TIER]
    pool = chosen_pool(pools, request.GET.get("pool"))
    if pool is None:
        raise Http404
    values = values_of(pool.kind, settings_in_force(pool.pk))
    form = TriedSettingsForm(request.GET if "beta" in request.GET else None, values=values)
    rows = [] if is_too_soon or not form.is_bound else _compared(request, pool, form)
    context = {"form": form, "pools": pools, "pool": pool, "is_too_soon": is_too_soon}
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context |= {"page": page, "query": query.urlencode()}
    response = render(request, "standings/points/what_if_ratings.html", context)
    if is_too_soon:
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response.headers["Retry-After"] = str(SECONDS)
    return response


def _compared(request: ClubRequest, pool: Pool, form: TriedSettingsForm) -> list[OtherRating]:
    if not form.is_valid():
        return []
    assert isinstance(form.params, TierParams)
    try:
        return rating_what_if(pool, form.params, is_organizer=may(request.role, Act.CHANGE_RULES))
    except Refused as error:
        form.add_error(None, str(error))
        return []
