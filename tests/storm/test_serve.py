"""`manage.py serve`: what it runs, and what it prints."""

import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.conf import settings

from processes import serve
from tests.servers import free_port


@pytest.fixture
def run(monkeypatch):
    """Run the command; return the supervisor that it would run."""
    monkeypatch.setattr(serve, "_announce", lambda *_: None)
    ran = []
    monkeypatch.setattr(serve.Supervisor, "run", lambda supervisor: ran.append(supervisor) or 0)

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            serve.main(arguments)
        assert ended.value.code == 0
        return ran.pop()

    return run


def test_web_and_a_worker_with_beat_run_after_the_preparation(run):
    supervisor = run("--port", str(free_port()))
    assert [child.name for child in supervisor.children] == ["web", "worker"]
    assert "--with-beat" in supervisor.children[1].command
    assert supervisor.preparation.command[1:] == [str(settings.BASE_DIR / "manage.py"), "prepare"]


def test_one_process_alone_in_production(run, monkeypatch):
    monkeypatch.setattr(serve, "PRODUCTION", True)
    supervisor = run("worker")
    assert [child.name for child in supervisor.children] == ["worker"]
    assert "--with-beat" not in supervisor.children[0].command
    assert supervisor.preparation is None


def test_the_address_and_the_login_are_printed_once_the_site_answers(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(serve, "VAR_DIR", tmp_path)
    (tmp_path / serve.LOGIN_FILE).write_text("demo, password secret\n")
    port = free_port()
    announcing = threading.Thread(target=serve._announce, args=("127.0.0.1", port))
    announcing.start()
    announcing.join(0.2)
    assert capsys.readouterr().out == ""
    with HTTPServer(("127.0.0.1", port), BaseHTTPRequestHandler) as site:
        site.handle_request()
    announcing.join()
    assert capsys.readouterr().out.splitlines() == [
        "",
        f"Tierboard: http://127.0.0.1:{port}/",
        "Demo organizer: demo, password secret",
        "Ctrl-C stops it.",
        "",
    ]


def test_it_starts_without_django():
    """It runs as long as the site: with Django and Celery it would take 60 MB more."""
    script = "import sys, processes.serve; print(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", script], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )
    loaded = set(shown.stdout.split())
    assert {"processes.supervisor", "processes.watchdog", "sqlite3"} <= loaded
    assert not loaded & {"celery", "asyncio", "numpy", "psycopg", "http.client", "django.db", "django.apps"}


def test_a_taken_port_is_named_with_another():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=rf"port {port} is taken: .* make run PORT={port + 1}"):
            serve.main(["--port", str(port)])
