"""Messages for input that the laboratory's engine refuses, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from lab.engine.errors import EngineError

# Keys are the codes of EngineError; the names in brackets are its values.
MESSAGES: Mapping[str, Any] = {}


def message_of(error: EngineError) -> str:
    """Translate an error whose code is in `MESSAGES`."""
    return str(MESSAGES[error.code]) % error.values
