"""Measure what phones of a live night cost: a poll, a tap, the projection; beside a kept page and reading JSON.

Requests pass through the whole site in one process, on SQLite, without a network; the times are those of the processor.
"""

import json
import random
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable

from bench.own_site import own_site
from bench.report import Row, best_of

N_PHONES, N_TAPPING, N_PLAYERS = 50, 3, 149  # with the site’s own, as many as a night can have
ROUNDS = 20
OK, NO_NEWS = 200, 204
N_ACTIONS = 1_000


def measure() -> list[Row]:
    with own_site():
        return [*requests(), projection()]


class Phones:
    """The devices of a night, and what each thing they do has cost: processor time of requests, and queries."""

    def __init__(self) -> None:
        from django.test import Client
        from django.utils import timezone

        from bench.leagues import fill, open_seasons
        from live.services.nights import begin_night
        from standings.recomputation.service import recompute

        (season,) = open_seasons(1)
        fill([season], n_players=16, sizes=[16] * 10, is_timed=False)
        recompute(season.pool_id)
        self.owner = season.club.memberships.get().user
        begun = {"season": season, "planned_event": None, "name": "", "setup": {}}
        self.night = begin_night(
            season.club, starts_at=timezone.now(), form_token=uuid.uuid4(), actor=self.owner, **begun
        )
        self.client = Client(headers={"accept-encoding": "gzip"})
        self.page = season.get_absolute_url()
        self.client.get(self.page)
        self.counters: Counter[str] = Counter()
        self.spent: dict[str, list[float]] = defaultdict(list)
        self.queries: dict[str, int] = {}

    def joined(self, role: str, n: int) -> list[str]:
        """Let devices join; return their keys."""
        from django.utils import timezone

        from live.services.passes import join, make_pass, secret_of

        secret = secret_of(make_pass(self.night, role=role, max_devices=n, actor=self.owner))
        return [join(secret, name=f"Phone {i}", now=timezone.now())[1] for i in range(n)]

    def read(self, path: str, after: object, key: str) -> None:
        answer = self.client.get(
            f"/live/{self.night.pk}/{path}", {"after": after}, headers={"X-Device-Key": key}
        )
        assert answer.status_code == (NO_NEWS if after else OK)

    def record(self, kind: str, body: dict[str, str], key: str) -> None:
        from live.services.nights import now_ms

        self.counters[key] += 1
        action = {"id": str(uuid.uuid4()), "counter": self.counters[key], "kind": kind, "body": body}
        action |= {"tap_ms": now_ms(), "offset_ms": 0}
        sent = json.dumps({"sent_wall": now_ms(), "seen": 9_999, "actions": [action]})
        answer = self.client.post(
            f"/live/{self.night.pk}/log", sent, content_type="application/json", headers={"X-Device-Key": key}
        )
        assert answer.json()["replies"][0]["status"] == "in"

    def measure(self, name: str, act: Callable[..., object], *arguments: object) -> None:
        """Measure an act; the first of its name is counted in queries instead."""
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        if name not in self.queries:
            with CaptureQueriesContext(connection) as captured:
                act(*arguments)
            self.queries[name] = len(captured)
            return
        begin = time.process_time()
        act(*arguments)
        self.spent[name].append(time.process_time() - begin)

    def row(self, name: str, what: str, goal: float | None = None) -> Row:
        mean = {each: sum(times) / len(times) for each, times in self.spent.items()}
        n = self.queries[name]
        queries = "1 query" if n == 1 else f"{n} queries"
        note = f"{N_PHONES} phones of helpers, {N_PLAYERS} of players; processor time a request; {queries}"
        return Row(what, "kept leaderboard", mean[name], mean["page"], goal, note)


def requests() -> list[Row]:
    """Measure what all phones of a night do, while somebody reads the kept leaderboard as often."""
    from live.services.passes import device_of
    from live.showing.face import token_of

    phones = Phones()
    helpers, players = phones.joined("helper", N_PHONES), phones.joined("player", N_PLAYERS)
    for _round in range(ROUNDS):
        for key in helpers:
            phones.measure("poll", phones.read, "log", 9_999, key)
            phones.measure("page", phones.client.get, phones.page)
        for key in helpers[:N_TAPPING]:
            phones.measure("tap", phones.record, "note", {"text": "fine"}, key)
        time.sleep(0.2)  # a phone sends no more than five batches a second
    for i, key in enumerate(players):
        phones.measure("ask", phones.record, "ask_in", {"name": f"Guest {i}"}, key)
    phones.night.refresh_from_db()
    token = token_of(phones.night, device_of(players[0]).club_version)
    for key in players:
        phones.measure("news", phones.read, "face", "", key)
        for _time in range(4):
            phones.measure("look", phones.read, "face", token, key)
            phones.measure("page", phones.client.get, phones.page)
    return [
        phones.row("poll", "poll without news", 0.5),
        phones.row("tap", "one tap sent"),
        phones.row("ask", "a player asks to come in"),
        phones.row("look", "poll of a player without news", 0.5),
        phones.row("news", "poll of a player with news"),
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
