"""The table of the database cache: what has expired in it, and its keys by their beginning."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.utils import timezone


def delete_expired() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {_table()} WHERE expires < %s", [_adapted(timezone.now())])  # noqa: S608  the name is our own


def n_expired(before: datetime) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {_table()} WHERE expires < %s", [_adapted(before)])  # noqa: S608  the name is our own
        return int(cursor.fetchone()[0])


def keys_from(beginning: str) -> list[str]:
    """List the unexpired cache keys with this prefix, which must contain no LIKE wildcard."""
    like, now = cache.make_key(f"{beginning}%"), _adapted(timezone.now())
    with connection.cursor() as cursor:
        sql = f"SELECT cache_key FROM {_table()} WHERE cache_key LIKE %s AND expires >= %s"  # noqa: S608  the name is our own
        cursor.execute(sql, [like, now])
        n_before = len(cache.make_key(""))
        return sorted(key[n_before:] for (key,) in cursor.fetchall())


def name() -> str:
    default: dict[str, Any] = settings.CACHES["default"]  # type: ignore[assignment]
    return str(default["LOCATION"])


def _table() -> str:
    return connection.ops.quote_name(name())


def _adapted(moment: datetime) -> str | None:
    return connection.ops.adapt_datetimefield_value(moment)
