"""Leaderboard pages over 100,000 players and 1,000,000 results, against a bare django-tables2 page of the same rows.

Requests go through the whole site in one process (middleware, session, language), on SQLite, without a network.
"""

import gc
import os
import resource
import tempfile
import time
from datetime import UTC, datetime, timedelta

from bench.report import Row, best_of

N_PLAYERS = 100_000
N_EVENTS = 1_000
FIELD = 1_000
PAGES = (1, 1_500)


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="tierboard-bench-") as folder:
        os.environ["VAR_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        address, computing = fill()
        return [*rows(address), *computing]


def fill() -> tuple[str, list[Row]]:
    """A club whose season has a million results, computed by the site's own recomputation."""
    import numpy as np
    from django.contrib.auth.models import User

    from league.models import Change, Entry, Event, Player
    from league.services.changes import lock_pool, record_change
    from league.services.clubs import open_club
    from payouts.services import open_season_with_rules
    from standings.services import recompute

    owner = User.objects.create(username="bench")
    club = open_club(owner, name="Bench", slug="bench", time_zone="UTC", is_public=True)
    start = datetime(2025, 1, 1, 19, tzinfo=UTC)
    rules = {"structure": "vp_kid", "ties": "better", "attendance_points": 1, "min_events": 3}
    season = open_season_with_rules(club, name="Long", starts_on=start.date(), ends_on=None, rules=rules)
    players = [Player(club=club, name=f"Player {i}", key=f"player {i}") for i in range(N_PLAYERS)]
    Player.objects.bulk_create(players, batch_size=5_000)
    events = [Event(season=season, starts_at=start + timedelta(hours=8 * i)) for i in range(N_EVENTS)]
    Event.objects.bulk_create(events)
    random = np.random.default_rng(7)
    strength = random.normal(size=N_PLAYERS)
    for event in events:
        field = random.choice(N_PLAYERS, FIELD, replace=False)
        in_order = field[np.argsort(-(strength[field] + 3 * random.normal(size=FIELD)))]
        Entry.objects.bulk_create(
            [
                Entry(event=event, player=players[i], place=k)
                for k, i in enumerate(in_order.tolist(), start=1)
            ],
            batch_size=FIELD,
        )
    from django.db import transaction

    with transaction.atomic():
        record_change(
            lock_pool(season.pool_id),
            kind=Change.Kind.RESULT_ENTERED,
            actor=owner,
            season=season,
            rated_from=start,
        )
    begin = time.perf_counter()
    recompute(season.pool_id)
    whole = time.perf_counter() - begin
    with transaction.atomic():
        last = events[-1]
        record_change(
            lock_pool(season.pool_id),
            kind=Change.Kind.RESULT_CORRECTED, actor=owner, event=last, season=season, rated_from=last.starts_at,
        )  # fmt: skip
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

    client = Client()

    def get(url: str) -> bytes:
        response = client.get(url)
        assert response.status_code == 200, response
        return response.content

    measured = []
    for page in PAGES:
        ours, bare = f"{address}?page={page}", f"/bare/?page={page}"

        def uncached(url: str = ours) -> None:
            caches["pages"].clear()
            get(url)

        assert get(ours).count(b'class="n pos"') == 50
        assert get(bare).count(b"<tr") >= 50
        theirs = best_of(lambda url=bare: get(url), repeat=15)
        for what, call, goal in (
            ("uncached", uncached, 4),
            ("cached by version", lambda url=ours: get(url), 25),
        ):
            measured.append(
                Row(
                    f"leaderboard page {page:,}, {what}", "bare django-tables2", best_of(call, repeat=15), theirs, goal,
                    f"50 rows of {N_PLAYERS:,} players, {N_EVENTS * FIELD:,} results, best of 15",
                )
            )  # fmt: skip
    return measured
