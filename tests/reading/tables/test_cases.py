"""Every file of tests/data/input is read as the preview beside it says."""

import csv
from datetime import UTC, datetime

import pytest

from reading.finishing_order.order import read_finishing_order
from reading.results import entries_of
from reading.tables.pasted import read_pasted
from reading.tables.reading import read_file
from tests.reading.tables.previews import (
    DATA,
    TZ,
    case_paths,
    columns_of,
    entry_lines,
    event_of,
    expected_of,
    problems_of,
    questions_of,
    unused_of,
)

STARTS_AT = datetime(2026, 1, 13, 19, 30, tzinfo=TZ)


def _id(path):
    return path.stem


@pytest.mark.parametrize("path", case_paths("files"), ids=_id)
def test_a_file_is_read_as_expected(path):
    expected = expected_of(path)
    read = read_file(path.read_bytes(), path.name, tz=TZ, answers=expected.get("answers", {}))
    wanted = expected.get("events", [])
    found = {
        "columns": columns_of([table.layout for table in read.tables]),
        "events": [event_of(event, want) for event, want in zip(read.events, wanted, strict=False)],
        "encoding": read.encoding,
        "questions": questions_of(read.questions),
        "problems": problems_of(read.problems),
        "unused": unused_of(read.unused),
        "likely": {question.id: question.choices[0].value for question in read.questions},
    }
    _assert_as_expected(expected, found)
    if "events" in expected:
        assert len(read.events) == len(wanted)


@pytest.mark.parametrize("path", case_paths("pasted"), ids=_id)
def test_a_paste_is_read_as_expected(path):
    expected = expected_of(path)
    text = path.read_text(encoding="utf-8")
    pasted = read_pasted(text, known={}, answers=expected.get("answers", {}), starts_at=STARTS_AT)
    assert (pasted is not None) == expected.get("is_table", True)
    if pasted is None:
        order = read_finishing_order(text, known={}, starts_at=STARTS_AT)
        if "entries" in expected:
            assert entry_lines(entries_of(order)) == expected["entries"]
        return
    found = {
        "columns": columns_of([pasted]),
        "is_unsure": [column.index for column in pasted.columns if not column.is_sure],
        "entries": entry_lines(entries_of(pasted)),
        "questions": questions_of(pasted.questions),
        "problems": problems_of(pasted.problems),
        "unused": unused_of(pasted.unused),
    }
    _assert_as_expected(expected, found)


def _assert_as_expected(expected, found):
    """Compare what the case names; questions, problems and unused parts that it does not name must not be there."""
    quiet = {"questions": [], "problems": []} | ({} if expected.get("problems") else {"unused": []})
    heading = {"unused": [item for item in found["unused"] if item.endswith(" heading")]}
    for name, value in ({**quiet, **heading, **expected}).items():
        if name in found:
            wanted = sorted(value) if name == "unused" else value
            assert found[name] == wanted, (name, found[name], value)


@pytest.mark.parametrize("path", case_paths("clock-logs"), ids=_id)
def test_the_order_of_a_clock_log_is_that_of_its_lines(path):
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    out = [line["Players"] for line in lines if line["Event"] == "Eliminated"]
    (winner,) = {line["Players"] for line in lines if line["Event"] == "BuyIn"} - set(out)
    read = read_file(path.read_bytes(), path.name, tz=UTC)
    assert (read.problems, read.questions) == ((), ())
    (event,) = read.events
    by_place = sorted(event.entries, key=lambda entry: entry.place)
    assert [entry.name for entry in by_place] == [winner, *reversed(out)]
    assert [entry.place for entry in by_place] == list(range(1, len(by_place) + 1))
    assert event.details.starts_at.date().isoformat() == path.stem


def test_there_are_enough_cases():
    assert len(case_paths("files")) + len(case_paths("pasted")) >= 60
    assert len(list((DATA / "clock-logs").glob("*.csv"))) == 10


def test_a_start_that_is_no_time_of_day_raises_nothing():
    text = b"Iris,Iris\nIris,Iris,Iris,2026-01-13,1"
    chosen = {"meaning:0": "place", "meaning:4": "starts_at"}
    assert read_file(text, "results.csv", tz=TZ, answers=chosen).problems
