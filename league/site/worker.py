"""What a supervised worker does beside its tasks: run beat, and end after a quiet time to give its memory back."""

import os
import sys
import time
from typing import Any

from celery import Celery, bootsteps
from celery.beat import EmbeddedService
from celery.signals import task_postrun
from celery.worker import state
from click import Option


class Beat(bootsteps.StartStopStep):
    """Runs beat in a thread."""

    def __init__(self, parent: Any, *, with_beat: bool = False, **options: Any) -> None:
        super().__init__(parent, **options)
        self.enabled = with_beat

    def start(self, parent: Any) -> None:
        app = parent.app
        service = EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler)
        service.start()  # type: ignore[union-attr]  # a daemon thread, which the stubs do not know


class QuietEnd(bootsteps.Step):
    """Ends a worker that has loaded the rating engine, once nothing has been computed for `quiet_seconds`.

    The engine's compiler takes 100 MB, which Python cannot unload. The supervisor starts the next worker at once.
    """

    def __init__(self, parent: Any, *, quiet_seconds: float = 0.0, **options: Any) -> None:
        super().__init__(parent, **options)
        self.enabled = quiet_seconds > 0
        self.quiet_seconds = quiet_seconds
        self.regular = {entry["task"] for entry in parent.app.conf.beat_schedule.values()}
        self.worked_at = time.monotonic()

    def create(self, _parent: Any) -> None:
        task_postrun.connect(self.after_task, weak=False)

    def after_task(self, task: Any, **_details: Any) -> None:
        """Note the time of a task; at a scheduled one, stop the worker if it has been idle for too long."""
        now = time.monotonic()
        if task.name not in self.regular:
            self.worked_at = now
        elif "numba" in sys.modules and now - self.worked_at > self.quiet_seconds:
            state.should_stop = os.EX_OK  # type: ignore[assignment]  # the stubs know None only


def add_options(app: Celery) -> None:
    app.user_options["worker"].add(Option(["--with-beat"], is_flag=True, help="Run beat in this worker."))
    app.user_options["worker"].add(
        Option(
            ["--quiet-seconds"],
            type=float,
            default=0.0,
            help="End after so long without work, to give memory back; a supervisor starts the next worker.",
        )
    )
    app.steps["worker"].update((Beat, QuietEnd))
