"""Names that look like marks: what quotes and known players make of them in a finishing order."""

from datetime import datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reading.finishing_order.lines import as_written
from reading.finishing_order.order import apply_fix, read_finishing_order
from reading.names.keys import name_key
from reading.names.rules import clean_name, name_problem

START = datetime(2026, 1, 6, 19, 30).astimezone()
MARKS = [
    "x10", "X58", "Ada #1", "1. FC Ada", "Cenith=Gp", "DJ @12:30", "Bram x2", "Lee (new)", "#1", "7) Ann", "3rd Ada",
    "1位", "Tom, Eve", '"Fox"', '"Fox" Smith', 'Joe "Fox"', '"', "“Fox”", "Ada chop", "Ada in 20:15", "chop", "ko3",
]  # fmt: skip


def club(*names):
    return {name_key(name): (number, name) for number, name in enumerate(names, start=1)}


def read(text, *known):
    return read_finishing_order(text, known=club(*known), starts_at=START)


def names_in(text, *known):
    order = read(text, *known)
    assert not [line for line in order.lines if line.error or line.question]
    return [finisher.name for finisher in order.finishers]


@pytest.mark.parametrize("name", [name for name in MARKS if name != '"'])
def test_quotes_make_anything_a_name(name):
    text = f"Boris\n{as_written(name)} x2 @21:40"
    order = read(text)
    assert [line.error for line in order.lines] == ["", ""]
    finisher = order.finishers[-1]
    assert (finisher.name, finisher.n_entries, f"{finisher.clock:%H:%M}") == (name, 2, "21:40")


@pytest.mark.parametrize(
    "text", ['"Ada #1"', "“Ada #1”", "„Ada #1“", "＂Ada #1＂", '1. "Ada #1"', '1st "Ada #1"']
)
def test_all_quotes_do(text):
    assert names_in(f"Boris\n{text}") == ["Boris", "Ada #1"]


def test_ties_of_quoted_names():
    assert names_in('"Cenith=Gp" = "A = B" x2 = Ada\n= "1. FC"') == ["Cenith=Gp", "A = B", "Ada", "1. FC"]


@pytest.mark.parametrize(
    "name", ["x10", "Ada #1", "1. FC Ada", "Cenith=Gp", "DJ @12:30", "3rd Ada", "Tom, Eve"]
)
def test_a_known_player_needs_no_quotes(name):
    order = read(f"Boris\n{name}\n{name.swapcase()} #1", name)
    assert [finisher.name for finisher in order.finishers] == ["Boris", name, name]
    assert order.finishers[-1].number == 1


def test_a_mark_is_a_mark_where_the_player_without_it_is_known():
    order = read("Ada\nBoris\nAda #1", "Ada", "Ada #1")
    assert [(finisher.name, finisher.number) for finisher in order.finishers][-1] == ("Ada", 1)
    assert names_in('Ada\nBoris\n"Ada #1"', "Ada", "Ada #1")[-1] == "Ada #1"


def test_a_quote_that_is_not_closed_is_said_and_closed_by_its_button():
    text = 'Boris\n"Ada #1'
    line = read(text).lines[1]
    assert line.error == "The quote before the name is not closed."
    [fix] = line.fixes
    assert names_in(apply_fix(text, f"2:{fix.text}")) == ["Boris", "Ada #1"]


def test_a_mark_alone_may_be_a_name():
    text = "Boris\nx10"
    line = read(text).lines[1]
    assert line.error == "A name is missing."
    [fix] = line.fixes
    assert fix.label == "It is a name"
    assert names_in(apply_fix(text, f"2:{fix.text}")) == ["Boris", "x10"]


def test_a_stored_name_that_would_not_be_taken_today_is_still_read():
    assert names_in("Boris\n-", "-") == ["Boris", "-"]


PARTS = st.sampled_from(
    [
        "Ada",
        "Boris",
        " ",
        "=",
        " x2",
        " #1",
        " @21:40",
        " (new)",
        "1. ",
        "1st ",
        '"',
        "“",
        "”",
        ",",
        " ko3",
        " chop",
        "位",
    ]
)
NAME = st.lists(PARTS, min_size=1, max_size=5).map(lambda parts: clean_name("".join(parts)))


@pytest.mark.rest
@given(st.lists(NAME, min_size=2, max_size=6, unique_by=name_key))
def test_every_name_is_read_back(names):
    """A form opens with the names of stored players and is saved with the same ones."""
    assume(not any(name_problem(name) for name in names))
    text = "\n".join(as_written(name) for name in names)
    assert names_in(text, *names) == names
    assert [finisher.typed for finisher in read(text).finishers] == names
    again = f"{text}\n{as_written(names[0])} #1"
    assert names_in(again, *names) == [*names, names[0]]
