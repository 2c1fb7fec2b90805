"""Celery task. The rows record what is to be counted, so a lost message only delays it."""

from celery import shared_task

from directory.services.listings import count_stale_listings


@shared_task
def sweep() -> None:
    """Count again what the directory shows of clubs whose results have changed."""
    count_stale_listings()
