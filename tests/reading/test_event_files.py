"""Event files: the values read, and each possible problem with its line and column."""

from datetime import UTC, datetime
from decimal import Decimal
from itertools import permutations
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading.event_files.reader import COLUMNS, read_event_file
from reading.results import EventDetails
from reading.tables.formats.decoding import Unreadable, candidates

TOKYO = ZoneInfo("Asia/Tokyo")
GOOD = """event,date,player,place,number,registered_at,busted_at,starts_at,ends_at,closes_at,table_size,final_table_size
n1,2026-01-13T19:30,Ada,1,1,0,,,240,90,8,9
n1,2026-01-13T19:30,Boris,2,2,60,230.5,,240,90,8,9
n1,2026-01-13T19:30,Boris,4,1,0,50,,240,90,8,9
n1,2026-01-13T19:30,Cleo,2,1,0,2026-01-13T23:20:30,,240,90,8,9

n2,2026-01-20,Ada,1
n2,2026-01-20,Cleo,2
"""


def read(text):
    return read_event_file(text, tz=TOKYO)


def rows(*lines, header="event,date,player,place"):
    return "\n".join([header, *lines])


def messages(text):
    return [str(problem) for problem in read(text).problems]


def test_a_good_file_is_read_to_the_last_cell():
    file = read(GOOD)
    assert (file.problems, file.warnings) == ((), ())
    first, second = file.events
    start = datetime(2026, 1, 13, 19, 30, tzinfo=TOKYO)
    assert first.key == "n1"
    assert first.details == EventDetails(
        starts_at=start,
        ends_at=start.replace(hour=23),
        closes_at=start.replace(hour=21, minute=0),
        table_size=8,
        final_table_size=9,
    )
    assert first.details.ends_at.replace(minute=30) == start.replace(hour=23, minute=30)
    assert [(entry.name, entry.place, entry.number) for entry in first.entries] == [
        ("Ada", 1, 1),
        ("Boris", 2, 2),
        ("Boris", 4, 1),
        ("Cleo", 2, 1),
    ]
    assert first.entries[1].busted_at == datetime(2026, 1, 13, 14, 20, 30, tzinfo=UTC)
    assert first.entries[3].busted_at == start.replace(hour=23, minute=20, second=30)
    assert second.details == EventDetails(starts_at=datetime(2026, 1, 20, tzinfo=TOKYO))
    assert second.line == 7


def test_a_start_in_another_zone_is_the_same_moment():
    file = read(rows("n1,2026-01-13T10:30Z,Ada,1", "n1,2026-01-13T10:30Z,Boris,2"))
    assert file.events[0].details.starts_at == datetime(2026, 1, 13, 19, 30, tzinfo=TOKYO)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_japanese_names_come_through_in_each_encoding(encoding):
    text = rows("例会,2026-01-13,髙橋ひろ子,1", "例会,2026-01-13,ソニア〜表,2")
    file = read(candidates(text.encode(encoding))[0].text)
    assert file.problems == ()
    assert file.events[0].key == "例会"
    assert file.events[0].entries[0].name == "髙橋ひろ子"


def test_a_byte_order_mark_that_was_left_in_the_text_does_no_harm():
    assert read("\ufeff" + GOOD) == read(GOOD)


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x01\x02",
        b"%PDF-1.7\n",
    ],
)
def test_what_is_no_text_is_refused(data):
    with pytest.raises(Unreadable):
        candidates(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The file is empty."),
        ("\n ,,\n", "The file is empty."),
        (
            "event,date,player\nn1,2026-01-13,Ada",
            "line 1: The first line must name the columns; missing: place.",
        ),
        ("n1,2026-01-13,Ada,1", "missing: event, date, player, place."),
        ("event,date,player,place,Place\nn1,2026-01-13,Ada,1,1", "line 1: A column stands twice"),
        ("event,date,player,place", "no entries"),
        ("event,date,player,place\n" + "x,,,\n" * 50_001, "50001 entries are too many"),
        ('event,date,player,place\n"' + "x" * 200_000, "not CSV"),
    ],
)
def test_a_file_that_is_no_table_is_refused_whole(text, message):
    file = read(text)
    assert file.events == ()
    assert len(file.problems) == 1
    assert message in str(file.problems[0])


def test_a_column_nobody_knows_is_named_and_left_out():
    file = read(
        rows("n1,2026-01-13,Ada,1,red", "n1,2026-01-13,Boris,2,blue", header="event,date,player,place,shirt")
    )
    assert file.problems == ()
    assert file.warnings == ("The column “shirt” is not known and was not read.",)


def test_empty_columns_at_the_end_are_no_columns():
    file = read(rows("n1,2026-01-13,Ada,1,,", "n1,2026-01-13,Boris,2,,", header="event,date,player,place,,"))
    assert (file.problems, file.warnings) == ((), ())


