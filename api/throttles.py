from typing import Any

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, BaseThrottle

from league.limits import SECONDS, take_turn


class KeylessThrottle(AnonRateThrottle):
    """A limit per address for requests without an account; each process of the web server counts separately."""

    cache = caches["api"]
    rate = "60/min"


class TableThrottle(BaseThrottle):
    """A limit per address and per account for tables of points, which all processes count together: they take long."""

    most = 60  # in a minute

    def allow_request(self, request: Request, _view: Any) -> bool:
        return take_turn(request._request, "tables", user=request.user, most=self.most)

    def wait(self) -> float:
        return SECONDS
