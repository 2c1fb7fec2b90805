"""A cache that all processes of the site share, where a Redis is configured."""

import json
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)
T = TypeVar("T")


class PlainSerializer:
    """Store bytes as they are and anything else as JSON.

    Django's own serializer is pickle: whoever can write to the Redis could run code in the site.
    """

    def dumps(self, value: Any) -> bytes:
        """Serialize a value, with a mark of its kind."""
        return b"b" + value if isinstance(value, bytes) else b"j" + json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        """Read a serialized value."""
        return data[1:] if data[:1] == b"b" else json.loads(data[1:])


class SharedCache(RedisCache):
    """Redis as a cache that is empty and keeps nothing while its server does not answer."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = params.get("OPTIONS", {})
        super().__init__(server, params | {"OPTIONS": options | {"serializer": PlainSerializer}})

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Read a value."""
        return _unless_down(lambda: super(SharedCache, self).get(key, default, version), default)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Store a value; do nothing while Redis is down."""
        _unless_down(lambda: super(SharedCache, self).set(key, value, timeout, version), None)


def _unless_down(ask: Callable[[], T], otherwise: T) -> T:
    try:
        return ask()
    except RedisError as error:
        log.warning("the cache in Redis does not answer: %s", error)
        return otherwise
