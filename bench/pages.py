"""Speed of leaderboard pages of 100,000 players and 1,000,000 results, compared with bare django-tables2.

Requests pass through the whole site in one process (middleware, session, language), on SQLite, without a network.
"""

import gc
import gzip
import resource
import time
from functools import partial

from bench.own_site import own_site
from bench.report import Row, best_in_turn

N_PLAYERS = 100_000
N_EVENTS = 1_000
FIELD = 1_000
PAGES = (1, 1_500)
TURNS = 100


def measure() -> list[Row]:
    with own_site():
        address, computing = fill()
        return [*rows(address), *computing]


def fill() -> tuple[str, list[Row]]:
    """Create a season of a million results and measure its recomputation; the address is that of its leaderboard."""
    from bench.leagues import fill as fill_seasons
    from bench.leagues import open_seasons, touch
    from league.models import Event
    from standings.recomputation.service import recompute

    (season,) = open_seasons(1)
    fill_seasons([season], n_players=N_PLAYERS, sizes=[FIELD] * N_EVENTS, is_timed=False)
    events = Event.objects.in_rating_order()
    touch(events[0])
    begin = time.perf_counter()
    recompute(season.pool_id)
    whole = time.perf_counter() - begin
    touch(events[N_EVENTS - 1])
    begin = time.perf_counter()
    recompute(season.pool_id)
    correction = time.perf_counter() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    note = (
        f"one season of {N_EVENTS:,} x {FIELD:,} entries, rows included, SQLite; peak memory {memory:.0f} MB"
    )
    gc.collect()
    row = Row("correct the last event", "recompute everything", correction, whole, note=note)
    return season.get_absolute_url(), [row]


def rows(address: str) -> list[Row]:
    from django.core.cache import caches
    from django.test import Client

    client = Client(headers={"accept-encoding": "gzip"})  # as every browser

    def get(url: str) -> bytes:
        response = client.get(url)
        assert response.status_code == 200, response
        return response.content

    def uncached(page: int) -> None:
        """Read a page that nobody has read since the last result."""
        caches["pages"].clear()
        get(f"{address}?page={page}")

    measured = []
    for page in PAGES:
        ours, bare = f"{address}?page={page}", f"/bare/?page={page}"
        assert gzip.decompress(get(ours)).count(b'class="n pos"') == 50
        assert gzip.decompress(get(bare)).count(b"<tr") >= 50
        ways: dict[str, tuple[int, partial[object]]] = {
            f"leaderboard page {page:,}, uncached": (4, partial(uncached, page)),
            f"leaderboard page {page:,}, cached by version": (40, partial(get, ours)),
        }
        *times, theirs = best_in_turn(
            *(read for _goal, read in ways.values()), partial(get, bare), repeat=TURNS
        )
        note = f"50 rows of {N_PLAYERS:,} players, {N_EVENTS * FIELD:,} results, best of {TURNS} in turn"
        measured += [
            Row(what, "bare django-tables2", seconds, theirs, goal, note)
            for (what, (goal, _read)), seconds in zip(ways.items(), times, strict=True)
        ]
    club = address[: address.index("/s/") + 1]
    for what, ours, bare in (
        ("list of players", f"{club}players/", "/bare/players/"),
        ("list of events", f"{address}events/", "/bare/events/"),
    ):
        seconds, theirs = best_in_turn(partial(get, ours), partial(get, bare), repeat=TURNS)
        note = f"50 rows, best of {TURNS} in turn; no page is kept"
        measured.append(Row(what, "bare django-tables2", seconds, theirs, 1, note))
    return measured
