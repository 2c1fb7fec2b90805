"""Remember what the engines have worked out, by the version of the results and settings that it follows from."""

from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import TypeVar

from django.core.cache import caches

T = TypeVar("T")
MISSING = object()


def remembered(key: tuple[Hashable, ...], compute: Callable[[], T]) -> T:
    """Return a cached result, or compute and cache it; None is a result, too."""
    memory, name = caches["goals"], sha256(repr(key).encode()).hexdigest()
    found = memory.get(name, MISSING)
    if found is MISSING:
        found = compute()
        memory.set(name, found)
    return found  # type: ignore[no-any-return]
