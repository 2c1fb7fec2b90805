"""The web server as `serve` and the image start it stays open while others send slowly or too much."""

import os
import shutil
import socket
import subprocess
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest

from processes.supervisor import children
from tests.production.compose import command_of
from tests.production.conftest import ROOT
from tests.releases import RELEASES
from tests.servers import free_port, wait_for_port

N_SLOW = 50
SECONDS = 5.0  # a slow machine's allowance; it takes about 5 ms
POST = "POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n"
FORM, FILE = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """Run the web server; its temporary folder and its port."""
    folder = tmp_path_factory.mktemp("web")
    (folder / "tmp").mkdir()
    port = free_port()
    (child,) = children(["web"], host="127.0.0.1", port=port)
    shutil.copy(max(RELEASES.iterdir()) / "tierboard.sqlite3", folder / "site.sqlite3")
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "VAR_DIR": str(folder / "var"),
        "DATABASE_URL": f"sqlite:///{folder}/site.sqlite3",
        "TMPDIR": str(folder / "tmp"),
    }
    process = subprocess.Popen(child.command, cwd=ROOT, env=environment)
    wait_for_port(port)
    yield folder / "tmp", port
    process.terminate()
    process.wait(30)


@contextmanager
def sending(port, text):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(text.encode())
        yield connection


def assert_healthy(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=SECONDS) as answer:
        assert answer.read() == b"ok"


def test_slow_bodies_and_slow_headers_keep_nobody_waiting(web):
    _folder, port = web
    assert_healthy(port)
    with ExitStack() as slow:
        for number in range(N_SLOW):
            started = (POST.format(FORM if number % 2 else FILE, 90_000) + "a=", POST[:30])[number % 5 == 0]
            slow.enter_context(sending(port, started))
        assert_healthy(port)


@pytest.mark.parametrize("kind", [FORM, FILE])
def test_200_mb_are_refused_before_they_arrive_and_nothing_is_written(web, kind):
    folder, port = web
    with sending(port, POST.format(kind, 200_000_000)) as connection:
        # The server closes the connection after its answer.
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"The site could not read what you sent" in answer
    assert list(folder.iterdir()) == []


def test_a_file_is_not_written_to_the_temporary_folder(web):
    folder, port = web
    body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n' + "x" * 5_000_000
    with sending(port, POST.format(FILE, len(body)) + body) as connection:
        # All of it has been received, and is refused because it has no token.
        assert connection.recv(65_536).startswith(b"HTTP/1.1 403 ")
    assert list(folder.iterdir()) == []


def test_the_image_starts_the_same_server():
    (child,) = children(["web"], host="0.0.0.0", port=8000)
    ours, image = child.command[2:], command_of("web", 8000)[1:]
    assert set(image[:-1]) >= set(ours[1:-1]) - {"1"}
    # The supervisor's server also waits until the database is set up, which production does before.
    assert (image[-1], ours[-1]) == ("league.asgi:application", "processes.web:application")
