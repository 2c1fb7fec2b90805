from typing import Any

from django.core.management import BaseCommand, call_command

from league.models import Club


class Command(BaseCommand):
    help = "Sets up the database for `make run`, and on the first start the demo club."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        if not Club.objects.exists():
            # The worker computes ratings and points while the first page is read already.
            call_command("load_demo", recompute=False)
