from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from league import celery  # noqa: F401  so that tasks are published by our application, and not by Celery's default one


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = _("League")
