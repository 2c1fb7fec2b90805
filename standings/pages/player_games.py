"""The page of a player whose games R follows: the record first, then R beside luck, seats and opponents."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.paginator import Paginator

from league import formats
from league.models import Player, Pool
from league.vocabulary import gettext as _
from ratings.queries import profit_params_of, settings_in_force
from standings.games.figures import FEW_GAMES, game_figures, is_uncalibrated
from standings.games.queries import PlayedGame, last_results, opponents_of, rank_by_r, tables_of
from standings.games.record import Seat, record_of, round_goal
from standings.games.sentences import (
    band_words,
    distance,
    next_game,
    next_round,
    places_in_words,
    rates_of,
    stand,
    verdict,
)
from standings.pages.charts.games import SIZES, r_curve
from standings.pages.charts.records import N_GAMES as N_DEVIATIONS
from standings.pages.charts.records import deviations, place_band, share_bar
from standings.queries import pool_work_state

N_LAST_GAMES, N_GAMES, N_OPPONENTS = 10, 50, 10
WINDS = 4


def games_context(
    person: Player, pool: Pool, games: Sequence[PlayedGame], query: Mapping[str, str]
) -> dict[str, Any]:
    """Build the context of the games that R follows."""
    params = profit_params_of(settings_in_force(pool.pk))
    figures, record = game_figures(games, last_results(pool), params), record_of(games)
    last, newest_first = games[-1], games[::-1]
    shown = Paginator(newest_first, N_GAMES).get_page(query["page"]) if query.get("page") else None
    rows = _game_rows(list(shown) if shown else newest_first[:N_LAST_GAMES], person)
    shows_all = query.get("opponents") == "all"
    met = opponents_of(person, pool, None if shows_all else N_OPPONENTS + 1)
    return {
        "figures": figures,
        "record": record,
        "rates": rates_of(record, figures),
        "band": place_band(figures),
        "band_words": band_words(figures),
        "next_game": next_game(record),
        "next_round": next_round(round_goal(games)),
        "seats": _seat_rows(record.seats),
        "deviations": deviations(games),
        "n_deviations": min(len(games), N_DEVIATIONS),
        "few_games": FEW_GAMES,
        "last": last,
        "badge_now": last.badge,
        "is_provisional": last.is_provisional,
        "is_uncalibrated": is_uncalibrated(games, params),
        "stand": stand(rank_by_r(person, pool), figures),
        "distance": distance(figures, params.r0),
        "verdict": verdict(person.name, figures, params.r0),
        "r0": params.r0,
        "highest": max(game.r_after for game in games),
        "curves": [r_curve(games, figures, params.r0, size) for size in SIZES],
        "rows": rows,
        "has_scores": any(row["score"] is not None for row in rows),
        "page": shown,
        "page_query": f"pool={pool.pk}",
        "opponents": met if shows_all else met[:N_OPPONENTS],
        "has_more_opponents": not shows_all and len(met) > N_OPPONENTS,
        "work": pool_work_state(pool),
    }


def _seat_rows(seats: Sequence[Seat]) -> list[tuple[str, Seat, list[tuple[float, float]], str]]:
    """Give each seat its name, its bar and the bar in words; nothing for seats that have no wind."""
    if any(not 1 <= seat.number <= WINDS for seat in seats):
        return []
    names = [_("East"), _("South"), _("West"), _("North")]
    return [
        (names[seat.number - 1], seat, share_bar(seat.counts), places_in_words(seat.counts)) for seat in seats
    ]


def _game_rows(games: Sequence[PlayedGame], person: Player) -> list[dict[str, Any]]:
    """Games with the names of the others and the player's score."""
    tables = tables_of([game.event_id for game in games])
    return [
        {
            "game": game,
            "others": formats.listed(
                entry.player.name for entry in tables.get(game.event_id, []) if entry.player_id != person.pk
            ),
            "score": next(
                (entry.score for entry in tables.get(game.event_id, []) if entry.player_id == person.pk), None
            ),
        }
        for game in games
    ]
