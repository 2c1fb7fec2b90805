"""`make bench`: runs all benchmarks and writes docs/benchmarks.md. `python -m bench core` runs and prints one part.

Each part runs in a separate process, because parts need different settings and must not affect each other's memory.
"""

import importlib
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench.report import table

PARTS = (
    "core",
    "tier",
    "profit",
    "formula1",
    "points",
    "standings",
    "pages",
    "long_pages",
    "browsing",
    "database",
    "fair_queue",
    "many_clubs",
    "live",
    "api",
    "files",
    "games",
    "laboratory",
    "dealing",
    "start",
)
TARGET = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


def section(part: str) -> str:
    module = importlib.import_module(f"bench.{part}")
    notes = getattr(module, "NOTES", "")
    return "\n".join([f"## {part}", "", *([notes, ""] if notes else []), *table(module.measure()), ""])


def full_report() -> str:
    text = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Both sides of a comparison are measured in the same run on the same machine. Their",
        "ratio (theirs / ours) is comparable between machines, the times are not. A goal that is not reached is marked",
        "MISSED.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python {platform.python_version()}.",
        "",
    ]
    for part in PARTS:
        print(f"--- {part}", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "bench", part]
        text.append(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return "\n".join(text).rstrip() + "\n"


def main() -> None:
    parts = sys.argv[1:]
    if parts:
        print("\n".join(section(part) for part in parts), end="")
        return
    report = full_report()
    print(report)
    TARGET.write_text(report, encoding="utf-8")


if __name__ == "__main__":
    main()
