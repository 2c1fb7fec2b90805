"""Broker, worker and beat: whether messages are carried, run and sent."""

import time

from django.conf import settings
from kombu.exceptions import OperationalError

from league.site.heartbeat import Heartbeat, last_heartbeat
from processes.doctor.findings import Finding, Findings, attention, first_line, moment, ok, wrong
from processes.queues import read_queue
from standings.queries import stale_pools
from standings.recomputation.locks import pool_lock

SILENT_SECONDS = 3 * settings.HEARTBEAT_SECONDS
MOST_WAITING = 1_000
START = "Start it (docs/operations.md): docker compose up --detach, or make run."


def check_broker() -> Findings:
    try:
        queue = read_queue()
    except (OperationalError, OSError) as error:
        yield wrong(
            "broker",
            f"It does not answer: {first_line(error)}",
            "Start it, and compare BROKER_URL. Meanwhile the watchdog of each worker computes what waits.",
        )
        return
    if queue.n_waiting > MOST_WAITING or time.time() - queue.oldest_at > SILENT_SECONDS:
        yield attention(
            "broker",
            f"It answers; {queue.n_waiting} messages wait, the oldest since {moment(queue.oldest_at)}.",
            "Look at the line of the worker. One that computes a large league takes messages afterwards.",
        )
    else:
        yield ok("broker", f"It answers; {queue.n_waiting} messages wait.")


def check_beat() -> Findings:
    """Check that beat has sent a message lately, whether or not a worker has run it."""
    sent_at = max((last_heartbeat() or Heartbeat(0.0, 0.0)).sent_at, _newest_message())
    if time.time() - sent_at <= SILENT_SECONDS:
        yield ok("beat", f"It sent its last message at {moment(sent_at)}.")
    else:
        since = f"nothing since {moment(sent_at)}" if sent_at else "nothing yet"
        yield wrong("beat", f"It has sent {since}: what is lost or expired stays.", START)


def check_worker() -> Findings:
    yield _worker(last_heartbeat(), is_sent=time.time() - _newest_message() <= SILENT_SECONDS)


def _worker(last: Heartbeat | None, *, is_sent: bool) -> Finding:
    if last and time.time() - last.ran_at <= SILENT_SECONDS:
        return ok("worker", f"It ran its last message at {moment(last.ran_at)}.")
    if _is_computing():
        return ok("worker", "It computes ratings.")
    found = f"It has run nothing since {moment(last.ran_at)}." if last else "It has run nothing yet."
    if is_sent:
        return wrong("worker", found, START)
    return attention("worker", f"{found} But nothing was sent to it.", "Start beat first, and look again.")


def _newest_message() -> float:
    try:
        return read_queue().newest_at
    except (OperationalError, OSError):  # the line of the broker says so
        return 0.0


def _is_computing() -> bool:
    """Tell whether a process holds the lock of a pool that waits."""
    for pool_id in stale_pools().values_list("pk", flat=True):
        with pool_lock(pool_id, wait_seconds=0) as is_free:
            if not is_free:
                return True
    return False
