"""`make bench`: measures everything side by side and writes docs/benchmarks.md. `python -m bench core` runs one."""

import importlib
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench.report import table

PARTS = ("core", "tier", "profit", "formula1", "points", "pages", "database")
TARGET = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


def main() -> None:
    parts = sys.argv[1:] or PARTS
    text = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Both sides of a comparison are measured in the same run on the same machine; the",
        "ratio (theirs / ours) is the stable part, the times are not. A goal that is not reached is printed as missed.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python {platform.python_version()}.",
    ]
    for part in parts:
        print(f"--- {part}", file=sys.stderr, flush=True)
        module = importlib.import_module(f"bench.{part}")
        notes = getattr(module, "NOTES", "")
        text += ["", f"## {part}", "", *([notes, ""] if notes else []), *table(module.measure())]
    report = "\n".join(text) + "\n"
    print(report)
    if not sys.argv[1:]:
        TARGET.write_text(report, encoding="utf-8")


if __name__ == "__main__":
    main()
