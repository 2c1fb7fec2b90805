"""The site's Celery application on a faulty wire.

Worker and beat are started with this module in place of `league`, so that the site itself needs no fault switch.
The worker notes its process id and its progress, by which the storm chooses when to kill it.

Only for processes of a storm: importing this module makes the wire of the process faulty.
"""

from celery.signals import task_postrun, task_prerun, worker_ready

from league.celery import app
from tests.storm.wire import LIFE, note, wire

__all__ = ["app"]

wire.put_in()


@worker_ready.connect
def _ready(**_kwargs):
    note(LIFE, "ready")


@task_prerun.connect
def _begins(**_kwargs):
    note(LIFE, "begins")


@task_postrun.connect
def _ended(sender, **_kwargs):
    note(LIFE, "computed" if sender.name.endswith("recompute_pool") else "ended")
