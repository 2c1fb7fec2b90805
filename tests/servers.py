"""Private servers for the tests: PostgreSQL and Redis on free ports, in folders that go when they stop."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

PACKAGES = {
    "initdb": "postgresql",
    "redis-server": "redis-server",
    "xgettext": "gettext",
}


def find(program: str) -> str | None:
    """The newest of a server's programs: Debian keeps PostgreSQL's out of the path, by version."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), key=lambda p: int(p.parts[4]))
    return str(debian[-1]) if debian else shutil.which(program)


def find_browser() -> str | None:
    """Find Chromium: its build without windows, which draws the same pages with a third less work, or the usual one."""
    return find("chromium-headless-shell") or find("chromium")


def require_programs() -> None:
    """Install what is missing where that is possible; otherwise say the one line to run, and fail."""
    packages = [package for program, package in PACKAGES.items() if not find(program)]
    packages += [] if find_browser() else ["chromium-headless-shell"]
    if sys.platform != "darwin" and not has_japanese_font():
        packages += ["fontconfig", "fonts-noto-cjk"]  # widths of Japanese pages are tested, and looked at
    if not packages:
        return
    line = f"apt-get install --yes --no-install-recommends {' '.join(packages)}"
    if sys.platform == "darwin":
        sys.exit(
            "The tests need more programs. Run: brew install postgresql redis gettext && brew install --cask chromium"
        )
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"The tests need more programs. Run: sudo {line}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-qq"], line.split()):
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def has_japanese_font() -> bool:
    listing = shutil.which("fc-list")
    return bool(listing and subprocess.run([listing, ":lang=ja"], check=True, capture_output=True).stdout)


@dataclass
class Redis:
    """A Redis that can be killed and started again with what it had written."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = [find("redis-server") or "redis-server", "--port", str(self.port), "--bind", "127.0.0.1"]
        command += [
            "--dir",
            str(self.folder),
            "--appendonly",
            "yes",
            "--appendfsync",
            "everysec",
            "--save",
            "",
        ]
        self.process = subprocess.Popen([*command, "--loglevel", "warning"], stdout=subprocess.DEVNULL)
        wait_for_port(self.port)

    def kill(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


@contextmanager
def redis_server() -> Iterator[Redis]:
    with tempfile.TemporaryDirectory(prefix="tierboard-redis-") as folder:
        server = Redis(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()


@contextmanager
def postgresql_server() -> Iterator[str]:
    """A PostgreSQL of its own; yields the URL of an empty database."""
    folder = Path(tempfile.mkdtemp(prefix="tierboard-postgresql-"))
    # PostgreSQL does not run as root; Debian's package has made a user for it.
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    port = free_port()

    def run(program: str, *arguments: str) -> None:
        command = [find(program) or program, *arguments]
        subprocess.run(command, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL)

    data = str(folder / "data")
    run(
        "initdb", "-D", data, "-U", "tierboard", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"
    )
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=200 -c jit=off"
    # Nobody needs this server after a crash.
    options += " -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    # Tests roll their rows back: statistics would tell the planner of tables without rows, for which it loops over
    # others as often as there are rows.
    options += " -c autovacuum=off"
    try:
        run("pg_ctl", "-D", data, "-w", "-o", options, "-l", str(folder / "log"), "start")
        run("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "tierboard", "tierboard")
        # Through its socket, a statement takes two thirds of the time that it takes through TCP.
        yield f"postgres://tierboard@{quote(str(folder), safe='')}:{port}/tierboard"
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_port(port: int, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"nothing answers on port {port}")
