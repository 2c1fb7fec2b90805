"""Set up the site in this process, on a database of its own."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_site() -> Iterator[None]:
    """Set up Django with an empty database in a folder that lasts as long as the context; once in a process."""
    with tempfile.TemporaryDirectory(prefix="tierboard-bench-") as folder:
        os.environ["VAR_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        yield
