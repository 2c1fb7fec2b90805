"""Celery tasks. The database records what is to be done, so a lost message only delays it."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from standings.archive.erasing import erase_expired
from standings.archive.services import asked_drafts, make_asked_club
from standings.recomputation.service import claim_stale_pools, recompute

ASKED_AGAIN = timedelta(
    minutes=2
)  # an archive whose club is not made by then was lost, or waits for a copy of itself


@shared_task
def recompute_pool(pool_id: int) -> None:
    recompute(pool_id)


@shared_task
def make_club(draft_id: int) -> None:
    """Make the club of a large archive that was uploaded."""
    make_asked_club(draft_id)


@shared_task
def sweep() -> None:
    """Publish again what waits and whose message was lost, or whose worker or broker was down."""
    for pool_id in claim_stale_pools():
        recompute_pool.delay(pool_id)
    for draft_id in asked_drafts(timezone.now() - ASKED_AGAIN):
        make_club.delay(draft_id)


@shared_task
def purge() -> None:
    """Erase the clubs that were deleted 30 days ago, and uploaded archives that nobody has used for a day."""
    erase_expired()
