"""The site's settings, with one page more: the bare one it is compared with."""

from league.settings import *  # noqa: F403
from league.settings import STORAGES

ROOT_URLCONF = "bench.urls"
ALLOWED_HOSTS = ["testserver"]
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
