"""The site as the supervisor's web server runs it: loaded while database and static files are being set up."""

import os

import django

from processes.preparation import wait_until_prepared

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
django.setup(set_prefix=False)

from league import urls  # noqa: E402, F401  loads all views, which the first page would wait for

wait_until_prepared()

from league.asgi import application  # noqa: E402  lists the static files

__all__ = ["application"]
