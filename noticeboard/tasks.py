"""Celery tasks of the noticeboard. The database records what is to be sent, so a lost message only delays it."""

from celery import shared_task

from noticeboard.result_mails import forget_old_mails, make_due_mails, send_mails
from noticeboard.tray_mails import send_tray_mails


@shared_task
def sweep() -> None:
    """Create the due result mails, send the pending ones, and send tray mails."""
    make_due_mails()
    send_mails()
    send_tray_mails()


@shared_task
def purge() -> None:
    """Forget the mails of results that are older than 30 days."""
    forget_old_mails()
