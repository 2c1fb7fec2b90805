"""`make bench`: measures everything side by side and writes docs/benchmarks.md. `python -m bench core` runs one."""

import importlib
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench.report import Row

PARTS = ("core", "tier", "points", "standings", "pages")
TARGET = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"


def seconds(value: float) -> str:
    for unit, scale in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def line(row: Row) -> str:
    goal = "" if row.goal is None else f"{row.goal:g} {'met' if row.ratio >= row.goal else 'MISSED'}"
    cells = (
        row.what,
        seconds(row.ours),
        row.theirs_name,
        seconds(row.theirs),
        f"{row.ratio:.3g}",
        goal,
        row.note,
    )
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parts = sys.argv[1:] or PARTS
    head = "| what | ours | compared with | theirs | ratio | goal | how |\n|---|---|---|---|---|---|---|"
    text = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Both sides of a line are measured in the same run on the same machine; the ratio",
        "(theirs / ours) is the stable part, the times are not. A goal that is not reached is printed as missed.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python {platform.python_version()}.",
    ]
    for part in parts:
        print(f"--- {part}", file=sys.stderr, flush=True)
        rows = importlib.import_module(f"bench.{part}").measure()
        text += ["", f"## {part}", "", head, *map(line, rows)]
    report = "\n".join(text) + "\n"
    print(report)
    if not sys.argv[1:]:
        TARGET.write_text(report, encoding="utf-8")


if __name__ == "__main__":
    main()
