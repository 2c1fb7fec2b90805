"""The site as an ASGI application that receives the whole body of a request before a thread works on it.

Django's own handlers read a body in the thread that answers, at the pace of the sender: a few slow senders would
keep every thread. Here the event loop receives bodies, within bounds of size, time and memory.

Requests wait for a thread in a queue that is bounded by length and time, and one whose client has gone leaves it:
nobody computes what nobody reads, and a burst of requests is over when its senders are. What is dear to read waits in
a lane of its own before, and a network that has used up its processor time is told to wait (league.site.lanes).

An answer goes out whole, too. One that has to be sent in parts, over time, is a StreamingHttpResponse of an
asynchronous iterator: the event loop draws and sends its parts, and no thread waits for the reader.
"""

import asyncio
import io
import math
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import django
from django.conf import settings
from django.core import signals
from django.core.exceptions import PermissionDenied, RequestAborted, RequestDataTooBig
from django.core.handlers.asgi import ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from league.site.lanes import Budgets, Refusals, is_dear

if TYPE_CHECKING:
    from typing_extensions import TypeIs

N_THREADS = 4
BODY_SECONDS = 30.0  # a sender that takes longer is refused
MOST_HELD = 64_000_000  # bytes of all bodies together; then only small bodies are received
SMALL_BODY = 65_536
MOST_WAITING = 100  # requests for a thread; later ones are refused
MOST_DEAR = 20  # and of those that are dear to read
SHARE = 2  # one network has at most a half of those that wait
WAIT_SECONDS = 20.0  # for a thread
RETRY_SECONDS = 5

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Result = TypeVar("Result")


class NoRoom(Exception):
    """The bodies being received fill the memory that they may take."""


class Busy(Exception):
    """As many requests wait for a thread as may, or this one has waited for too long."""


class Spent(Exception):
    """The network of a request has used up its processor time; `args[0]` are the seconds until it may ask again."""


class Body(io.BytesIO):
    """The body of a request. A view that reads one that is too long is refused; other views answer as usual."""

    n_bytes = 0
    is_too_long = False

    def read(self, size: int | None = -1, /) -> bytes:
        if self.is_too_long:
            raise RequestDataTooBig("the body of the request is longer than MAX_BODY_SIZE")
        return super().read(size)


class Lane:
    """A queue for turns, bounded by length and time. Only the event loop uses it."""

    def __init__(self, n_turns: int, most_waiting: int) -> None:
        self.turns = asyncio.Semaphore(n_turns)
        self.most_waiting = most_waiting
        self.n_waiting = 0
        self.n_of_network: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, receive: Receive, network: str) -> AsyncIterator[None]:
        """Hold a turn inside the block. Raise Busy if none comes in time, RequestAborted if the client goes."""
        await self._wait(receive, network)
        try:
            yield
        finally:
            self.turns.release()

    async def _wait(self, receive: Receive, network: str) -> None:
        if not self.turns.locked():
            await self.turns.acquire()
            return
        if self.n_waiting >= self.most_waiting:
            raise Busy
        if network and self.n_of_network[network] >= self.most_waiting // SHARE:
            raise Busy
        self.n_waiting += 1
        self.n_of_network[network] += 1
        gone = asyncio.create_task(_until_gone(receive))
        try:
            async with asyncio.timeout(WAIT_SECONDS) as limit:
                await self._turn_before(gone, limit)
        except TimeoutError:
            raise (RequestAborted if gone.done() else Busy) from None
        finally:
            self.n_waiting -= 1
            self.n_of_network[network] -= 1
            if not self.n_of_network[network]:
                del self.n_of_network[network]
            gone.cancel()

    async def _turn_before(self, gone: "asyncio.Task[None]", limit: asyncio.Timeout) -> None:
        """Wait for a turn until the limit, which is at once when the client goes."""

        def end(_task: object) -> None:
            limit.reschedule(0)

        gone.add_done_callback(end)
        try:
            await self.turns.acquire()
        finally:
            gone.remove_done_callback(end)


