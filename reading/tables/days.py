"""Find the day of a table that has no column of dates: as it was typed, in the name of its file, or in a title."""

import re
from collections.abc import Sequence
from datetime import date
from pathlib import PurePath

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from reading.questions import Choice
from reading.tables.asked import Asked
from reading.tables.layouts import TITLE, Layout
from reading.tables.meanings import Meaning
from reading.tables.moments import dates

DAY = "day"
DAY_IN_NAME = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)")
MOST_WORDS = 6  # of a date: "Tuesday 13 January 2026 um 19:30"
MOST_WORDS_OF_TITLE = 40


def day_in(name: str) -> date | None:
    """Read the date in the name of a file or a sheet, if there is one and it is clear."""
    found = _days_in(name)
    return found[0] if len(found) == 1 else None


def _days_in(name: str) -> tuple[date, ...]:
    """Read the date in a name: () if none or several, two if day and month are interchangeable."""
    stem = PurePath(name).name.rpartition(".")[0] or name
    if matches := DAY_IN_NAME.findall(stem):
        return dates("-".join(matches[0])) if len(matches) == 1 else ()
    return () if stem.isdecimal() else dates(stem)


def day_of(layout: Layout, names: Sequence[str], prefix: str, asked: Asked) -> date | None:
    """Find the day of a table; what a title says is asked. `prefix` is that of the sheet."""
    if Meaning.DATE in layout.meanings:
        return next(filter(None, map(day_in, names)), None)
    typed = next(iter(dates(asked.answers.get(f"{prefix}{DAY}", ""))), None)
    if typed is None and (named := next(filter(None, map(day_in, names)), None)):
        return named
    doubtful = next((days for name in names if len(days := _days_in(name)) > 1), ())
    heading = layout.heading_line or layout.body[0].line if layout.body else 0
    titles = [unused.text for unused in layout.unused if unused.kind == TITLE and unused.line < heading]
    title, found = next(((text, days) for text in titles if (days := dates_in(text))), ("", ()))
    if not found and doubtful:
        title, found = next(iter(names)), doubtful
    if not found:
        return typed
    offered = list(dict.fromkeys([*found, *([typed] if typed else [])]))
    answer = asked.ask(
        f"{prefix}{DAY}",
        _("On which day was this?"),
        _("No column holds the dates; a title or the name of the file says “%(title)s”.") % {"title": title},
        [Choice(day.isoformat(), str(date_format(day, "DATE_FORMAT"))) for day in offered],
    )
    return date.fromisoformat(answer)


def dates_in(text: str) -> tuple[date, ...]:
    """Find the first of the longest dates in a text; () without one. Ignore plain numbers."""
    words = text.split()[:MOST_WORDS_OF_TITLE]
    for length in range(MOST_WORDS, 0, -1):
        for start in range(len(words) - length + 1):
            part = " ".join(words[start : start + length]).strip(",;:.()[]")
            if not part.isdecimal() and (found := dates(part)):
                return found
    return ()