FULL = ",".join(COLUMNS[:12])
WITH_BALANCE = "event,date,player,place,balance"
BAD_CELLS = [
    ("event", "", "an identifier of 1 to 80 characters"),
    ("date", "2026-01-14", "differs from the line above"),
    ("player", "", "A name is missing"),
    ("player", "a" * 61, "61 characters"),
    ("player", "A\x07da", "invisible control character"),
    ("place", "", "“” is no whole number"),
    ("place", "0", "is no whole number from 1"),
    ("place", "-1", "is no whole number"),
    ("place", "1.5", "is no whole number"),
    ("place", "²", "is no whole number"),
    ("place", "9" * 5_000, "is no whole number"),
    ("number", "0", "is no whole number from 1 to 20"),
    ("number", "101", "is no whole number from 1 to 20"),
    ("registered_at", "soon", "“soon” is no date"),
    ("registered_at", "200", "is out before registering"),
    ("busted_at", "-5", "is no date"),
]


@pytest.mark.parametrize(("column", "cell", "message"), BAD_CELLS)
def test_a_bad_cell_is_reported_with_its_line_and_column(column, cell, message):
    good = dict.fromkeys(FULL.split(","), "") | {"event": "n1", "date": "2026-01-13", "busted_at": "100"}
    lines = [
        good | {"player": name, "place": str(place)} for place, name in enumerate(("Ada", "Boris", "Cleo"), 1)
    ]
    lines[1] = lines[1] | {column: cell}
    file = read(rows(*(",".join(line.values()) for line in lines), header=FULL))
    assert len(file.problems) == 1, file.problems
    problem = file.problems[0]
    assert (problem.line, problem.column) == (3, "busted_at" if "before registering" in message else column)
    assert message in problem.message
    assert "n1" not in [event.key for event in file.events]


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("event", "n" * 81, "an identifier of 1 to 80 characters"),
        ("date", "", "“” is no date"),
        ("date", "13.1.2026", "“13.1.2026” is no date"),
        ("date", "2026-02-30", "is no date"),
        ("date", "0001-01-01", "too far away"),
        ("date", "2500-01-01", "too far away"),
        ("starts_at", "late", "is no date"),
        ("ends_at", "2026-01-12", "ends before it starts"),
        ("closes_at", "x", "is no date"),
        ("table_size", "1", "from 2 to 10"),
        ("table_size", "00000000000999", "from 2 to 10"),
        ("final_table_size", "11", "from 2 to 10"),
    ],
)
def test_a_bad_cell_of_the_event_is_reported_with_its_column(column, cell, message):
    good = {"event": "n1", "date": "2026-01-13"} | {column: cell}
    lines = [
        ",".join((good | {"player": name, "place": str(i)}).values())
        for i, name in enumerate(("Ada", "Boris"), 1)
    ]
    file = read(rows(*lines, header=",".join((good | {"player": "", "place": ""}).keys())))
    assert file.events == ()
    assert {problem.column for problem in file.problems} == {column}
    assert message in file.problems[0].message


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Ada,1,1", "Boris,2,2"], ["line 3, number: Boris has entry 2, but no entry 1 in the event n1"]),
        (["Ada,1,1", "Boris,2,1", "ada,3,1"], ["line 4, player: ada has entry 1 twice in the event n1"]),
        (["Ada,1,1", "Boris,3,1"], ["line 3, place: place 3 should be 2 in the event n1"]),
        (["Ada,2,1", "Boris,3,1"], ["line 2, place: the event n1 has no place 1"]),
        (["Ada,1,1", "B,2,1", "C,2,1", "D,3,1"], ["line 5, place: place 3 should be 4 in the event n1"]),
        (["Ada,1,1"], ["line 2, player: the event n1 has one player only"]),
        (["Ada,1,2", "Ada,2,1"], ["line 2, player: the event n1 has one player only"]),
        (["Ada,1,1", "B,2,1", "C,2,1", "D,4,1"], []),
        (["D,4,1", "C,2,1", "Ada,1,1", "B,2,1"], []),
        (["Ada,1,1", "B,1,1"], []),
        (["Ada,1,2", "B,2,1", "Ada,3,1"], []),
    ],
)
def test_players_numbers_and_places_fit_together(lines, expected):
    header = "event,date,player,place,number"
    assert messages(rows(*(f"n1,2026-01-13,{line}" for line in lines), header=header)) == expected


def test_three_bad_lines_are_all_told_and_no_false_ones_follow_from_them():
    text = rows(
        "n1,2026-01-13,Ada,1",
        "n1,2026-01-13,,2",
        "n1,2026-01-13,Cleo,three",
        "n1,2026-01-13,Dana,4",
        "n2,yesterday,Ada,1",
    )
    assert [(problem.line, problem.column) for problem in read(text).problems] == [
        (3, "player"),
        (4, "place"),
        (6, "date"),
    ]


