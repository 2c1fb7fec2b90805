"""Measure what phones of a live night cost: a poll, a tap, the projection; beside a kept page and reading JSON.

Requests pass through the whole site in one process, on SQLite, without a network; the times are those of the processor.
"""

import json
import os
import random
import tempfile
import time
import uuid
from collections.abc import Callable
from functools import partial

from bench.report import Row, best_of

N_PHONES, N_TAPPING = 50, 3
ROUNDS = 20
N_ACTIONS = 1_000


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="tierboard-bench-") as folder:
        os.environ["VAR_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        return [*requests(), projection()]


def requests() -> list[Row]:
    """Measure rounds in which every phone polls, a few tap, and somebody reads the kept leaderboard as often."""
    from django.test import Client
    from django.utils import timezone

    from bench.leagues import fill, open_seasons
    from live.models import Role
    from live.services.nights import begin_night, now_ms
    from live.services.passes import join, make_pass, secret_of
    from standings.recomputation.service import recompute

    (season,) = open_seasons(1)
    fill([season], n_players=16, sizes=[16] * 10, is_timed=False)
    recompute(season.pool_id)
    owner = season.club.memberships.get().user
    begun = {"season": season, "planned_event": None, "name": "", "setup": {}}
    night = begin_night(season.club, starts_at=timezone.now(), form_token=uuid.uuid4(), actor=owner, **begun)
    made = make_pass(night, role=Role.HELPER, max_devices=N_PHONES, actor=owner)
    keys = [join(secret_of(made), name=f"Phone {i}", now=timezone.now())[1] for i in range(N_PHONES)]
    client, url = Client(headers={"accept-encoding": "gzip"}), f"/live/{night.pk}/log"
    counters = dict.fromkeys(keys[:N_TAPPING], 0)
    page = season.get_absolute_url()
    client.get(page)

    def poll(key: str) -> None:
        assert client.get(url, {"after": 9_999}, headers={"X-Device-Key": key}).status_code == 204

    def tap(key: str) -> None:
        counters[key] += 1
        action = {"id": str(uuid.uuid4()), "counter": counters[key], "kind": "note", "body": {"text": "fine"}}
        action |= {"tap_ms": now_ms(), "offset_ms": 0}
        body = json.dumps({"sent_wall": now_ms(), "seen": 9_999, "actions": [action]})
        answer = client.post(url, body, content_type="application/json", headers={"X-Device-Key": key})
        assert answer.json()["replies"][0]["status"] == "in"

    spent = {"poll": 0.0, "tap": 0.0, "page": 0.0}

    def measured(name: str, act: Callable[[], object]) -> None:
        begin = time.process_time()
        act()
        spent[name] += time.process_time() - begin

    for _round in range(ROUNDS):
        for key in keys:
            measured("poll", partial(poll, key))
            measured("page", partial(client.get, page))
        for key in counters:
            measured("tap", partial(tap, key))
        time.sleep(0.2)  # a phone sends no more than five batches a second
    kept = spent["page"] / (ROUNDS * N_PHONES)
    note = f"{N_PHONES} phones, {N_TAPPING} of them tapping, {ROUNDS} rounds; processor time a request"
    return [
        Row("poll without news", "kept leaderboard", spent["poll"] / (ROUNDS * N_PHONES), kept, 0.5, note),
        Row("one tap sent", "kept leaderboard", spent["tap"] / (ROUNDS * N_TAPPING), kept, note=note),
    ]


def projection() -> Row:
    """Measure the projection of a thousand actions beside reading them from JSON."""
    from live.engine.project import project_raw

    draw = random.Random(1)
    raws = []
    for i in range(N_ACTIONS):
        kind, body = "enter", {"name": f"Player {i}"}
        if i >= N_ACTIONS // 2:
            kind, body = "out", {"groups": [[f"a{draw.randrange(N_ACTIONS // 2)}"]]}
        raws.append(
            {"id": f"a{i}", "device": "d", "counter": i + 1, "kind": kind, "body": body, "at_ms": i * 3_000}
        )
    text = json.dumps(raws)
    note = f"{N_ACTIONS:,} actions, best of 5; the goal is at most 30 times the time of reading them"
    return Row(
        "project a night",
        "read its JSON",
        best_of(lambda: project_raw(raws)),
        best_of(lambda: json.loads(text)),
        1 / 30,
        note,
    )
