"""The application that the web server runs receives a body whole, or refuses it, before a thread works on it."""

import asyncio
import threading
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse, StreamingHttpResponse

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


async def until(condition):
    while not condition():  # noqa: ASYNC110  the site has no event of it
        await asyncio.sleep(0.01)


class Crowd:
    """Requests for a site whose threads are all taken until `let_go`; each waits for an answer or goes."""

    def __init__(self, monkeypatch):
        self.site, self.free, self.answered = Site(), threading.Event(), []
        monkeypatch.setattr(self.site, "_answer", self._answer)

    def _answer(self, scope, _body):
        self.free.wait(30)
        self.answered.append(scope["path"])
        return HttpResponse("fine")

    async def ask(self, path, gone=None):
        sent = []

        async def receive():
            await (gone.wait() if gone else asyncio.sleep(60))
            return {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
        await self.site(scope, receive, send)
        return (sent[0]["status"], dict(sent[0]["headers"])) if sent else None

    async def taking_all_threads(self):
        busy = [asyncio.create_task(self.ask(f"/{n}")) for n in range(asgi.N_THREADS)]
        await until(self.site.lane.turns.locked)
        return busy


def test_what_nobody_waits_for_any_more_is_not_computed(monkeypatch):
    """Finding H2: 240 requests whose senders had gone were all computed, for minutes."""
    crowd, n_gone = Crowd(monkeypatch), 20

    async def run():
        busy, gone = await crowd.taking_all_threads(), asyncio.Event()
        left = [asyncio.create_task(crowd.ask(f"/gone/{n}", gone)) for n in range(n_gone)]
        stays = asyncio.create_task(crowd.ask("/stays"))
        await until(lambda: crowd.site.lane.n_waiting == n_gone + 1)
        gone.set()
        assert await asyncio.gather(*left) == [None] * n_gone
        crowd.free.set()
        return [answer[0] for answer in await asyncio.gather(*busy, stays)]

    assert asyncio.run(run()) == [200] * (asgi.N_THREADS + 1)
    assert sorted(crowd.answered) == [*(f"/{n}" for n in range(asgi.N_THREADS)), "/stays"]
    assert crowd.site.lane.n_waiting == 0


def test_a_queue_that_is_full_says_when_to_come_back(monkeypatch):
    monkeypatch.setattr(asgi, "MOST_WAITING", 3)
    crowd = Crowd(monkeypatch)

    async def run():
        busy = await crowd.taking_all_threads()
        waiting = [asyncio.create_task(crowd.ask("/waits")) for _n in range(3)]
        await until(lambda: crowd.site.lane.n_waiting == 3)
        status, headers = await crowd.ask("/late")
        crowd.free.set()
        await asyncio.gather(*busy, *waiting)
        return status, headers[b"Retry-After"]

    assert asyncio.run(run()) == (503, str(asgi.RETRY_SECONDS).encode())
    assert "/late" not in crowd.answered
    assert len(crowd.answered) == asgi.N_THREADS + 3


def test_what_is_refused_without_a_thread_has_the_headers_of_pages(monkeypatch, settings):
    settings.SECURE_HSTS_SECONDS = 60
    monkeypatch.setattr(asgi, "MOST_WAITING", 0)
    crowd = Crowd(monkeypatch)

    async def run():
        busy = await crowd.taking_all_threads()
        status, headers = await crowd.ask("/late")
        crowd.free.set()
        await asyncio.gather(*busy)
        return status, headers

    status, headers = asyncio.run(run())
    assert status == 503
    assert headers[b"X-Content-Type-Options"] == b"nosniff"
    assert b"frame-ancestors 'none'" in headers[b"Content-Security-Policy"]
    assert headers[b"Content-Type"] == b"text/plain; charset=utf-8"
    assert headers[b"Strict-Transport-Security"].startswith(b"max-age=60")


def test_nobody_waits_without_end(monkeypatch):
    monkeypatch.setattr(asgi, "WAIT_SECONDS", 0.05)
    crowd = Crowd(monkeypatch)

    async def run():
        busy = await crowd.taking_all_threads()
        status, _headers = await crowd.ask("/waits")
        crowd.free.set()
        await asyncio.gather(*busy)
        return status

    assert asyncio.run(run()) == 503
    assert "/waits" not in crowd.answered
