"""The page of an event: its result, and what it changed."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, event_view
from league.models import Change, Event, Player, PoolKind, Role
from league.queries import renames_of
from league.rights import RIGHTS, Act
from league.tables import draw_rows
from payouts.queries import helpers_take_money
from standings.event_story.entries import event_page
from standings.event_story.facts import story_of
from standings.event_story.sentences import headline, podium, strength_words, upset_words
from standings.event_story.stairs import busts_of, moments_of, shape, stairs_of, strength_bars
from standings.pages.headlines import event_headline, event_kicker, event_stand
from standings.pages.history.changes import change_line
from standings.pages.history.corrections import correction_in_brief
from standings.pages.leaderboards import page_number
from standings.pages.readers import reader_of
from standings.queries import work_state
from standings.receipts.pages import ShownReceipt, shown_receipt

MOST_IN_FULL = 60  # entries whose rows repeat on phones what stands in columns elsewhere


def _receipt(request: ClubRequest, event: Event) -> ShownReceipt | None:
    """Read the receipt of the reader, if the reader is a player who was there."""
    player_id = reader_of(request).player_id
    player = Player.objects.filter(pk=player_id, club=request.club).first() if player_id else None
    return shown_receipt(player, event, alone=True) if player else None


@require_safe
@event_view(related=("rules", "terms", "pool", "season__pool__recomputation"))
def event(request: ClubRequest, event: Event) -> HttpResponse:
    page = event_page(event, page=page_number(request.GET.get("page", "")))
    story, busts = story_of(event, page), busts_of(event, page)
    correction = event.changes.filter(kind=Change.Kind.RESULT_CORRECTED).first()
    renames = renames_of(request.club) if correction else []
    is_compact = page.n_entries > MOST_IN_FULL
    has_rates = event.pool.kind != PoolKind.NONE
    # The page of badges begins with the pool of the season; only one of R is named, as elsewhere.
    pool = f"?pool={event.pool_id}" if event.pool.kind == PoolKind.PROFIT else ""
    parts = {
        "page": page,
        "has_rates": has_rates,
        "change_places": 1 if event.pool.kind == PoolKind.PROFIT else 0,
        "has_reentries": page.n_players < page.n_entries,
        "sees_costs": request.role >= RIGHTS[Act.KEEP_MONEY],
        "is_compact": is_compact,
        "players": "../../players/",  # from the address of the event, which keeps the rows short
        "reasons": "players/",
        "badges": f"../../badges/{pool}",
    }
    context = {
        "event": event,
        "is_compact": is_compact,
        "page": page,
        "has_rates": has_rates,
        "rows": draw_rows("event_rows.jinja", parts),
        "kicker": event_kicker(event),
        "headline": headline(page, story) or event_headline(page, str(event)),
        "story": story,
        "podium": podium(page, story),
        "upset": upset_words(story),
        "strength": strength_bars(story.strength),
        "strength_words": strength_words(story),
        "stairs": stairs_of(event, busts, page.winners),
        "stairs_words": shape(event, busts, page.winners) if busts else "",
        "moments": moments_of(event, busts),
        "stand": event_stand(event, page),
        "correction": change_line(correction, renames) if correction else None,
        "correction_in_brief": correction_in_brief(correction, renames) if correction else "",
        "season": event.season,
        "receipt": _receipt(request, event),
        "work": work_state(event.season),
        "takes_money": request.role == Role.HELPER and helpers_take_money(request.club),
        "section": "events",
    }
    return render(request, "standings/event/event.html", context)
