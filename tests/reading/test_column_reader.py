"""The column reader reads what the row reader reads, to the last cell, or leaves the file to it."""

import csv
import io
from datetime import UTC, date, timedelta
from random import Random
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading.event_files.column_reader import BY_ROWS, CHUNK, read_columns
from reading.event_files.columns import columns_of
from reading.event_files.reader import COLUMNS, REQUIRED, read_event_file

TOKYO = ZoneInfo("Asia/Tokyo")
NAMES = ("Ada", "ada", "ＡＤＡ", " Boris", "Cléo", "髙橋ひろ子", "O'Hara, Jr", 'Max "Ace"', "Ed")
OPTIONAL = {
    "number": ("", "1"),
    "registered_at": ("", "0", "7.5"),
    "busted_at": ("", "60", "99.25", "2200-01-01"),
    "balance": ("", "1.5", "▲5e3", "−20"),
    "knockouts": ("", "0", "3"),
    "cost": ("", "60", "12.50"),
    "late": ("", "x"),
    "score": ("", "45300", "-0"),
    "chips": ("", "-2"),
    "penalty": ("", "20"),
    "seat": ("", "1"),
}
OF_EVENT = {
    "starts_at": ("", "30", "2026-01-02T19:00+01:00"),
    "ends_at": ("", "300", "2199-01-01"),
    "closes_at": ("", "90"),
    "table_size": ("", "8"),
    "final_table_size": ("", "10"),
    "game": ("", "Hanchan"),
    "round": ("", "2"),
    "table": ("", "3"),
    "house": ("", "0.5"),
}
SPOILT = (
    "?",
    "N/A",
    "-",
    "=cmd",
    "1.0",
    "2=",
    "1st",
    "DNF",
    "",
    "0",
    "1",
    "2",
    "3.5",
    "-1",
    "x",
    "x2",
    "Ada",
    "a\u200bb",
    "9" * 14,
    "2026-13-01",
    "2026-01-05",
    "2500-01-01",
)
GOOD = "event,date,player,place\nA,2026-01-01,Ada,1\nA,2026-01-01,Boris,2\n"


def by_columns(text, tz=TOKYO):
    return read_columns(io.StringIO(text, newline=None), tz=tz)


def plain(columns):
    fields = {
        name: getattr(value, "tolist", lambda value=value: value)() for name, value in vars(columns).items()
    }
    names, spelling = fields.pop("names"), fields.pop("spelling")  # numbered by another order of the rows
    fields["values"] = {name: column.tolist() for name, column in columns.values.items()}
    return fields | {"player": [names[i] for i in spelling]}


def assert_same(columns, file):
    expected = columns_of(file.events, file.warnings)
    assert plain(columns) == plain(expected)
    assert tuple(columns.file_event(e) for e in range(columns.n_events)) == file.events


def places(rng, size):
    """Competition ranking with ties, in any order."""
    ranked = [1]
    for position in range(2, size + 1):
        ranked.append(rng.choice((position, position, ranked[-1])))
    return rng.sample(ranked, size)


def event_rows(rng, key):
    names = rng.sample(("Ada", *NAMES[3:]), rng.randint(2, 5))
    day = (date(2026, 1, 1) + timedelta(rng.randint(0, 40))).isoformat()
    cells = {name: rng.choice(texts) for name, texts in OF_EVENT.items()}
    rows = []
    for name, place in zip(names, places(rng, len(names)), strict=True):
        row = {"event": key, "date": day, "player": name, "place": str(place)}
        row |= {column: rng.choice(texts) for column, texts in OPTIONAL.items()}
        if name == "Ada":
            row["player"] = rng.choice(NAMES[:3])
        rows.append(row | {column: rng.choice(("", text)) for column, text in cells.items()})
    return rows


def with_re_entry(rows):
    """Let a player of the last place enter a second time, out before all others."""
    last = max(rows, key=lambda row: int(row["place"]))
    again = {**last, "number": "1", "place": str(len(rows) + 1)}
    return [{**row, "number": "2" if row is last else ""} for row in rows] + [again]


