from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NoticeboardConfig(AppConfig):
    name = "noticeboard"
    verbose_name = _("Noticeboard")

    def ready(self) -> None:
        from noticeboard import receivers  # noqa: F401  connects them
