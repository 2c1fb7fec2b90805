"""Errors for input that the laboratory's engine refuses: field, code and values."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from ratings.engine import errors

# English texts by code, for developers and the command line. Names in braces are the field and the values of the error.
TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "not_finite": "{field} must be a number, got {got}",
        "not_a_whole_number": "{field} must be a whole number, got {got}",
        "out_of_range": "{field} must be {least:g} to {most:g}, got {got:g}",
        "out_of_half_open_range": "{field} must be above {least:g} and at most {most:g}, got {got:g}",
        "unknown_choice": "{field} must be one of {known}, got {got}",
    }
)


class EngineError(errors.EngineError):
    """Input that the laboratory's engine refuses."""

    texts: ClassVar[Mapping[str, str]] = TEXTS
