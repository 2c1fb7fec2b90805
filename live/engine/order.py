"""Date what happened, by phones whose clocks are wrong and that were cut off.

The order of arrival is wrong in a third of all nights and that of the phones' clocks in most; the rule of this module
was wrong in none of the nights that were simulated (tests/live/test_order.py).
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

UNSURE_FROM = 9_000  # ms between the two ways of dating an action
N_SAMPLES = 8
JUMP = 1_000  # ms of disagreement, beyond both errors, that a new clock explains


def recorded_at(
    tap_ms: int,
    offset_ms: int,
    *,
    received_ms: int,
    seen_ms: Iterable[int] = (),
) -> int:
    """Date an action, once, when it arrives.

    Parameters
    ----------
    tap_ms : int
        The device's clock at the tap, ms.
    offset_ms : int
        What the device adds to its clock to have the server's time, ms.
    received_ms : int
        The server's time at arrival, ms.
    seen_ms : iterable of int
        Times of all actions that the device had seen, and of its previous one, ms.

    Returns
    -------
    int
        The time of the action, ms: never later than its arrival unless it followed something later.

    Notes
    -----
    at = max(min(tap + offset, received), 1 + max(seen)).
    """
    return max(min(tap_ms + offset_ms, received_ms), 1 + max(seen_ms, default=-1))


def is_unsure(tap_ms: int, offset_ms: int | None, *, sent_ms: int, received_ms: int) -> bool:
    """Tell whether a device's clock may have been changed between a tap and its sending, or was never compared."""
    if offset_ms is None:
        return True
    return abs(tap_ms + offset_ms - (received_ms - (sent_ms - tap_ms))) > UNSURE_FROM


@dataclass(frozen=True)
class Sample:
    """One comparison of clocks: the offset it gives and how wrong that can be, ms."""

    offset_ms: float
    error_ms: float


@dataclass
class ClockOffset:
    """The offset of a device, from the poll with the shortest round trip of the last ones."""

    samples: deque[Sample] = field(default_factory=lambda: deque(maxlen=N_SAMPLES))

    def add(self, *, sent_ms: int, returned_ms: int, server_ms: int) -> None:
        """Take a poll: the device's clock when it was sent and when its answer came, and the server's time in it."""
        new = Sample(server_ms - (sent_ms + returned_ms) / 2, (returned_ms - sent_ms) / 2)
        best = self.best
        if best and abs(new.offset_ms - best.offset_ms) > best.error_ms + new.error_ms + JUMP:
            self.samples.clear()
        self.samples.append(new)

    @property
    def best(self) -> Sample | None:
        return min(self.samples, key=lambda sample: sample.error_ms, default=None)
