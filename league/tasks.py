"""Celery tasks of the core."""

from typing import Any

from celery import shared_task
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from league.services.bin import empty_bins


@shared_task
def purge_expired() -> None:
    """Delete what has expired: sessions, counts of sign-in attempts in the cache, and what was in a bin for 30 days."""
    call_command("clearsessions")
    empty_bins()
    cache: dict[str, Any] = settings.CACHES["default"]  # type: ignore[assignment]
    table = connection.ops.quote_name(cache["LOCATION"])
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [now])  # noqa: S608  the name is our own
