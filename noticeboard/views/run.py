"""Run the club: what waits, and the doors to everything that is done for it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view
from league.models import Club, Player, Pool
from league.rights import Act
from league.schedule import planned_events
from league.vocabulary import gettext as _
from noticeboard.tray import items_of, stuck_pools
from standings.tasks import recompute_pool

SHOWN = 4  # things that wait before the others are folded


@require_safe
@club_view(Act.ENTER_RESULTS)
def run(request: ClubRequest) -> HttpResponse:
    items = items_of(request.club, request.user, request.role)
    context = {"first": items[:SHOWN], "others": items[SHOWN:], "n_items": len(items), **_facts(request.club)}
    return render(request, "noticeboard/run.html", context)


def _facts(club: Club) -> dict[str, Any]:
    """Count members, guests and planned events, and find the next planned event."""
    guests = list(Player.objects.filter(club=club).values_list("is_guest", flat=True))
    planned = planned_events(club, timezone.now())
    return {
        "n_members": guests.count(False),
        "n_guests": guests.count(True),
        "next": planned[0] if planned else None,
        "n_planned": len(planned),
    }


@require_POST
@club_view(Act.ENTER_RESULTS)
def try_again(request: ClubRequest, pool_id: int) -> HttpResponse:
    """Enqueue the recomputation of a stuck pool; do nothing if it is not stuck."""
    pool = get_object_or_404(Pool, pk=pool_id, club=request.club)
    if stuck_pools(request.club).filter(pk=pool.pk).exists():
        recompute_pool.delay(pool.pk)
    messages.success(request, _("The figures are worked out again."))
    return redirect("noticeboard:run", request.club.slug)
