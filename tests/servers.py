"""Find what the tests need beside Python packages, and start private servers on free ports."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

MAC_BROWSERS = ("Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome")


def find(program: str) -> str | None:
    """Find a program in the path, or the newest one where Debian keeps those of PostgreSQL's server."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), key=lambda p: int(p.parts[4]))
    return str(debian[-1]) if debian else shutil.which(program)


def find_browser() -> str | None:
    """Find Chromium: the one that TEST_BROWSER names, its build without windows, or the usual one."""
    named = [os.environ.get("TEST_BROWSER", "")]
    named += ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    found = next(filter(None, map(shutil.which, named)), None)
    of_mac = (str(path) for name in MAC_BROWSERS if (path := Path("/Applications") / name).exists())
    return found or next(of_mac, None)


def has_japanese_font() -> bool:
    """Tell whether widths of Japanese pages can be tested; macOS has a font for them."""
    listing = shutil.which("fc-list")
    has_font = listing and subprocess.run([listing, ":lang=ja"], check=True, capture_output=True).stdout
    return sys.platform == "darwin" or bool(has_font)


@dataclass(frozen=True)
class Need:
    """Describe something that some tests need: how it is found, and how to have it."""

    title: str
    is_there: Callable[[], object]
    packages: str = ""  # of Debian
    brew: str = ""
    instead: str = ""  # what does as well

    def how_to_have_it(self) -> str:
        is_mac = sys.platform == "darwin"
        command = f"brew install {self.brew}" if is_mac else f"apt-get install {self.packages}"
        return ", or ".join(filter(None, [command if self.packages else "", self.instead]))


# By the names that WITHOUT takes.
NEEDS = {
    "postgresql": Need(
        "PostgreSQL",
        lambda: os.environ.get("TEST_DATABASE_URL") or find("initdb"),
        "postgresql",
        "postgresql",
        "set TEST_DATABASE_URL=postgres://USER:PASSWORD@HOST/NAME of a user who may create databases",
    ),
    "redis": Need(
        "Redis",
        lambda: os.environ.get("TEST_REDIS_URL") or find("redis-server"),
        "redis-server",
        "redis",
        "set TEST_REDIS_URL=redis://HOST:PORT/NUMBER of an empty database",
    ),
    "browser": Need(
        "Chromium and a Japanese font",
        lambda: find_browser() and has_japanese_font(),
        "chromium-headless-shell fontconfig fonts-noto-cjk",
        "--cask chromium",
        "set TEST_BROWSER to the path of Chromium",
    ),
    "node": Need("Node with npm", lambda: shutil.which("npm"), "npm", "node"),
    "gettext": Need("gettext", lambda: shutil.which("xgettext"), "gettext", "gettext"),
    "compare": Need(
        "The packages for comparison",
        lambda: all(map(find_spec, ("eval7", "phevaluator", "trueskill"))),
        instead="make setup-compare",
    ),
}


def missing(names: set[str]) -> set[str]:
    """Return which needs are not met, after installing Debian's packages where we are root."""
    absent = {name for name in names if not NEEDS[name].is_there()}
    packages = [package for name in sorted(absent) for package in NEEDS[name].packages.split()]
    if packages and os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        install = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
        for command in (["apt-get", "update", "-qq"], install):
            subprocess.run(command, check=False, env=environment, stdout=subprocess.DEVNULL)
    return {name for name in absent if not NEEDS[name].is_there()}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"nothing answers on port {port}")


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
        command += ["--dir", str(self.folder), "--save", "", "--loglevel", "warning"]
        command += ["--appendonly", "yes", "--appendfsync", "everysec"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
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
def redis_url() -> Iterator[str]:
    """Yield the address of the Redis that TEST_REDIS_URL names, or of one of our own."""
    if url := os.environ.get("TEST_REDIS_URL"):
        yield url
        return
    with redis_server() as server:
        yield server.url


# Nobody needs this server after a crash. Tests roll their rows back: statistics would tell the planner of tables without
# rows, for which it loops over others as often as there are rows.
POSTGRESQL_OPTIONS = {
    "max_connections": "200", "jit": "off", "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
    "autovacuum": "off",
}  # fmt: skip


@contextmanager
def postgresql_url() -> Iterator[str]:
    """Yield the address of a database on the server that TEST_DATABASE_URL names, or on one of our own."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield url
        return
    with postgresql_server() as url:
        yield url


@contextmanager
def postgresql_server(*, superuser: str = "tierboard", over_network: str = "trust") -> Iterator[str]:
    """Start a PostgreSQL of its own; yield the address of an empty database of the superuser."""
    folder = Path(tempfile.mkdtemp(prefix="tierboard-postgresql-"))
    # PostgreSQL does not run as root; Debian's package has made a user for it.
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    port, data, name = free_port(), str(folder / "data"), "tierboard_tests"
    locale = (
        "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"
    )  # with it, É and é are one letter in a search

    def command(program: str, *arguments: str) -> list[str]:
        return [find(program) or program, *arguments]

    initdb = command(
        "initdb",
        "-D",
        data,
        "-U",
        superuser,
        "--auth-local=trust",
        f"--auth-host={over_network}",
        "-E",
        "UTF8",
        f"--locale={locale}",
        "--no-sync",
    )
    subprocess.run(initdb, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL)
    options = [part for name, value in POSTGRESQL_OPTIONS.items() for part in ("-c", f"{name}={value}")]
    start = command("postgres", "-D", data, "-p", str(port), "-k", str(folder), "-h", "127.0.0.1", *options)
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(start, user=user, cwd=folder, stdout=log, stderr=log)
    try:
        wait_for_port(port)
        createdb = command("createdb", "-h", str(folder), "-p", str(port), "-U", superuser, name)
        subprocess.run(createdb, check=True, user=user, cwd=folder)
        # Through its socket, a statement takes two thirds of the time that it takes through TCP.
        yield f"postgres://{superuser}@{quote(str(folder), safe='')}:{port}/{name}"
    finally:
        server.send_signal(signal.SIGINT)  # a fast shutdown; as our child, its processor time is counted
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)
