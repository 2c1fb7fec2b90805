from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EntryConfig(AppConfig):
    name = "entry"
    verbose_name = _("Entry of results")

    def ready(self) -> None:
        from entry import receivers  # noqa: F401  connects them
