"""Lines of the log: each with the request it belongs to, as text or as JSON for programs that collect them."""

import logging
from contextlib import suppress

from pythonjsonlogger.json import JsonFormatter

from league.site.machine import LOG_FORMAT, LOG_JSON, LOG_LEVEL


class OfRequest(logging.Filter):
    """Add network and account to what is logged while a request is answered; lines of the security log have them."""

    def filter(self, record: logging.LogRecord) -> bool:
        # When the log is set up there are no apps yet.
        from allauth.core import context

        request = getattr(record, "request", None) or context.request
        if hasattr(request, "META") and not hasattr(record, "security"):
            from league.site.security_log import sender_of

            with suppress(Exception):  # a line without its sender is better than none
                record.__dict__.update(sender_of(request))
        return True


class Line(logging.Formatter):
    """Write a line of text, with network and account at its end."""

    def __init__(self) -> None:
        super().__init__(LOG_FORMAT, style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  a name of logging's
        pairs = (("from", "from_network"), ("account", "account"))
        sender = [f" {said}={getattr(record, name)}" for said, name in pairs if hasattr(record, name)]
        return "".join([super().formatMessage(record), *sender])


class JsonLine(JsonFormatter):
    """Write a message with its time, level, logger, and the fields that it was logged with."""

    def __init__(self) -> None:
        super().__init__(
            "{asctime}{levelname}{name}{message}",
            style="{",
            rename_fields={"asctime": "at", "levelname": "level", "name": "logger"},
            datefmt="%Y-%m-%dT%H:%M:%S%z",
        )


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": JsonLine if LOG_JSON else Line}},
    "filters": {"of_request": {"()": OfRequest}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["of_request"]},
    },
    "loggers": {"tierboard.security": {"level": "INFO"}},  # whatever LOG_LEVEL is
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
