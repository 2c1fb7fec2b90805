"""The page that shows two or three players beside each other."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import F, QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.models import Club, Player, Pool, PoolKind
from league.vocabulary import gettext as _
from reading.names.keys import name_key
from standings.games.queries import games_of
from standings.pages.leaderboards import page_number
from standings.pages.search import typed
from standings.players.comparison import Compared, Result, comparison_chart, events_they_met, pairs_of
from standings.players.history import rated_events
from standings.players.sentences import comparison_in_words
from standings.queries import chosen_pool, players_of, rated_pools

MOST = 3
MOST_OFFERED = 300  # names, so that the page stays small
SIZES = (("wide", 720), ("narrow", 340))
CAREER = "career"
PER_PAGE = 20


@require_safe
@club_view()
def compare(request: ClubRequest) -> HttpResponse:
    """Compare the players that the address names, each once."""
    pools = rated_pools(request.club)
    pool = chosen_pool(pools, request.GET.get("pool"))
    names = [typed(name) for name in request.GET.getlist("name")[:MOST]]
    known = {
        player.key: player
        for player in Player.objects.filter(club=request.club, key__in=map(name_key, names))
    }
    players = [known[key] for key in dict.fromkeys(map(name_key, names)) if key in known]
    compared = [found for player in players if pool and (found := _compared(player, pool))]
    context: dict[str, Any] = {"pools": pools, "pool": pool, "compared": compared, "section": "players"}
    context |= {
        "fields": _fields(names, known, {each.player_id for each in compared}),
        "names": [row.name for row in _lately(request.club, pool)],
    }
    if len(compared) > 1:
        context |= _side_by_side(compared, request.GET)
    return render(request, "standings/compare/compare.html", context)


def _side_by_side(compared: Sequence[Compared], address: QueryDict) -> dict[str, Any]:
    by_career = address.get("over") == CAREER
    chosen = [("name", each.name) for each in compared]
    if pool_id := address.get("pool"):
        chosen.append(("pool", pool_id))
    query, career_query = urlencode(chosen), urlencode([*chosen, ("over", CAREER)])
    return {
        "by_career": by_career,
        "charts": [(size, comparison_chart(compared, width, by_career=by_career)) for size, width in SIZES],
        "pairs": pairs_of(compared),
        "met": Paginator(events_they_met(compared), PER_PAGE).get_page(page_number(address.get("page", ""))),
        "words": comparison_in_words(compared),
        "date_query": query,
        "career_query": career_query,
        "page_query": career_query if by_career else query,
    }


def _lately(club: Club, pool: Pool | None) -> QuerySet[Player]:
    """Select the players to suggest while a name is typed: those who played last."""
    players = players_of(club, pool)
    return (
        players.order_by(F("last_at").desc(nulls_last=True), "key")[:MOST_OFFERED] if pool else players.none()
    )


def _fields(names: Sequence[str], known: dict[str, Player], shown: set[int]) -> list[tuple[str, str]]:
    """Say what was typed in each field, and what is wrong with it."""
    fields = []
    for name in [*names, *[""] * (MOST - len(names))]:
        player, error = known.get(name_key(name)), ""
        if name and player is None:
            error = _("No player of this club has the name “%(name)s”.") % {"name": name}
        elif player and player.pk not in shown:
            error = _("%(name)s has no rated %(event_word)s here yet.") % {"name": player.name}
        fields.append((player.name if player else name, error))
    return fields


def _compared(player: Player, pool: Pool) -> Compared | None:
    """A player with the rated events or games of the pool; None if there are none."""
    if pool.kind == PoolKind.PROFIT:
        games = games_of(player, pool)
        results = [
            Result(row.event_id, row.starts_at, row.place, row.n_players, row.expected_place, row.r_after)
            for row in games
        ]
        last: Any = games[-1] if games else None
    else:
        events = rated_events(player, pool)
        results = [
            Result(row.event_id, row.starts_at, row.field_place, row.n_players, row.expected, row.rate)
            for row in events
        ]
        last = events[-1] if events else None
    return Compared(player.pk, player.name, last.badge, last.is_provisional, results) if last else None
