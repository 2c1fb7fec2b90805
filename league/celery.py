"""The Celery application. Tasks are found in each app's tasks.py."""

import os
from typing import Any

from celery import Celery, Task
from django.db import transaction

from league import broker  # noqa: F401  registers the embedded broker's name

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("tierboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def enqueue_on_commit(task: "Task[Any, Any]", *args: object) -> None:
    """Publish once the running transaction has committed.

    `robust`: with the broker down the error is logged and the request goes on. The saved data_version is the
    record of the work to do, and the sweep publishes it again.
    """

    def publish() -> None:
        task.delay(*args)

    transaction.on_commit(publish, robust=True)