class Site(BaseHandler):
    def __init__(self) -> None:
        super().__init__()
        self.load_middleware()
        self.threads = ThreadPoolExecutor(N_THREADS)
        self.lane = Lane(N_THREADS, MOST_WAITING)
        self.dear_lane = Lane(1, MOST_DEAR)
        self.budgets, self.refused = Budgets(), Refusals()  # only the event loop changes them
        self.n_held = 0  # bytes of all bodies; only the event loop changes it

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        body, network = Body(), _network_of(scope)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                await self._receive(body, scope, receive)
            response = await self._answer_in_turn(scope, network, body, receive)
        except RequestAborted:  # the sender has gone
            return
        except TimeoutError:
            response = _plain(408, "The request took too long to arrive.")
        except NoRoom:
            self.refused.note("no-room", network, time.monotonic())
            response = _plain(503, "Too much is being sent to the site. Please try again.")
        except Busy:
            self.refused.note("busy", network, time.monotonic())
            response = _plain(503, "The site is busy. Please try again in a moment.")
            response["Retry-After"] = str(RETRY_SECONDS)
        except Spent as error:
            response = _plain(429, "Too many pages for one network. Please wait a moment.")
            response["Retry-After"] = str(math.ceil(error.args[0]))
        finally:
            self.n_held -= body.n_bytes
        await send(_start(response))
        if _is_sent_in_parts(response):
            await self._send_parts(response, receive, send)
        else:
            await send(_part(response.content))

    async def _answer_in_turn(
        self, scope: Message, network: str, body: Body, receive: Receive
    ) -> HttpResponse | StreamingHttpResponse:
        """Answer a request in a thread when it is its turn, and note what it took on the account of its network."""
        is_read = scope["method"] in {"GET", "HEAD"}
        self._require_time(network if is_read else "")
        async with AsyncExitStack() as turns:
            if is_dear(scope["path"]):
                await turns.enter_async_context(self.dear_lane.turn(receive, network))
            await turns.enter_async_context(self.lane.turn(receive, network))
            self._require_time(network if is_read else "")  # others of the network have had theirs meanwhile
            response, seconds = await self._in_thread(self._measured, scope, body)
        if network:
            self.budgets.spend(network, seconds, time.monotonic())
        return response

    def _require_time(self, network: str) -> None:
        """Raise Spent if a network has used up its time."""
        if network and (wait := self.budgets.wait_of(network, time.monotonic())):
            self.refused.note("budget-used", network, time.monotonic())
            raise Spent(wait)

    def _measured(self, scope: Message, body: Body) -> tuple[HttpResponse | StreamingHttpResponse, float]:
        """Answer a request; measure the processor time of the thread."""
        began = time.thread_time()
        response = self._answer(scope, body)
        return response, time.thread_time() - began

    async def _in_thread(self, do: Callable[..., Result], *args: Any) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self.threads, do, *args)

    async def _send_parts(self, response: StreamingHttpResponse, receive: Receive, send: Send) -> None:
        """Send the parts of an answer until they end or the reader is gone."""

        async def send_all() -> None:
            async for part in response:
                await send(_part(part, is_last=False))
            await send(_part(b""))

        tasks = {asyncio.create_task(send_all()), asyncio.create_task(_until_gone(receive))}
        try:
            done, _pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._in_thread(response.close)

    async def _receive(self, body: Body, scope: Message, receive: Receive) -> None:
        headers = dict(scope["headers"])
        # Most requests have no body.
        is_whole = headers.keys().isdisjoint((b"content-length", b"transfer-encoding"))
        body.is_too_long = int(headers.get(b"content-length", 0)) > settings.MAX_BODY_SIZE
        while not (is_whole or body.is_too_long):
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RequestAborted
            self._hold(body, message.get("body", b""))
            is_whole = not message.get("more_body", False)
        body.seek(0)

    def _hold(self, body: Body, part: bytes) -> None:
        body.n_bytes += len(part)
        self.n_held += len(part)
        if self.n_held > MOST_HELD and body.n_bytes > SMALL_BODY:
            raise NoRoom
        body.is_too_long = body.n_bytes > settings.MAX_BODY_SIZE
        body.write(part)

    def _answer(self, scope: Message, body: Body) -> HttpResponse | StreamingHttpResponse:
        """Answer a request, in a thread, which gives its connections back when it closes what is sent at once."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=Site, scope=scope)
        response = self._response(scope, body)
        response._handler_class = Site  # type: ignore[attr-defined]  # close() sends request_finished with it
        if _is_sent_in_parts(response):
            return response
        try:
            return _whole(response)
        finally:
            response.close()

    def _response(self, scope: Message, body: Body) -> HttpResponseBase:
        try:
            request = ASGIRequest(scope, body)
        except UnicodeDecodeError:  # in the query
            return HttpResponseBadRequest()
        # A body in chunks declares no length, and Django reads only as much as is declared.
        request.META.setdefault("CONTENT_LENGTH", str(body.n_bytes))
        return self.get_response(request)


def _network_of(scope: Message) -> str:
    """Find the network that asks; "" if it cannot be told, which has no limit."""
    from league.site.limits import network_of  # it needs the apps, which this module sets up

    try:
        return network_of(ASGIRequest(scope, io.BytesIO()))
    except (UnicodeDecodeError, PermissionDenied, ValueError):
        return ""


async def _until_gone(receive: Receive) -> None:
    """Wait until the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _plain(status: int, text: str) -> HttpResponse:
    """Make an answer that needs no thread."""
    headers = {
        "Connection": "close",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
    }
    if settings.SECURE_HSTS_SECONDS:
        headers["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains"
    return HttpResponse(f"{text}\n", content_type="text/plain; charset=utf-8", status=status, headers=headers)


def _is_sent_in_parts(response: HttpResponseBase) -> "TypeIs[StreamingHttpResponse]":
    return isinstance(response, StreamingHttpResponse) and response.is_async


def _whole(response: HttpResponseBase) -> HttpResponse:
    """Read a streaming response into memory, so that its thread does not wait for the client."""
    if isinstance(response, HttpResponse):
        return response
    whole = HttpResponse(b"".join(response), status=response.status_code, headers=dict(response.items()))
    whole.cookies = response.cookies
    return whole


def _start(response: HttpResponseBase) -> Message:
    headers = [(name.encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    headers += [
        (b"Set-Cookie", cookie.OutputString().encode("ascii")) for cookie in response.cookies.values()
    ]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


def _part(content: bytes, *, is_last: bool = True) -> Message:
    return {"type": "http.response.body", "body": content, "more_body": not is_last}


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
django.setup(set_prefix=False)
application = Site()
