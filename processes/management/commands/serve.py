"""`make run`: the whole site on one machine, with nothing else installed."""

import argparse
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from processes.supervisor import Child, Supervisor, children
from processes.watchdog import is_stuck

NAMES = ("web", "worker")
LOGIN_FILE = "demo_login"


class Command(BaseCommand):
    help = (
        "Runs the web server, and a worker with beat inside it, under one supervisor; with names, only those."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", choices=[[], *NAMES, "beat"], metavar="web|worker|beat")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *_args: Any, names: list[str], host: str, port: int, **_options: Any) -> None:
        if "web" in (names or NAMES):
            self._require_free(host, port)
        if not settings.PRODUCTION:
            prepare()
        if "web" in (names or NAMES):
            threading.Thread(target=self._announce, args=(f"http://{host}:{port}/",), daemon=True).start()
        # Without names there is one worker, and beat runs inside it: a process of its own would take 75 MB.
        supervised = children(names or NAMES, host=host, port=port, with_beat=not names)
        Supervisor(supervised, is_stuck=is_stuck, rescue=rescue()).run()

    def _require_free(self, host: str, port: int) -> None:
        with socket.socket() as probe:
            if probe.connect_ex((host, port)) == 0:
                raise CommandError(
                    f"port {port} is taken: stop the other program, or take another one: make run PORT={port + 1}"
                )

    def _announce(self, url: str) -> None:
        for _attempt in range(600):
            try:
                with urllib.request.urlopen(f"{url}healthz", timeout=2):  # noqa: S310  our own address
                    break
            except OSError:
                time.sleep(0.1)
        self.stdout.write(f"\nTierboard: {url}\n")
        login = Path(settings.VAR_DIR) / LOGIN_FILE
        if login.exists():
            self.stdout.write(f"Demo organizer: {login.read_text(encoding='utf-8').strip()}\n")
        self.stdout.write("Ctrl-C stops it.\n\n")


def rescue() -> Child:
    """The process that recomputes without the broker, started when the worker makes no progress."""
    return Child("rescue", _manage("recompute", "--stale"))


def prepare() -> None:
    """Set up database and static files side by side.

    Both are processes of their own: the supervisor would keep the memory of all that they load.
    """
    commands = [_manage("prepare"), _manage("collectstatic", "--no-input", "--verbosity", "0")]
    processes = [subprocess.Popen(command) for command in commands]  # noqa: S603  our own commands
    statuses = [process.wait() for process in processes]
    if any(statuses):
        raise CommandError("database and static files could not be set up, see above")


def _manage(*arguments: str) -> list[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
