from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core.management import BaseCommand, call_command

from league.models import Club
from processes.static_files import collect
from processes.tables import set_up_database


class Command(BaseCommand):
    help = "Sets up database and static files for `make run`, and on the first start the demo club."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        with ThreadPoolExecutor() as threads:
            static = threads.submit(collect)
            self._set_up_database()
        static.result()

    def _set_up_database(self) -> None:
        set_up_database()
        if not Club.objects.exists():
            # The worker computes ratings and points while the first page is read already.
            call_command("load_demo", recompute=False)
