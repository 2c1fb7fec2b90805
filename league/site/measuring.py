"""Counts requests for Prometheus, where the operator wants it (METRICS_TOKEN)."""

import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from prometheus_client import Counter, Histogram

BUCKETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # seconds
UNKNOWN = "none"  # the view of an address with nothing at it


class Counters(NamedTuple):
    seconds: "Histogram"
    refused: "Counter"


@cache
def counters() -> Counters:
    """Make the counters once in each process: Prometheus' library is loaded only where it is used."""
    from prometheus_client import Counter, Histogram

    return Counters(
        Histogram(
            "tierboard_request_seconds",
            "Time a thread has spent on a request, by the name of its view and the class of its status.",
            ("view", "status"),
            buckets=BUCKETS,
        ),
        Counter("tierboard_requests_refused", "Requests that were refused because the queue was full."),
    )


def measured(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Measure each request: a middleware."""

    def answer(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = get_response(request)
        view = request.resolver_match.view_name if request.resolver_match else UNKNOWN
        status = f"{response.status_code // 100}xx"
        counters().seconds.labels(view, status).observe(time.perf_counter() - began)
        return response

    return answer


def count_refused() -> None:
    """Count a request that was refused before a thread answered it."""
    if settings.METRICS_TOKEN:
        counters().refused.inc()