def random_file(rng):
    rows = [row for key in ("A", " B", "例会") for row in event_rows(rng, key)]
    rows = with_re_entry(event_rows(rng, "Re")) + rows
    if rng.random() < 0.5:
        rng.shuffle(rows)
    by_columns = [name for name in COLUMNS if name not in BY_ROWS]
    columns = [
        name for name in rng.sample(by_columns, len(by_columns)) if name in REQUIRED or rng.random() < 0.7
    ]
    if rng.random() < 0.5:
        rng.choice(rows)[rng.choice(columns)] = rng.choice(SPOILT)
    out = io.StringIO()
    end, delimiter = rng.choice(("\n", "\r\n")), rng.choice(",;")
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.DictWriter(
        out, columns, extrasaction="ignore", lineterminator=end, delimiter=delimiter, quoting=quoting
    )
    writer.writeheader()
    for row in rows:
        writer.writerow(row)
        out.write(rng.choice(("", "", end)))
    return out.getvalue()


@given(st.integers(0, 10**9))
def test_the_column_reader_reads_what_the_row_reader_reads(seed):
    text = random_file(Random(seed))
    file, columns = read_event_file(text, tz=TOKYO), by_columns(text)
    assert (columns is None) == bool(file.problems)
    if columns is not None:
        assert_same(columns, file)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n" + GOOD,
        GOOD.replace("place", "colour", 1),
        GOOD.replace("place", "place,name", 1).replace("1\n", "1,Final\n").replace("2\n", "2,Final\n"),
        GOOD.replace("place", "place,place", 1),
        "event,date,player,place\n",
        GOOD + ",,,\n",
        GOOD + "A,2026-01-01,Cleo\n",
        GOOD + "A,2026-01-01,Cleo,3,4\n",
        GOOD + 'A,2026-01-01,"Cl\neo",3\n',
        GOOD + 'A,2026-01-01,"Cleo,3\n',
        GOOD.replace("place", '"place\n"', 1),
        GOOD.replace("Boris,2", "Boris,3"),
        GOOD.replace("Boris,2", "ada,2"),
        GOOD.replace("Ada,1", "Ada,0"),
        GOOD.replace("2026-01-01,Boris", "2026-01-02,Boris"),
        GOOD.replace("A,2026-01-01,Boris", ",2026-01-01,Boris"),
        GOOD.replace("Boris", "B" * 61),
        GOOD.replace("\nA", "\n" + "A" * 81),
    ],
)
def test_what_is_wrong_or_unusual_is_left_to_the_row_reader(text):
    assert by_columns(text) is None


@pytest.mark.parametrize(
    ("columns", "ada", "boris"),
    [
        ("number", "1", "3"),
        ("registered_at,closes_at", "0,30", "31,30"),
        ("busted_at", "9", "2025-12-31"),
        ("registered_at,busted_at", "0,9", "9,8"),
        ("ends_at", "2025-12-31", ""),
        ("table_size", "11", ""),
        ("round", "0", ""),
        ("balance", "1", "1e99"),
    ],
)
def test_wrong_values_of_optional_columns_are_left_to_the_row_reader(columns, ada, boris):
    text = f"event,date,player,place,{columns}\nA,2026-01-01,Ada,1,{ada}\nA,2026-01-01,Boris,2,{boris}\n"
    assert read_event_file(text, tz=UTC).problems
    assert by_columns(text, UTC) is None


def test_a_re_entry_below_the_entry_before_it_is_left_to_the_row_reader():
    text = "event,date,player,place,number\nA,2026-01-01,Ada,1,1\nA,2026-01-01,Bo,2,1\nA,2026-01-01,Ada,3,2\n"
    assert read_event_file(text, tz=UTC).problems
    assert by_columns(text, UTC) is None


def test_files_of_several_chunks_have_the_right_lines_and_are_grouped_by_event():
    n = CHUNK + 1
    rows = [f"{key},2026-01-01,P{i},{i + 1}" for i in range(n) for key in "BA"]
    text = "\n".join(["event,date,player,place", "", *rows])
    columns = by_columns(text)
    assert_same(columns, read_event_file(text, tz=TOKYO))
    swapped = columns.reordered(np.array([1, 0]))
    assert (swapped.keys, swapped.line[0], swapped.line[-1]) == (("A", "B"), 4, 2 * n + 1)
    assert swapped.place.tolist() == [*range(1, n + 1)] * 2
