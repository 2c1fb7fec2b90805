"""Celery tasks. The database records what was asked for, so a lost message only delays it."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from entry.services import drafts
from league.celery import enqueue_on_commit
from league.models import ImportDraft

ASKED_AGAIN = timedelta(minutes=2)  # what is not done by then was lost, or waits for a copy of itself


@shared_task
def do_asked(draft_id: int) -> None:
    """Read or save a large upload."""
    drafts.do_asked(draft_id)


def enqueue_asked(draft: ImportDraft) -> None:
    """Publish what was asked for about a draft, if anything was."""
    if draft.asked_for:
        enqueue_on_commit(do_asked, draft.pk)


@shared_task
def sweep() -> None:
    """Publish again what waits and whose message was lost."""
    for draft_id in drafts.asked_before(timezone.now() - ASKED_AGAIN):
        do_asked.delay(draft_id)
