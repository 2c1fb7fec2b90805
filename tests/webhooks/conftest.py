import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from webhooks.models import Hook, Kind, Target
from webhooks.services.telling import begin_telling


class Receiver:
    """A program that takes messages, and answers as it is told."""

    def __init__(self):
        self.taken, self.answers = [], []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.taken.append((dict(self.headers), body))
                status, headers = receiver.answers.pop(0) if receiver.answers else (200, {})
                self.send_response(status)
                for name, value in {"Content-Length": "2", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *_told):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://localhost:{self.server.server_port}/in"

    @property
    def bodies(self):
        return [json.loads(body) for _headers, body in self.taken]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver(settings):
    settings.WEBHOOK_HOSTS = ["localhost"]
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def hook(season, receiver):
    """A hook of the club for everything, to a program of its own."""
    hook = Hook.objects.create(
        club=season.club, target=Target.PROGRAM, name="program", url=receiver.url, kinds=list(Kind.values)
    )
    begin_telling(season.club)
    return hook
