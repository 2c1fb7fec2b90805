from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PayoutsConfig(AppConfig):
    name = "payouts"
    verbose_name = _("Payouts")

    def ready(self) -> None:
        from payouts import receivers  # noqa: F401  the import connects the receivers
