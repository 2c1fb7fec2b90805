"""The site's settings, with one more page: the bare table for comparison."""

from league.settings import *  # noqa: F403
from league.settings import STORAGES

ROOT_URLCONF = "bench.urls"
ALLOWED_HOSTS = ["testserver"]
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
