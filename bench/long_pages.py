"""Pages of long histories compared with bare django-tables2 pages of the same rows.

A player of 419 events, a season table of 240 events and an event of 100 entries, uncached, through the whole site in
one process on SQLite.
"""

import gzip

from bench.own_site import own_site
from bench.report import Row, best_in_turn, met

TURNS = 10
N_PLAYER_EVENTS, N_SEASON_EVENTS, FIELD, N_ENTRIES = 419, 240, 20, 100
MOST_KB, MOST_PACKED_KB = 60, 15


def measure() -> list[Row]:
    with own_site():
        return [_compared(*pair) for pair in _pages()]


def _pages() -> list[tuple[str, str, str, str]]:
    """Fill three clubs; return what each page is, its address, that of the bare one, and what is on it."""
    from bench.leagues import fill, open_seasons
    from standings.recomputation.service import recompute

    seasons = {}
    for slug, sizes in (
        ("player", [FIELD] * N_PLAYER_EVENTS),
        ("season", [FIELD] * N_SEASON_EVENTS),
        ("event", [N_ENTRIES]),
    ):
        (season,) = open_seasons(1, slug=slug)
        fill([season], n_players=max(sizes), sizes=sizes, is_timed=True)
        recompute(season.pool_id)
        seasons[slug] = season
    player = seasons["player"].standings.first().player_id
    event = seasons["event"].events.get().pk
    table = seasons["season"]
    return [
        (
            "player page",
            f"/c/player/players/{player}/",
            f"/bare/players/{player}/",
            f"{N_PLAYER_EVENTS} events",
        ),
        ("event page", f"/c/event/events/{event}/", f"/bare/events/{event}/", f"{N_ENTRIES} entries"),
        (
            "season table",
            f"{table.get_absolute_url()}table/",
            f"/bare/seasons/{table.pk}/",
            f"{N_SEASON_EVENTS} events of {FIELD} players",
        ),
    ]


def _compared(what: str, address: str, bare: str, note: str) -> Row:
    from django.core.cache import caches
    from django.db import connection, reset_queries
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()

    def get(url: str) -> bytes:
        caches["pages"].clear()
        answer = client.get(url)
        assert answer.status_code == 200, (url, answer.status_code)
        return answer.content

    get(address)
    reset_queries()  # Only the newest are kept, and a full list would not grow.
    with CaptureQueriesContext(connection) as queries:
        html = get(address)
    # Counted now: what is asked later counts anew. The others begin and end the snapshot.
    n_queries = sum(query["sql"].startswith("SELECT") for query in queries)
    ours, theirs = best_in_turn(lambda: get(address), lambda: get(bare), repeat=TURNS)
    kilobytes, packed = len(html) / 1_000, len(gzip.compress(html)) / 1_000
    is_small = met(kilobytes < MOST_KB and packed < MOST_PACKED_KB)
    how = (
        f"{note}, {n_queries} queries; {kilobytes:.0f} kB of HTML, {packed:.1f} kB compressed,"
        f" goal {MOST_KB} and {MOST_PACKED_KB}: {is_small}; bare {len(get(bare)) / 1_000:.0f} kB"
    )
    return Row(f"{what}, uncached", "bare django-tables2, all rows", ours, theirs, 1, how)
