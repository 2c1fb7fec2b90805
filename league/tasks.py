"""Celery tasks of the core."""

from typing import Any

from celery import Task, shared_task
from django.core.management import call_command

from league.hooks.signals import purging
from league.services.bin import empty_bins
from league.services.quotas import forget_old_uses
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
    purging.send(None)
    empty_bins()
    delete_expired()
    forget_old_uses()
