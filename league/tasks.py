"""Celery tasks of the core."""

from typing import Any

from celery import shared_task
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone


@shared_task
def purge_expired() -> None:
    """Delete what has expired and is never read again: sessions, and counts of sign-in attempts in the cache."""
    call_command("clearsessions")
    cache: dict[str, Any] = settings.CACHES["default"]  # type: ignore[assignment]
    table = connection.ops.quote_name(cache["LOCATION"])
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [now])  # noqa: S608  the name is our own