def test_an_event_without_a_single_good_line_is_no_failure():
    assert [
        (problem.line, problem.column)
        for problem in read(rows("n1,2026-01-13,,1", "n1,2026-01-13,Ada,x")).problems
    ] == [
        (2, "player"),
        (3, "place"),
    ]


def test_more_cells_than_columns_are_reported():
    assert messages(rows("n1,2026-01-13,Ada,1,9", "n1,2026-01-13,Boris,1", "n1,2026-01-13,Cleo,2"))[0] == (
        "line 2: more cells than the first line has columns (n1, Ada)"
    )


@pytest.mark.parametrize(
    ("cell", "balance"),
    [
        ("", None),
        ("0", 0.0),
        ("54900", 54_900.0),
        ("+54.9", 54.9),
        (".5", 0.5),
        ("-48.8", -48.8),
        ("−48.8", -48.8),
        ("▲48.8", -48.8),
        ("-1e+3", -1_000.0),
        ("1000000000", 1e9),
    ],
)
def test_a_balance_is_carried(cell, balance):
    file = read(rows(f"n1,2026-01-13,Ada,1,{cell}", "n1,2026-01-13,Boris,2", header=WITH_BALANCE))
    assert file.problems == ()
    expected = None if balance is None else Decimal(str(balance))
    assert [entry.balance for entry in file.events[0].entries] == [expected, None]
    assert file.events[0].lines == (2, 3)


@pytest.mark.parametrize(
    "cell",
    [
        "x",
        "1_000",
        "nan",
        "inf",
        "1e999",
        "1000000001",
        "--1",
        "-",
        ".",
        "1.2.3",
        "0x10",
        "5 000",
        "9" * 5_000,
    ],
)
def test_a_bad_balance_is_reported_with_its_line_event_player_and_column(cell):
    file = read(rows("n1,2026-01-13,Ada,1", f"n1,2026-01-13,Boris,2,{cell}", header=WITH_BALANCE))
    message = f"line 3, balance: “{cell}” is no number from -1000000000 to 1000000000 (n1, Boris)"
    assert [str(problem) for problem in file.problems] == [message]
    assert file.events == ()


CELL = st.sampled_from(
    [
        "",
        "n1",
        "n2",
        "Ada",
        "Boris",
        "1",
        "2",
        "2026-01-13",
        "9999999",
        "٣",
        "1.",
        ".",
        '"',
        "x",
        "\x07",
        "100",
    ]
)


@given(st.lists(st.lists(CELL, min_size=1, max_size=13).map(",".join), max_size=6), st.booleans())
def test_any_table_is_read_without_a_failure(lines, is_full):
    file = read(rows(*lines, header=FULL if is_full else "event,player,place,date"))
    assert file.events or file.problems


@given(st.text(max_size=80))
def test_any_text_is_read_without_a_failure(text):
    assert read(text).problems


def test_a_re_entry_cannot_finish_below_the_entry_before_it():
    file = read(
        "event,date,player,place,number\nn,2026-01-13,Ada,1,1\nn,2026-01-13,Boris,2,1\nn,2026-01-13,Ada,3,2"
    )
    assert [(problem.line, problem.column) for problem in file.problems] == [(4, "place")]
    assert "entry 2 of Ada finishes below entry 1" in file.problems[0].message


TIMED = "event,date,player,place,registered_at,busted_at,starts_at,closes_at"


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_minutes_count_from_the_start_whichever_row_tells_it(order):
    lines = ["n,2026-01-13,Ada,1,10,,,", "n,,Boris,2,,100,2026-01-13T19:30,", "n,,Cleo,3,0,50,,90"]
    (event,) = read(rows(*(lines[i] for i in order), header=TIMED)).events
    assert event.details.starts_at == datetime(2026, 1, 13, 19, 30, tzinfo=TOKYO)
    assert event.details.closes_at == datetime(2026, 1, 13, 21, 0, tzinfo=TOKYO)
    assert [event.entries[order.index(i)].name for i in range(3)] == ["Ada", "Boris", "Cleo"]
    assert event.entries[order.index(0)].registered_at == datetime(2026, 1, 13, 19, 40, tzinfo=TOKYO)
    assert event.entries[order.index(1)].busted_at == datetime(2026, 1, 13, 21, 10, tzinfo=TOKYO)
    assert event.lines == (2, 3, 4)


def test_a_wrong_start_is_reported_once_at_its_line_with_all_else_that_is_wrong():
    lines = [
        "n,2026-01-13,Ada,1,2026-01-13T19:00,10,,",
        "n,,Boris,two,,,late,",
        "n,,Cleo,3,soon,,late,",
        "m,2026-01-13,Ada,2,,,,",
        "m,2026-01-13,Boris,3,,,,",
    ]
    positions = [(problem.line, problem.column) for problem in read(rows(*lines, header=TIMED)).problems]
    assert positions == [(3, "starts_at"), (3, "place"), (4, "registered_at"), (5, "place")]
