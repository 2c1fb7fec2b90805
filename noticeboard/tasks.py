"""Celery tasks of the noticeboard. The database records what is to be sent, so a lost message only delays it."""

from celery import shared_task

from noticeboard.result_mails import forget_old_mails, make_due_mails, send_mails


@shared_task
def sweep() -> None:
    """Decide which results are to be told by mail, and send what was decided."""
    make_due_mails()
    send_mails()


@shared_task
def purge() -> None:
    """Forget the mails of results that are older than 30 days."""
    forget_old_mails()
