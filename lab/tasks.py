"""Celery tasks. The database records which chunks are to be computed, so a lost message only delays them."""

from celery import shared_task

from lab.services import practice, runs, sit_and_go
from league.celery import enqueue_on_commit


def publish_chunks() -> None:
    """Publish the chunks to compute next."""
    for chunk_id in runs.claim_chunks():
        enqueue_on_commit(compute_chunk, chunk_id)


@shared_task
def compute_chunk(chunk_id: int) -> None:
    try:
        runs.compute_chunk(chunk_id)
    finally:
        publish_chunks()


@shared_task
def sweep() -> None:
    """Publish chunks whose message was lost, or whose worker or broker was down."""
    publish_chunks()


@shared_task
def purge_runs() -> None:
    runs.purge_runs()
    practice.purge_decisions()


@shared_task
def purge_games() -> None:
    sit_and_go.purge_games()
