"""Celery tasks of webhooks. The database says what is to be told and sent, so a lost task only delays it."""

from celery import shared_task

from webhooks.services.senders import wake_senders
from webhooks.services.telling import make_messages


@shared_task
def sweep() -> None:
    """Make messages of what has happened, and let the senders send what is due."""
    make_messages()
    wake_senders()
