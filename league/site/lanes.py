"""Share the threads among requests: what is dear to read has a lane of its own, and each network a budget.

A leaderboard never waits behind files and long lists: of those, one is drawn at a time. And who asks for page after
page from one network gets no more than a part of a processor, of which a club behind one Wi-Fi needs a fraction.
"""

import ipaddress
import json
import logging
import re
from dataclasses import dataclass, field

from league.site.measuring import count_refused

# Files, pictures, long lists and what is computed on demand, by the end of their address.
DEAR = re.compile(
    r"""
    \.(csv|xlsx|zip|json|png|svg|atom|ics|txt)$
    | ^/c/[^/]+/(archive|changes|champions|compare|players/\d+/opponents)/$
    | /(archive|what-if|what-if-ratings|import|imports/.*|events)/$
    | ^/clubs/import/
    """,
    re.VERBOSE,
)
SECONDS = 30.0  # of a thread's processor time, that a network may use at once
REFILL = 0.5  # seconds that it may use in each second
MOST_NETWORKS = 10_000  # that are remembered
SECONDS_OF_A_LINE = 60.0

logger = logging.getLogger("tierboard.security")


def is_dear(path: str) -> bool:
    """Tell whether an address is one of those that are drawn one at a time."""
    return DEAR.search(path) is not None


@dataclass
class Refusals:
    """Count and log requests that were refused before a thread answered them; a line a minute for each network."""

    at: dict[str, float] = field(default_factory=dict)

    def note(self, reason: str, network: str, now: float) -> None:
        count_refused()
        if now - self.at.get(network, -SECONDS_OF_A_LINE) < SECONDS_OF_A_LINE:
            return
        fields = {"event": "request-refused", "from_network": network, "reason": reason}
        text = f"request-refused from={json.dumps(network)} reason={json.dumps(reason)}"
        logger.warning(text, extra={"security": fields})
        self.at.pop(network, None)
        self.at[network] = now  # the last of the dictionary
        while len(self.at) > MOST_NETWORKS:
            del self.at[next(iter(self.at))]


@dataclass
class Budgets:
    """The processor time that each network has used of late: a leaky bucket for each."""

    used: dict[str, tuple[float, float]] = field(
        default_factory=dict
    )  # seconds, and when they were that many

    def wait_of(self, network: str, now: float) -> float:
        """Compute the seconds until a network may ask again; 0 if it may now."""
        return max(0.0, self._used_by(network, now) - SECONDS) / REFILL

    def spend(self, network: str, seconds: float, now: float) -> None:
        """Note what a request of a network has taken. Requests from this machine itself have no limit."""
        if ipaddress.ip_address(network).is_loopback:
            return
        used = self._used_by(network, now) + seconds
        self.used.pop(network, None)
        self.used[network] = used, now  # the last of the dictionary
        while len(self.used) > MOST_NETWORKS:
            del self.used[next(iter(self.used))]

    def _used_by(self, network: str, now: float) -> float:
        used, at = self.used.get(network, (0.0, now))
        return max(0.0, used - REFILL * (now - at))
