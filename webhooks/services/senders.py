"""Threads that send what is due beside the tasks of a worker, which never wait for a receiver."""

import logging
import threading

from django.db import connections

from webhooks.models import Delivery
from webhooks.services.sending import send_due

N_SENDERS = 4
log = logging.getLogger(__name__)
_senders: list[threading.Thread] = []


def wake_senders() -> None:
    """Start as many threads as are missing, if anything is due; what a killed one has claimed is sent again."""
    _senders[:] = [sender for sender in _senders if sender.is_alive()]
    if not Delivery.objects.due().exists():
        return
    for _missing in range(N_SENDERS - len(_senders)):
        sender = threading.Thread(target=_send, name="webhooks", daemon=True)
        _senders.append(sender)
        sender.start()


def _send() -> None:
    try:
        send_due()
    except Exception:
        log.exception("a sender of webhooks has ended")
    finally:
        connections.close_all()
