"""The Celery application, which finds tasks in the tasks.py of each app."""

import logging
import os
import time
from typing import Any

from celery import Celery, Task
from celery.signals import before_task_publish
from django.db import transaction
from kombu import Connection
from kombu.exceptions import OperationalError

from league.site import broker  # noqa: F401  registers the transport of embedded:// URLs
from league.site.worker import add_options

logger = logging.getLogger(__name__)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
# Django's checks would load every view and form into the worker, which needs none of them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "true")

app = Celery("tierboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
add_options(app)


@before_task_publish.connect
def _note_time(headers: dict[str, Any], **_details: Any) -> None:
    """Write into each message when it was published, so that the age of a queue can be told."""
    headers["published_at"] = time.time()


def reach_broker(connection: Connection) -> None:
    """Connect to the broker; raise kombu's OperationalError if it does not answer."""
    connection.ensure_connection(max_retries=1, interval_start=0, timeout=5)


def enqueue_on_commit(task: "Task[Any, Any]", *args: object) -> None:
    """Publish the task after the current transaction has committed.

    A broker that does not answer is a line in the log, and the request continues; with `robust`, any other error too.
    The saved data_version records the work to do, and the sweep publishes it again.
    """

    def publish() -> None:
        try:
            task.delay(*args)
        except (OperationalError, OSError) as error:
            logger.warning(
                "%s was not sent, and will be by the sweep: %s", task.name, str(error).partition("\n")[0]
            )

    transaction.on_commit(publish, robust=True)
