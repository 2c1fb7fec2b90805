import atexit
import gc

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from league import celery  # noqa: F401  so that tasks are published by our application, and not by Celery's default one

# By default Python looks for garbage after 700 new objects, and a request to a page makes thousands.
GARBAGE_THRESHOLDS = (20_000, 20, 20)


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("League")

    def ready(self) -> None:
        # What is there now stays, so it is never looked through again; the settings have paused the collector.
        gc.freeze()
        gc.set_threshold(*GARBAGE_THRESHOLDS)
        gc.enable()
        # A process that ends leaves nothing behind, so what it still holds need not be looked through either.
        atexit.register(gc.freeze)
        from league.accounts import receivers  # noqa: F401  connects them
