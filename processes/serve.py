"""`manage.py serve`: the whole site on one machine, with nothing else installed.

This process runs as long as the site. It loads no Django app, which would take 60 MB.
"""

import argparse
import logging
import socket
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

from league.site.machine import BASE_DIR, LOG_FORMAT, LOG_JSON, LOG_LEVEL, PRODUCTION, VAR_DIR
from processes.supervisor import Child, Supervisor, children
from processes.watchdog import has_long_work, is_long_stuck, is_stuck

NAMES = ("web", "worker")
LOGIN_FILE = "demo_login"


def main(arguments: Sequence[str]) -> None:
    if LOG_JSON:
        from league.site.log_lines import JsonLine

        console = logging.StreamHandler()
        console.setFormatter(JsonLine())
        logging.basicConfig(handlers=[console], level=LOG_LEVEL)
    else:
        logging.basicConfig(format=LOG_FORMAT, style="{", level=LOG_LEVEL)
    options = _parser().parse_args(arguments)
    names, host, port = options.names or NAMES, options.host, options.port
    if "web" in names:
        _require_free(host, port)
        threading.Thread(target=_announce, args=(host, port), daemon=True).start()
    # Without names there is one worker, and beat runs inside it: a process of its own would take 75 MB.
    supervised = children(names, host=host, port=port, with_beat=not options.names)
    preparation = None if PRODUCTION else Child("preparation", manage("prepare"))
    (long,) = children(["long"], host=host, port=port) if "worker" in names else (None,)
    supervisor = Supervisor(
        supervised,
        is_stuck=is_stuck,
        rescue=rescue(),
        preparation=preparation,
        long=long,
        has_long_work=has_long_work,
        is_long_stuck=is_long_stuck,
    )
    sys.exit(supervisor.run())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manage.py serve",
        description="Runs web server and worker, with beat inside it, under one supervisor; with names, only those.",
    )
    parser.add_argument("names", nargs="*", choices=[[], *NAMES, "beat"], metavar="web|worker|beat")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    return parser


def _require_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        if probe.connect_ex((host, port)) == 0:
            sys.exit(
                f"port {port} is taken: stop the other program, or take another one: make run PORT={port + 1}"
            )


def _announce(host: str, port: int) -> None:
    """Print where the site is, once it answers."""
    while not _answers(host, port):
        time.sleep(0.1)
    lines = ["", f"Tierboard: http://{host}:{port}/"]
    login = VAR_DIR / LOGIN_FILE
    if login.exists():
        lines.append(f"Demo organizer: {login.read_text(encoding='utf-8').strip()}")
    print(*lines, "Ctrl-C stops it.", "", sep="\n", flush=True)  # noqa: T201  this is a command


def _answers(host: str, port: int) -> bool:
    """Ask for /healthz by a socket: a library would take 6 MB for this one question."""
    with suppress(OSError), socket.create_connection((host, port)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return connection.recv(100).startswith(b"HTTP/")
    return False


def rescue() -> Child:
    """Define the child process that recomputes without the broker when the worker is stuck."""
    return Child("rescue", manage("recompute", "--stale"))


def manage(*arguments: str) -> list[str]:
    return [sys.executable, str(BASE_DIR / "manage.py"), *arguments]
