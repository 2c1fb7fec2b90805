"""The application that the web server runs receives a body whole, or refuses it, before a thread works on it."""

import asyncio
import threading
from urllib.parse import urlencode

import pytest
from django.http import StreamingHttpResponse

from league import asgi
from league.asgi import Site

TOKEN = "t" * 32
FORM = urlencode({"csrfmiddlewaretoken": TOKEN}).encode()
TYPE = (b"content-type", b"application/x-www-form-urlencoded")
COOKIE = (b"cookie", f"csrftoken={TOKEN}".encode())
LENGTH = (b"content-length", str(len(FORM)).encode())
CHUNKED = (b"transfer-encoding", b"chunked")


@pytest.fixture(scope="module")
def site():
    return Site()


def ask(site, *parts, method="POST", path="/theme/dark/", headers=(), query=b"", rest="end"):
    """Send a request whose body arrives in parts; `rest` is what follows: the end, nothing or a disconnect."""
    scope = {
        "type": "http", "method": method, "path": path, "query_string": query, "client": ("203.0.113.9", 50_000),
        "headers": [(b"host", b"localhost"), *headers],
    }  # fmt: skip
    waiting = [
        {"type": "http.request", "body": part, "more_body": rest != "end" or n < len(parts)}
        for n, part in enumerate(parts or (b"",), 1)
    ]
    waiting += [{"type": "http.disconnect"}] if rest == "disconnect" else []
    sent = []

    async def receive():
        if not waiting:
            await asyncio.sleep(60)
        return waiting.pop(0)

    async def send(message):
        sent.append(message)

    asyncio.run(site(scope, receive, send))
    assert site.n_held == 0
    return (sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]) if sent else None


def test_a_page_is_answered_with_its_headers_and_cookies(site):
    status, headers, _body = ask(site, method="GET")
    assert (status, headers[b"Location"]) == (302, b"/")
    assert headers[b"Set-Cookie"].startswith(b"theme=dark;")


def test_a_form_is_read_with_and_without_its_length(site):
    """A form with its token passes the check of tokens, which reads it; then this address refuses the method."""
    assert ask(site, headers=[TYPE, COOKIE])[0] == 403
    for length in (LENGTH, CHUNKED):
        assert ask(site, FORM[:9], FORM[9:], headers=[TYPE, COOKIE, length])[0] == 405


def test_a_query_that_is_no_text_is_refused(site):
    assert ask(site, method="GET", query=b"q=\xff")[0] == 400


def test_a_body_that_declares_too_much_is_refused_unread(site, settings):
    """Nothing arrives, and the request is answered."""
    length = (b"content-length", str(settings.MAX_BODY_SIZE + 1).encode())
    for kind in (TYPE, (b"content-type", b"multipart/form-data; boundary=x")):
        status, _headers, body = ask(site, b"", headers=[kind, COOKIE, length], rest="nothing")
        assert (status, b"The site could not read what you sent" in body) == (413, True)


def test_a_body_that_becomes_too_long_is_refused(site, settings):
    settings.MAX_BODY_SIZE = 1_000
    assert ask(site, b"x" * 1_000, headers=[TYPE, COOKIE, CHUNKED])[0] == 403
    status, _headers, body = ask(
        site, b"x" * 500, b"x" * 501, headers=[TYPE, COOKIE, CHUNKED], rest="nothing"
    )
    assert (status, b"The site could not read what you sent" in body) == (413, True)


def test_a_body_that_does_not_arrive_is_refused(site, monkeypatch):
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.01)
    assert ask(site, b"x", headers=[CHUNKED], rest="nothing")[0] == 408


def test_when_the_memory_is_full_only_small_bodies_are_received(site, monkeypatch):
    monkeypatch.setattr(asgi, "MOST_HELD", 10)
    monkeypatch.setattr(asgi, "SMALL_BODY", 100)
    assert ask(site, FORM, headers=[TYPE, COOKIE, CHUNKED])[0] == 405
    assert ask(site, b"x" * 101, headers=[TYPE, COOKIE, CHUNKED])[0] == 503


def test_a_sender_who_goes_is_forgotten(site):
    n_threads = threading.active_count()
    assert ask(site, b"x" * 100, headers=[CHUNKED], rest="disconnect") is None
    assert threading.active_count() == n_threads


class Parts:
    """A view whose answer is sent in parts; it notes how its iterator ended."""

    def __init__(self, n):
        self.n, self.n_drawn, self.is_closed = n, 0, False

    def __call__(self, _request):
        return StreamingHttpResponse(self.parts(), content_type="text/event-stream")

    async def parts(self):
        try:
            for number in range(self.n):
                self.n_drawn += 1
                yield f"{number};"
                await asyncio.sleep(0)
        finally:
            self.is_closed = True


def sent_by(site, view, monkeypatch, *, is_gone_after=None):
    """Ask for an answer in parts; return the messages that were sent until the reader was gone."""
    monkeypatch.setattr(site, "get_response", view)
    scope = {
        "type": "http", "method": "GET", "path": "/", "query_string": b"", "client": ("203.0.113.9", 50_000),
        "headers": [(b"host", b"localhost")],
    }  # fmt: skip
    sent, gone = [], asyncio.Event()

    async def receive():
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)
        if len(sent) == is_gone_after:
            gone.set()

    asyncio.run(site(scope, receive, send))
    return sent


def test_an_answer_of_an_asynchronous_iterator_is_sent_in_parts(site, monkeypatch):
    view = Parts(3)
    start, *parts = sent_by(site, view, monkeypatch)
    assert (start["status"], dict(start["headers"])[b"Content-Type"]) == (200, b"text/event-stream")
    assert [part["body"] for part in parts] == [b"0;", b"1;", b"2;", b""]
    assert [part["more_body"] for part in parts] == [True, True, True, False]
    assert view.is_closed


def test_an_answer_in_parts_ends_when_its_reader_is_gone(site, monkeypatch):
    view = Parts(100_000)
    sent_by(site, view, monkeypatch, is_gone_after=5)
    assert view.is_closed
    assert view.n_drawn < 100


def test_a_file_is_sent_whole(site, monkeypatch):
    def view(_request):
        return StreamingHttpResponse(iter(["a", "b"]))

    _start, *parts = sent_by(site, view, monkeypatch)
    assert [(part["body"], part["more_body"]) for part in parts] == [(b"ab", False)]
