"""A night of three phones while web server and worker are killed: `python -m tests.storm.night [--kills N]`.

The phones are threads that speak the protocol over HTTP, keep what is not answered for, and lose a part of the replies. At
the end the night is published and computed. The last line printed is the account in JSON. VAR_DIR and DATABASE_URL name
an empty folder and database.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from contextlib import contextmanager, suppress

import django

from tests.servers import free_port, redis_server
from tests.storm.driver import SETTLE_SECONDS, settle

PACE_SECONDS = 0.2
TIMEOUT_SECONDS = 5
N_PLAYERS = 16
LOST = 0.3  # of the replies
DONE = {"in", "again", "held"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--redis", action="store_true")
    parser.add_argument("--supervise", type=int, metavar="PORT")
    options = parser.parse_args()
    if options.supervise:
        supervise(options.supervise)
        return
    os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
    if not options.redis:
        os.environ["BROKER_URL"] = "embedded://localhost"
        django.setup()
        account = storm(options.kills)
    else:
        with redis_server() as redis:
            os.environ["BROKER_URL"] = redis.url
            django.setup()
            account = storm(options.kills)
    sys.stdout.write(json.dumps(account) + "\n")


def supervise(port: int) -> None:
    """Run web server, worker and beat under the site's own supervisor."""
    from processes.serve import rescue
    from processes.supervisor import Supervisor, children
    from processes.watchdog import is_stuck

    supervised = children(["web", "worker", "beat"], host="127.0.0.1", port=port)
    Supervisor(supervised, is_stuck=is_stuck, rescue=rescue()).run()


@contextmanager
def site(port: int):
    command = [sys.executable, "-m", "tests.storm.night", "--supervise", str(port)]
    process = subprocess.Popen(command, stdout=sys.stderr)
    try:
        wait_until_it_answers(port)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(120)


def wait_until_it_answers(port: int) -> None:
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        with (
            suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT_SECONDS),
        ):
            return
        time.sleep(PACE_SECONDS)
    raise TimeoutError("the site does not answer")


class Killer(threading.Thread):
    """Kills a process of the site after the other, web server and workers in turn, until it has killed enough."""

    def __init__(self, supervisor_pid: int, n: int) -> None:
        super().__init__(daemon=True)
        self.supervisor_pid, self.n, self.killed = supervisor_pid, n, Counter()

    def run(self) -> None:
        names = ["web", "worker"]
        while self.killed.total() < self.n:
            name = names[self.killed.total() % 2]
            for pid in children_of(self.supervisor_pid, "granian" if name == "web" else "celery"):
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(pid, signal.SIGKILL)
                    self.killed[name] += 1
                break
            time.sleep(1.0)


def children_of(parent: int, word: str) -> list[int]:
    """Find the children of a process whose command line has a word."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    )
    rows = (line.split(None, 2) for line in listed.stdout.splitlines())
    return [int(pid) for pid, ppid, args in rows if int(ppid) == parent and word in args]


class Phone(threading.Thread):
    """Taps at its pace, sends what it has, and takes nothing out of its queue that is not answered for."""

    def __init__(self, port: int, night_id: int, key: str, taps: list[tuple[str, dict]]) -> None:
        super().__init__(daemon=True)
        self.url, self.key = f"http://127.0.0.1:{port}/live/{night_id}/log", key
        self.taps, self.queue, self.tapped = taps, [], []
        self.rng = random.Random(key)
        self.n_failed = self.n_lost = 0

    def run(self) -> None:
        for kind, body in self.taps:
            self.tap(kind, body)
            self.send()
            time.sleep(PACE_SECONDS)
        deadline = time.monotonic() + SETTLE_SECONDS
        while self.queue and time.monotonic() < deadline:
            self.send()
            time.sleep(PACE_SECONDS)

    def tap(self, kind: str, body: dict) -> None:
        name = body.pop("own_id", None) or str(uuid.uuid4())
        counter = len(self.tapped) + 1
        self.tapped.append(name)
        tap_ms = int(time.time() * 1000)
        self.queue.append(
            {"id": name, "counter": counter, "kind": kind, "body": body, "tap_ms": tap_ms, "offset_ms": 0}
        )

    def send(self) -> None:
        body = {"sent_wall": int(time.time() * 1000), "seen": 0, "actions": self.queue[:50]}
        headers = {"X-Device-Key": self.key, "Content-Type": "application/json"}
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
                told = json.load(answer)
        except (OSError, ValueError):
            self.n_failed += 1
            return
        if self.rng.random() < LOST:
            self.n_lost += 1
            return
        done = {reply["id"] for reply in told["replies"] if reply["status"] in DONE}
        self.queue = [action for action in self.queue if action["id"] not in done]


def storm(n_kills: int) -> dict[str, object]:
    from django.utils import timezone

    from league.models import Membership
    from league.models import Role as ClubRole
    from live.models import Role
    from live.services.passes import join, join_as, secret_of
    from live.services.publishing import publish
    from live.stored_log import state_of
    from tests.live.nights import LiveNight
    from tests.storm.leagues import open_leagues
    from tests.storm.rows import wrong_leagues

    (season,) = open_leagues(1)
    live = LiveNight(season)
    night, port = live.night, free_port()
    Membership.objects.create(club=season.club, user=live.actor, role=ClubRole.HELPER)
    secret = secret_of(night.passes.get(role=Role.HELPER))
    keys = [join_as(night, live.actor, name="desk")[1]]
    keys += [join(secret, name=name, now=timezone.now())[1] for name in ("door", "bar")]
    with site(port) as pid:
        killer = Killer(pid, n_kills)
        killer.start()
        phones = [Phone(port, night.pk, key, taps) for key, taps in zip(keys, evening(n_kills), strict=True)]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join()
        killer.join()
        night.refresh_from_db()
        state = state_of(night)
        arguments = {"answers": {}, "head": night.head, "actor": live.actor}
        event = publish(night, season, **arguments)
        assert publish(night, season, **arguments) == event
        settled = settle(SETTLE_SECONDS)
    logged = list(night.actions.values_list("name", flat=True))
    tapped = [name for phone in phones for name in phone.tapped]
    return {
        "kills": dict(killer.killed),
        "taps": len(tapped),
        "failed": sum(phone.n_failed for phone in phones),
        "replies_lost": sum(phone.n_lost for phone in phones),
        "queued": sum(len(phone.queue) for phone in phones),
        "held": night.held.count(),
        "missing": len(set(tapped) - set(logged)),
        "twice": len(logged) - len(set(logged)),
        "seqs_are_whole": sorted(night.actions.values_list("seq", flat=True))
        == list(range(1, night.head + 1)),
        "order_is_right": [each.entries for each in state.exits] == [[f"p{i}"] for i in range(1, N_PLAYERS)],
        "entries": event.entries.count(),
        "settle_seconds": round(settled, 1),
        "wrong": wrong_leagues(),
    }


def evening(n_kills: int) -> list[list[tuple[str, dict]]]:
    """Make the taps of three phones: the desk has all players in and out, with as many notes as the kills last."""
    n_notes = 4 * n_kills
    notes = [[("note", {"text": f"{name} {i}"}) for i in range(n_notes)] for name in ("desk", "door", "bar")]
    entries = [("enter", {"own_id": f"p{i}", "name": f"Player {i}"}) for i in range(N_PLAYERS)]
    exits = [("out", {"groups": [[f"p{i}"]]}) for i in range(1, N_PLAYERS)]
    third = len(notes[0]) // 2
    return [[*entries, *notes[0][:third], *exits, *notes[0][third:]], notes[1], notes[2]]


if __name__ == "__main__":
    main()
