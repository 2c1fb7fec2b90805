"""Lists of the API beside the leaderboard's page: 50 rows of a season of 800 players.

Requests pass through the whole site in one process, on SQLite, without a network. The list of players is read as nobody
has read it; a page of the leaderboard also as everybody after the first one reads it, compressed and kept.
"""

import json
from functools import partial

from bench.own_site import own_site
from bench.report import Row, best_in_turn

N_PLAYERS, N_EVENTS, FIELD = 800, 50, 100
ROWS = 50
TURNS = 25  # the API allows an address 60 requests in a minute


def measure() -> list[Row]:
    with own_site():
        return rows()


def rows() -> list[Row]:
    from django.core.cache import caches
    from django.test import Client
    from django.urls import reverse

    from bench.leagues import fill, open_seasons
    from standings.recomputation.service import recompute

    (season,) = open_seasons(1)
    fill([season], n_players=N_PLAYERS, sizes=[FIELD] * N_EVENTS, is_timed=False)
    recompute(season.pool_id)
    page = season.get_absolute_url()
    client = Client(headers={"accept-encoding": "gzip"})

    def get(address: str) -> bytes:
        response = client.get(address)
        assert response.status_code == 200, response
        return response.content

    def uncached() -> None:
        caches["pages"].clear()
        get(page)

    players = f"{reverse('api:players', args=[season.club.slug])}?page_size={ROWS}"
    standings = f"{reverse('api:standings', args=[season.pk])}?page_size={ROWS}"
    for address in (players, standings):
        assert len(json.loads(Client().get(address).content)["results"]) == ROWS
    of_players, of_standings, whole, kept = best_in_turn(
        partial(get, players), partial(get, standings), uncached, partial(get, page), repeat=TURNS
    )
    note = f"{ROWS} rows of {N_PLAYERS} players, {N_EVENTS * FIELD:,} results, best of {TURNS} in turn"
    return [
        Row("API: list of players", "leaderboard page, uncached", of_players, whole, 1, note),
        Row("API: standings of a season", "leaderboard page, uncached", of_standings, whole, None, note),
        Row("API: list of players", "leaderboard page, kept", of_players, kept, None, note),
    ]
