"""Which static files of libraries are collected: what no page loads is neither hashed nor compressed."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class NeededFiles(StaticFilesConfig):
    """Leaves out the pages of REST framework, and all viewers of an API's description but the one that is used."""

    ignore_patterns = (
        *StaticFilesConfig.ignore_patterns,
        "rest_framework",
        "redoc",
        "swagger-ui-standalone-preset.*",
        "oauth2-redirect.*",
    )
