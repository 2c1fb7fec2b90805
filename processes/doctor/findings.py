"""What was found: a state, words, and what to do."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    OK = "ok"
    ATTENTION = "attention"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    subject: str
    state: State
    found: str
    remedy: str = ""


Findings = Iterator[Finding]


class Check(NamedTuple):
    subject: str
    look: Callable[[], Findings]
    needs_database: bool = False


def ok(subject: str, found: str) -> Finding:
    return Finding(subject, State.OK, found)


def attention(subject: str, found: str, remedy: str) -> Finding:
    return Finding(subject, State.ATTENTION, found, remedy)


def wrong(subject: str, found: str, remedy: str) -> Finding:
    return Finding(subject, State.WRONG, found, remedy)


def first_line(error: Exception) -> str:
    """Take what an error says, without the hints that follow in further lines."""
    return (str(error).strip() or repr(error)).splitlines()[0]


def moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"


def listed(names: list[str], most: int = 5) -> str:
    """Join names; of many, the first."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
