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
from django.core.management import BaseCommand, CommandError, call_command

from league.models import Club
from processes.supervisor import Child, Supervisor, children
from processes.watchdog import is_stuck

NAMES = ("web", "worker", "beat")
LOGIN_FILE = "demo_login"


class Command(BaseCommand):
    help = "Runs web server, worker and beat under one supervisor; with names, only those."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", choices=[[], *NAMES], metavar="web|worker|beat")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *_args: Any, names: list[str], host: str, port: int, **_options: Any) -> None:
        if "web" in (names or NAMES):
            self._require_free(host, port)
        if not settings.PRODUCTION:
            self._prepare()
        if "web" in (names or NAMES):
            threading.Thread(target=self._announce, args=(f"http://{host}:{port}/",), daemon=True).start()
        supervised = children(names or NAMES, host=host, port=port)
        Supervisor(supervised, is_stuck=is_stuck, rescue=rescue()).run()

    def _require_free(self, host: str, port: int) -> None:
        with socket.socket() as probe:
            if probe.connect_ex((host, port)) == 0:
                raise CommandError(
                    f"port {port} is taken: stop the other program, or take another one: make run PORT={port + 1}"
                )

    def _prepare(self) -> None:
        """Set up database and static files, and on the first start the demo club."""
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        if not Club.objects.exists():
            # In a process of its own, since the rating libraries would stay in this one's memory.
            _manage("load_demo")

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
    return Child("rescue", [sys.executable, str(settings.BASE_DIR / "manage.py"), "recompute", "--stale"])


def _manage(*arguments: str) -> None:
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, cwd=settings.BASE_DIR, check=False, timeout=600)  # noqa: S603  our own command
