"""Lines of the log as JSON, for programs that collect them."""

from pythonjsonlogger.json import JsonFormatter


class JsonLine(JsonFormatter):
    """A message with its time, level, logger, and the fields that it was logged with."""

    def __init__(self) -> None:
        super().__init__(
            "{asctime}{levelname}{name}{message}",
            style="{",
            rename_fields={"asctime": "at", "levelname": "level", "name": "logger"},
            datefmt="%Y-%m-%dT%H:%M:%S%z",
        )
