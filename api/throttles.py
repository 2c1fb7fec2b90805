from typing import TYPE_CHECKING, Any, cast

from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, BaseThrottle, SimpleRateThrottle

from api.models import ApiKey
from league.site.limits import SECONDS, consume_quota, network_of

if TYPE_CHECKING:
    from rest_framework.views import APIView


class NetworkThrottle(SimpleRateThrottle):
    """A limit per address, found as for all other limits of the site."""

    def get_ident(self, request: Request) -> str:
        return network_of(request._request)


class KeylessThrottle(NetworkThrottle, AnonRateThrottle):
    """A limit per address for requests without an account."""

    cache = caches["api"]
    rate = "60/min"


class KeyThrottle(SimpleRateThrottle):
    """A limit for each key, counted outside the database, so that reading writes nothing to it."""

    cache = caches["api"]
    rate = "300/min"
    scope = "key"

    def get_cache_key(self, request: Request, _view: Any) -> str | None:
        if not isinstance(request.auth, ApiKey):
            return None
        return self.cache_format % {"scope": self.scope, "ident": request.auth.digest}


class WrongKeyThrottle(NetworkThrottle):
    """A limit per address for wrong keys, which all processes count together: they are rare."""

    cache = caches["default"]
    rate = "10/min"
    scope = "wrong-key"

    def is_allowed(self, request: Request) -> bool:
        """Count a wrong key, and tell whether the limit allows it."""
        return self.allow_request(request, cast("APIView", None))

    def get_cache_key(self, request: Request, _view: Any) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class TableThrottle(BaseThrottle):
    """A limit per address and per account for tables of points, which all processes count together: they take long."""

    most = 60  # in a minute

    def allow_request(self, request: Request, _view: Any) -> bool:
        return consume_quota(request._request, "tables", user=request.user, limit=self.most)

    def wait(self) -> float:
        return SECONDS
