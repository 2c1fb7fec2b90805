"""The bin of a club: what was deleted, and the way back."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view
from league.models import BinItem, Event, Meet, Player, Season
from league.rights import Act
from league.services.bin import NeedsOthers, restore
from league.services.errors import Refused
from league.services.kept_rows import KeptRows
from league.vocabulary import gettext as _
from standings.awards.services import restore_award
from standings.pages.history.bin import bin_lines


@club_view(Act.DELETE_RESULTS)
@require_safe
def bin_page(request: ClubRequest) -> HttpResponse:
    return _show(request)


def _show(request: ClubRequest, **asked: Any) -> HttpResponse:
    return render(request, "standings/club_data/bin.html", {"lines": bin_lines(request.club), **asked})


@require_POST
@club_view(Act.DELETE_RESULTS)
def bin_restore(request: ClubRequest, item_id: int) -> HttpResponse:
    """Bring an item back; ask first, if others have to come back with it."""
    kind = BinItem.objects.filter(club=request.club, pk=item_id).values_list("kind", flat=True).first()
    bring_back = restore_award if kind == BinItem.Kind.AWARD else restore
    with_others = "others" in request.POST
    try:
        item = bring_back(request.club, item_id, actor=request.user, with_others=with_others)
    except NeedsOthers as error:
        return _show(request, asked_id=item_id, needed=error.items)
    except Refused as error:
        messages.error(request, str(error))
        return redirect("standings:bin", request.club.slug)
    if item is None:
        messages.error(request, _("This is not in the bin any more: it is back, or its 30 days are over."))
        return redirect("standings:bin", request.club.slug)
    messages.success(
        request, _("%(item)s is back. Ratings and points are being recomputed.") % {"item": item}
    )
    return redirect(_page_of(item) or request.club)


def _page_of(item: BinItem) -> Any:
    """Find the object whose page to show after an item is restored."""
    kept = KeptRows.from_json(item.data)
    order = {
        BinItem.Kind.EVENT: Event,
        BinItem.Kind.NIGHT: Meet,
        BinItem.Kind.SEASON: Season,
        BinItem.Kind.PLAYER: Player,
    }
    model = order.get(BinItem.Kind(item.kind))
    if model is None:
        season_id = kept.tables[0].column("season_id")[0]
        return Season.objects.get(pk=season_id)
    return model._default_manager.filter(pk__in=kept.ids(model)).first()
