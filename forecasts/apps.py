from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ForecastsConfig(AppConfig):
    name = "forecasts"
    verbose_name = _("Forecasts")
