"""Errors for input that the laboratory's engine refuses: field, code and values."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from ratings.engine import errors

# English texts by code, for developers and the command line. Names in braces are the field and the values of the error.
TEXTS: Mapping[str, str] = MappingProxyType(
    {
        # Simulated players and tournaments.
        "no_whole_number_in_range": "{field} must be a whole number from {least} to {most}, got {got}",
    }
)


class EngineError(errors.EngineError):
    """Input that the laboratory's engine refuses."""

    texts: ClassVar[Mapping[str, str]] = TEXTS
