"""What the lock of a pool is called: read by the watchdog too, which loads no Django app."""

from pathlib import Path

ADVISORY_CLASS = 0x7162  # marks our locks among the advisory locks of the database


def lock_file(folder: Path, pool_id: int) -> Path:
    return folder / "locks" / f"pool-{pool_id}.lock"
