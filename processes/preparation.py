"""The lock that the supervisor holds while database and static files are set up. Web processes wait for it.

The system releases it when its holder dies.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from league.site.machine import VAR_DIR

LOCK = VAR_DIR / "preparation.lock"


@contextmanager
def preparing() -> Iterator[None]:
    with LOCK.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def wait_until_prepared() -> None:
    with LOCK.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
