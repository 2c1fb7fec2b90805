"""Messages to a webhook while its receiver, the worker and Redis are killed: `python -m tests.storm.deliveries`.

Results are entered and corrected, so that each makes two messages. The last line printed is the account in JSON. VAR_DIR and
DATABASE_URL name an empty folder and database.
"""

import argparse
import hashlib
import hmac
import json
import os
import random
import signal
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from collections import Counter, defaultdict
from contextlib import ExitStack, suppress
from pathlib import Path

from tests.servers import Redis, free_port, redis_server, wait_for_port
from tests.storm.driver import supervisor
from tests.storm.killers import POLL_SECONDS, Killer, RedisKiller
from tests.storm.wire import LIFE

SETTLE_SECONDS = 600  # claims of killed workers run out after a minute, and pauses grow
PACE_SECONDS = 0.05


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--results", type=int, default=250)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--kill-redis", action="store_true")
    options = parser.parse_args()
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server()) if options.kill_redis else None
        os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
        os.environ["BROKER_URL"] = redis.url if redis else "embedded://localhost"
        os.environ["WEBHOOK_HOSTS"] = "localhost"

        import django

        django.setup()
        account = storm(redis, n_results=options.results, n_kills=options.kills)
    sys.stdout.write(json.dumps(account) + "\n")


class Receiver:
    """The receiver in a process of its own, which can be killed and started again on the same port."""

    def __init__(self, file: Path) -> None:
        self.file, self.port = file, free_port()
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.storm.receiver", str(self.port), str(self.file)]
        self.process = subprocess.Popen(command)
        wait_for_port(self.port)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class EndsKiller(Killer):
    """Kills both ends in turn: the worker some seconds after it was ready, in which it sends, and the receiver."""

    def __init__(self, folder: Path, receiver: Receiver, *, n: int) -> None:
        super().__init__(n_least=n)
        self.life, self.receiver = folder / LIFE, receiver
        self.killed: Counter[str] = Counter()
        self.rng = random.Random(5)

    def run(self) -> None:
        pid = None
        while not self.has_done(1):
            ended = pid
            while (pid := self._ready_worker()) in {None, ended}:
                if self._stop_asked.wait(POLL_SECONDS):
                    return
            if self._stop_asked.wait(self.rng.uniform(0.5, 3)):
                return
            self.receiver.kill()
            self.receiver.start()
            self.killed["receiver"] += 1
            if self._stop_asked.wait(self.rng.uniform(0.5, 3)):
                return
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.killed["worker"] += 1
            self.n_kills = self.killed.total()

    def _ready_worker(self) -> int | None:
        lines = [line.split() for line in self.life.read_text().splitlines()] if self.life.exists() else []
        return int(lines[-1][0]) if lines and [lines[-1][0], "ready"] in lines else None


def storm(redis: Redis | None, *, n_results: int, n_kills: int) -> dict[str, object]:
    from tests.factories import correct, enter
    from tests.storm.leagues import open_leagues
    from tests.storm.wire import wire
    from webhooks.models import Delivery, Kind, Target
    from webhooks.services.hooks import HookFields, make_hook

    wire.put_in()
    folder = Path(os.environ["VAR_DIR"])
    (season,) = open_leagues(1)
    receiver = Receiver(folder / "taken")
    kinds = [Kind.RESULT_PUBLISHED, Kind.RESULT_CORRECTED]
    hook = make_hook(
        season.club,
        fields=HookFields(Target.PROGRAM, "storm", f"http://localhost:{receiver.port}/", kinds),
        actor=season.club.memberships.get().user,
    )
    n_written = 0
    killer = EndsKiller(folder, receiver, n=n_kills)
    killers: list[Killer] = [killer, *([RedisKiller(redis, lambda: n_written)] if redis else [])]
    began = time.monotonic()
    with supervisor():
        for each in killers:
            each.start()
        for day in range(n_results):
            event = enter(season, "Ada\nBoris\nCleo", day=day)
            correct(event, "Boris\nAda\nCleo")
            n_written += 2
            time.sleep(PACE_SECONDS)
        for each in killers[1:]:
            each.stop()  # Redis stays away until something is written without it
        killer.join()
        deliveries = Delivery.objects.filter(hook=hook)
        while deliveries.filter(state="sent").count() < 2 * n_results and _is_early(began):
            time.sleep(POLL_SECONDS * 10)
    receiver.kill()
    return {
        "results": n_results,
        "kills": dict(killer.killed) | ({"redis": killers[1].n_kills} if redis else {}),
        "states": dict(Counter(deliveries.values_list("state", flat=True))),
        "seconds": round(time.monotonic() - began),
        **_compared(receiver.file, hook),
    }


def _is_early(began: float) -> bool:
    return time.monotonic() - began < SETTLE_SECONDS


def _compared(file: Path, hook) -> dict[str, object]:
    """Compare what the receiver has taken with the messages: ids, signatures, order by event."""
    from webhooks.models import Message

    n_unsigned = 0
    ids: Counter[str] = Counter()
    order: dict[int, list[str]] = defaultdict(list)
    for line in file.read_text().splitlines():
        headers, body = json.loads(line)
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}"
        n_unsigned += headers["webhook-signature"] != _signature(hook.secret, signed)
        told = json.loads(body)
        ids[headers["webhook-id"]] += 1
        if told["type"] not in order[told["data"]["event"]]:
            order[told["data"]["event"]].append(told["type"])
    return {
        "taken": ids.total(),
        "unsigned": n_unsigned,
        "same_ids": set(ids) == set(Message.objects.values_list("name", flat=True)),
        "out_of_order": sum(kinds != ["result.published", "result.corrected"] for kinds in order.values()),
    }


def _signature(secret: str, signed: str) -> str:
    """Sign by the words of the convention; its library refuses to verify what was sent more than five minutes ago."""
    key = b64decode(secret.removeprefix("whsec_"))
    return f"v1,{b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).decode()}"


if __name__ == "__main__":
    main()
