"""Celery tasks of the core."""

from typing import Any

from celery import Task, shared_task
from django.core.management import call_command

from league.services.accounts import forget_ended_sessions
from league.services.bin import empty_bins
from league.services.imports import forget_old_uploads
from league.site.cache_table import delete_expired
from league.site.heartbeat import note_heartbeat


@shared_task(bind=True)
def beat_heart(self: "Task[Any, Any]") -> None:
    """Note that a worker has run what beat has sent."""
    note_heartbeat(self.request.get("published_at"))


@shared_task
def purge_expired() -> None:
    """Delete what has expired: sessions, counts of sign-in attempts in the cache, uploads, what was long in a bin."""
    call_command("clearsessions")
    forget_ended_sessions()
    forget_old_uploads()
    empty_bins()
    delete_expired()
