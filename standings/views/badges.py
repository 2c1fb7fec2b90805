"""What a badge means: its bounds, and who stands where."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league import formats
from league.access import ClubRequest, club_view
from league.models import PoolKind
from league.rights import Act, may
from league.vocabulary import gettext as _
from standings.goals.badge_levels import Fitted, Level, fitted_bounds, levels_of
from standings.pages.readers import reader_of
from standings.queries import chosen_pool, rated_pools, rating_terms


@require_safe
@club_view()
def badges(request: ClubRequest) -> HttpResponse:
    """Show the badges of a pool with their bounds, and who of the present season stands where."""
    pools = rated_pools(request.club)
    season = request.season or None
    of_season = str(season.pool_id) if season else None
    pool = chosen_pool(pools, request.GET.get("pool") or of_season)
    levels = levels_of(pool, season) if pool else []
    fitted, own = fitted_bounds(levels), reader_of(request).player_id
    terms = rating_terms(season) if season and pool and season.pool_id == pool.pk else None
    context = {
        "pools": pools,
        "pool": pool,
        "is_r": pool is not None and pool.kind == PoolKind.PROFIT,
        "levels": [(level, _bounds_in_words(level)) for level in levels],
        "n_ranked": sum(len(level.holders) for level in levels),
        "own": own,
        "own_badge": next(
            (level.letters for level in levels for each in level.holders if each.player_id == own), ""
        ),
        "n_placement": terms.n_placement if terms else None,
        "fitted": fitted,
        "proposal": _proposal(fitted) if fitted else "",
        "may_change": may(request.role, Act.CHANGE_RULES),
    }
    return render(request, "standings/lessons/badges.html", context)


def _bounds_in_words(level: Level) -> str:
    if level.least is None:
        return _("below %(bound)s") % {"bound": formats.grouped(level.below or 0)}
    least = formats.grouped(level.least)
    if level.below is None:
        return _("%(bound)s and up") % {"bound": least}
    return _("%(least)s to %(most)s") % {"least": least, "most": formats.grouped(level.below - 1)}


def _proposal(fitted: Fitted) -> str:
    return _(
        "%(n)d of %(total)d hold %(badge)s. With %(best)s from %(top)s, and each next badge %(step)s lower, the club"
        " would be spread over all of them."
    ) % {
        "n": fitted.n_crowded,
        "total": fitted.n_ranked,
        "badge": fitted.crowded,
        "best": "S",
        "top": formats.grouped(fitted.top),
        "step": formats.grouped(fitted.step),
    }
