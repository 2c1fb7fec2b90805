"""Random pastes and files: never a failure, never an entry that was not in the text, and no line is lost.

CASES=50 python -m pytest tests/reading/tables/test_fuzz.py tries 5,000 of each kind instead of 100.
"""

import re
import unicodedata
from datetime import datetime

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reading.finishing_order.lines import lines_of
from reading.tables.meanings import Meaning
from reading.tables.pasted import read_pasted
from reading.tables.reading import read_file
from tests.cases import times
from tests.reading.tables.previews import TZ, case_paths

tries = settings(
    max_examples=times(100),
    suppress_health_check=list(HealthCheck),
    deadline=None,
)
STARTS_AT = datetime(2026, 1, 13, 19, 30, tzinfo=TZ)
NAME = st.sampled_from(
    ["Iris", "Tom W", "佐々木", "Märta", "x10", "1. FC Ada", "Cenith=Gp", "مینا", "Ada #1", "O’Neil", "Total"]
)
FIGURE = st.sampled_from(
    [
        "1",
        "2",
        "T2",
        "3=",
        "4位",
        "①",
        "1.0",
        "DNF",
        "-",
        "?",
        "45,200",
        "1.000",
        "▲12.3",
        "+5",
        "12,50",
        "9:40pm",
    ]
)
DATE = st.sampled_from(
    ["2026-01-13", "03/04/2026", "13.1.2026", "令和8年1月10日", "46032", "31/02/2026", "2026-01-13 19:30"]
)
HEADING = st.sampled_from(
    [
        "Place",
        "Name",
        "KOs",
        "順位",
        "氏名",
        "Date",
        "日付",
        "Score",
        "Points",
        "Event",
        "Season",
        "Entries",
        "Out",
    ]
)
CELL = st.one_of(
    NAME, FIGURE, DATE, HEADING, st.sampled_from(["", " ", "=1+1", '"', "N/A"]), st.text(max_size=6)
)
ANSWERS = st.dictionaries(
    st.sampled_from(
        ["dates", "ties", "missing", "wide", "order", "heading", "numbers", "sheets", "encoding"]
    ),
    st.sampled_from(
        [
            "dmy",
            "mdy",
            "dense",
            "mistake",
            "last",
            "tied",
            "out",
            "places",
            "points",
            "player",
            "lines",
            "cp932",
            "x",
        ]
    ),
    max_size=4,
)
CHOSEN = st.dictionaries(st.integers(0, 5), st.sampled_from(Meaning), max_size=3)


@st.composite
def tables(draw):
    """A table of one delimiter, often with a heading and rows of one kind, and sometimes with stray lines."""
    delimiter = draw(st.sampled_from([",", ";", "\t", " ", "  ", "|"]))
    kinds = draw(st.lists(st.sampled_from([NAME, FIGURE, DATE, CELL]), min_size=1, max_size=5))
    rows = draw(st.lists(st.tuples(*kinds), min_size=1, max_size=8))
    head = [draw(st.tuples(*(HEADING for _kind in kinds)))] if draw(st.booleans()) else []
    stray = draw(st.lists(st.lists(CELL, max_size=7).map(tuple), max_size=2))
    lines = [delimiter.join(row) for row in (*head, *rows, *stray)]
    return draw(st.sampled_from(["\n", "\r\n", "\r"])).join(lines)


TEXT = st.one_of(tables(), st.text(max_size=200))


def folded(text):
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).replace('""', '"'))


def unmentioned(text, mentioned):
    """Find the lines with letters or figures that nothing mentions; a quoted cell may go on in the next lines."""
    found = []
    may_go_on = False
    for number, line in enumerate(lines_of(text), start=1):
        is_lost = number not in mentioned and any(char.isalnum() for char in line)
        if is_lost and not may_go_on:
            found.append((number, line))
        may_go_on = may_go_on or '"' in line
    return found


def stands_in(name, text, chosen):
    """Whether a text has a name, which may stand in two columns if one was chosen for its second part."""
    parts = name.split() if Meaning.SECOND_NAME in chosen.values() else [name]
    return all(folded(part) in folded(text) for part in parts)


@tries
@given(TEXT, ANSWERS, CHOSEN)
def test_any_paste_is_read_without_losing_a_line(text, answers, chosen):
    read = read_pasted(text, known={"iris": (1, "Iris")}, starts_at=STARTS_AT, answers=answers, chosen=chosen)
    if read is None:
        return
    for finisher in read.finishers:
        assert finisher.name == "Iris" or stands_in(finisher.typed, text, chosen)
    if any(problem.line == 0 for problem in read.problems) or not read.lines:
        return
    mentioned = {line.number for line in read.lines} | {part.line for part in read.unused}
    mentioned |= {problem.line for problem in read.problems}
    assert unmentioned(text, mentioned) == []


@tries
@given(TEXT, ANSWERS, CHOSEN, st.sampled_from(["results.csv", "2026-01-13.csv"]))
def test_any_file_is_read_without_losing_a_line(text, answers, chosen, name):
    answers |= {f"meaning:{column}": meaning.value for column, meaning in chosen.items()}
    read = read_file(text.encode("utf-8", "replace"), name, tz=TZ, answers=answers)
    assert read.events or read.problems
    for event in read.events:
        for entry in event.entries:
            assert stands_in(entry.name, text, chosen)
    if read.problems or read.encoding != "utf-8":
        return
    mentioned = {line for event in read.events for line in event.lines} | {part.line for part in read.unused}
    headings = {table.layout.heading_line for table in read.tables}
    first = next(i for i, line in enumerate(lines_of(text), start=1) if line.strip())
    assert unmentioned(text, mentioned | headings | ({first} if not read.tables else set())) == []


@tries
@given(st.sampled_from(case_paths("files")), st.data())
def test_a_damaged_file_is_told_and_is_no_failure(path, data):
    content = bytearray(path.read_bytes())
    for _change in range(data.draw(st.integers(0, 5))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    kept = data.draw(st.integers(len(content) // 2, len(content)))
    read = read_file(bytes(content[:kept]), path.name, tz=TZ)
    assert read.events or read.problems
