"""Write a preview as short lines, so that it can be compared with the one that a case expects."""

from datetime import time
from pathlib import Path
from zoneinfo import ZoneInfo

import yaml

DATA = Path(__file__).parents[2] / "data" / "input"
TZ = ZoneInfo("Asia/Tokyo")
NUMBERS = (("ko", "knockouts"), ("cost", "cost"), ("score", "score"), ("balance", "balance"))
TIMES = (("in", "registered_at"), ("out", "busted_at"))


def case_paths(folder):
    """List the inputs of a folder; each has its expected preview beside it."""
    return sorted(path for path in (DATA / folder).iterdir() if path.suffix != ".yaml")


def expected_of(path):
    return yaml.safe_load(path.with_suffix(".yaml").read_text(encoding="utf-8"))


def entry_line(entry):
    number = f" #{entry.number}" if entry.number > 1 else ""
    values = [(short, getattr(entry, name)) for short, name in NUMBERS]
    marks = [f" {short}={_plain(value)}" for short, value in values if value is not None]
    times = [(short, getattr(entry, name)) for short, name in TIMES]
    marks += [f" {short}={time.astimezone(TZ):%H:%M}" for short, time in times if time is not None]
    return f"{entry.place} {entry.name}{number}{''.join(marks)}"


def _plain(number):
    return str(number) if isinstance(number, int) else f"{number.normalize():f}"


def entry_lines(entries):
    return [entry_line(entry) for entry in sorted(entries, key=lambda entry: entry.place)]


def event_of(event, wanted):
    """Describe an event by what its case names."""
    start = event.details.starts_at.astimezone(TZ)
    found = {
        "key": lambda: event.key,
        "name": lambda: event.details.name,
        "season": lambda: event.season,
        "day": lambda: start.date() if start.time() == time(0) else f"{start:%Y-%m-%d %H:%M}",
        "entries": lambda: entry_lines(event.entries),
    }
    return {name: found[name]() for name in wanted}


def questions_of(questions):
    """Name the questions; that the encoding can be changed is in `encoding`."""
    return [question.id.partition(":")[0] for question in questions if question.id != "encoding"]


def problems_of(problems):
    return [
        f"{problem.line} {problem.column}".strip() if problem.column else problem.line for problem in problems
    ]


def unused_of(unused):
    return sorted(f"{item.line} {item.kind}" for item in unused)


def columns_of(layouts):
    """Name the meanings of the columns; empty columns at the end are none."""
    return [column.meaning.name.lower() for layout in layouts for column in layout.columns if column.samples]
