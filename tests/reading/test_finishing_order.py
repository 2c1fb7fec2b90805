"""Finishing orders: how each line is read, and the messages about lines that cannot be read."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reading.finishing_order.lines import lines_of
from reading.finishing_order.order import apply_fix, describe, read_finishing_order
from reading.names.keys import name_key
from tests.factories import names

START = datetime(2026, 1, 6, 19, 30, tzinfo=ZoneInfo("Asia/Tokyo"))
KNOWN = {name_key(name): (number, name) for number, name in enumerate(("Pilcrow", "Hale", "Ñandú"), start=1)}


def read(text, known=KNOWN):
    return read_finishing_order(text, known=known, starts_at=START)


def places(text):
    order = read(text)
    assert order.is_ready, [line.error or line.question for line in order.lines] + [order.error]
    return [(finisher.name, finisher.place) for finisher in order.finishers]


def problem(text, line=None):
    """Return the message about a text, which must not be ready."""
    order = read(text)
    assert not order.is_ready
    if line is None:
        assert order.error
        return order.error
    return order.lines[line - 1].error


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada\nBoris\nCleo", [("Ada", 1), ("Boris", 2), ("Cleo", 3)]),
        ("Ada\nBoris = Cleo\nDana", [("Ada", 1), ("Boris", 2), ("Cleo", 2), ("Dana", 4)]),
        ("Ada\nBoris\n= Cleo\nDana", [("Ada", 1), ("Boris", 2), ("Cleo", 2), ("Dana", 4)]),
        ("Ada=Boris\n=Cleo\nDana", [("Ada", 1), ("Boris", 1), ("Cleo", 1), ("Dana", 4)]),
        ("Ada = Boris\nCleo = Dana", [("Ada", 1), ("Boris", 1), ("Cleo", 3), ("Dana", 3)]),
        ("\n  \nAda\n\n\nBoris\n\t\n", [("Ada", 1), ("Boris", 2)]),
        ("1. Ada\n2. Boris\n3) Cleo", [("Ada", 1), ("Boris", 2), ("Cleo", 3)]),
        ("1\tAda\n2\tBoris", [("Ada", 1), ("Boris", 2)]),
        ("Ada\tLovelace\nBoris", [("Ada Lovelace", 1), ("Boris", 2)]),
        ("Ａｄａ\nBoris　＝　Cleo", [("Ada", 1), ("Boris", 2), ("Cleo", 2)]),
        ("Ada\r\nBoris\rCleo", [("Ada", 1), ("Boris", 2), ("Cleo", 3)]),
        ("  Ada   B  \nBoris", [("Ada B", 1), ("Boris", 2)]),
        ("1st Ada\n2nd. Boris\n3RD Cleo\n4th Dana", [("Ada", 1), ("Boris", 2), ("Cleo", 3), ("Dana", 4)]),
        ("1位 トム\n２位：Ada\n第3位Boris", [("トム", 1), ("Ada", 2), ("Boris", 3)]),
        ("①Ada\n ② Boris\n③Cleo", [("Ada", 1), ("Boris", 2), ("Cleo", 3)]),
        ("1.Ada\n(2) Boris\n3)Cleo", [("Ada", 1), ("Boris", 2), ("Cleo", 3)]),
        ("1\tAda\t5\n2\tBoris\t3.5\t40%", [("Ada", 1), ("Boris", 2)]),
        ("Ada\t5\t−20\nBoris\t\t3", [("Ada", 1), ("Boris", 2)]),
        ("1st Ada (new)\n2nd Boris", [("1st Ada", 1), ("Boris", 2)]),
        ("pilcrow\nHALE", [("Pilcrow", 1), ("Hale", 2)]),
    ],
)
def test_names_become_places(text, expected):
    assert places(text) == expected


@pytest.mark.parametrize(
    "text", ["Ada x2", "Ada ×2", "Ada X2", "Ada ｘ２", "1. Ada x2", "Ada x2 @21:40", "Ada @21:40 x2"]
)
def test_several_entries_are_written_with_a_times_sign(text):
    order = read(f"{text}\nBoris")
    assert order.is_ready
    assert (order.finishers[0].name, order.finishers[0].n_entries) == ("Ada", 2)
    assert (order.n_players, order.n_entries) == (2, 3)
    assert describe(order) == "2 players, 3 entries."


def test_an_earlier_entry_with_a_known_place_counts_once():
    order = read("Ada\nBoris\nAda #1\nCleo")
    assert order.is_ready
    assert [(finisher.name, finisher.number, finisher.place) for finisher in order.finishers][2] == (
        "Ada",
        1,
        3,
    )
    assert (order.n_players, order.n_entries) == (3, 4)


@pytest.mark.parametrize(
    ("typed", "moment"),
    [
        ("@21:40", (6, 21, 40)),
        ("@ 21:40", (6, 21, 40)),
        ("＠２１：４０", (6, 21, 40)),
        ("@19:30", (6, 19, 30)),
        ("@24:30", (7, 0, 30)),
        ("@0:15", (7, 0, 15)),
        ("@00:15", (7, 0, 15)),
        ("@25:10", (7, 1, 10)),
    ],
)
def test_times_of_bust_run_past_midnight(typed, moment):
    order = read(f"Ada\nBoris {typed}")
    day, hour, minute = moment
    assert order.is_ready
    assert order.finishers[1].busted_at == START.replace(day=day, hour=hour, minute=minute)


def test_times_go_down_with_the_places():
    assert read("Ada\nBoris @00:15\nCleo @23:50\nDana\nEmil @20:00").is_ready
    assert "later than Cleo" in problem("Ada\nBoris @22:00\nCleo @21:00\nDana @21:30", line=4)
    assert read("Ada @22:00 = Boris @22:00\nCleo @22:00").is_ready


@pytest.mark.parametrize(
    "text",
    [
        "Ada @21:40 = Boris @21:45",
        "Ada @21:45 = Boris @21:40",
        "Ada @21:40\n= Boris @21:45",
        "Ada @21:40\n\n= Boris = Cleo @21:45",
        "Ada @21:50\nBoris @21:40 = Cleo @21:45\nDana @21:40",
        "Ada\nBoris @21:40 = Cleo @21:45\nDana @21:40 = Emil @21:39",
    ],
)
def test_tied_players_may_have_gone_out_at_different_times(text):
    assert read(text).is_ready


@pytest.mark.parametrize(
    ("text", "line", "above"),
    [
        ("Ada @21:40 = Boris @21:45\nCleo @21:42", 2, "Ada"),
        ("Ada @21:45\n= Boris @21:40\n\nCleo @21:42", 4, "Boris"),
        ("Ada @21:44\nBoris @21:40 = Cleo @21:45\nDana @21:39", 2, "Ada"),
        ("Ada @21:44\nBoris @21:40\n= Cleo @21:45", 3, "Ada"),
        ("Ada @21:40\nBoris\nCleo = Dana @21:41", 3, "Ada"),
    ],
)
def test_nobody_goes_out_later_than_whoever_has_a_better_place(text, line, above):
    assert f"later than {above}" in problem(text, line)
    assert sum(bool(line.error) for line in read(text).lines) == 1


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Ada\nBoris\nada", 3, "ada already stands in line 1"),
        ("Ada\nBoris = Ada", 2, "Ada already stands in line 1"),
        ("Ada = Ada\nBoris", 1, "Ada already stands in line 1"),
        ("Ada\nＡＤＡ\nBoris", 2, "already stands in line 1"),
        ("Ada\nBo\x07ris", 2, "invisible control character"),
        ("Ada\nBo\u200bris", 2, "invisible control character"),
        ("Ada\nBo\x00ris", 2, "invisible control character"),
        ("= Ada\nBoris", 1, "no line above"),
        ("Ada x0\nBoris", 1, "0 entries: write x1 to x20"),
        ("Ada x99\nBoris", 1, "99 entries: write x1 to x20"),
        ("Ada\nBoris\nAda #0", 3, "#0 is no entry number"),
        ("Ada\nBoris\nAda #20", 3, "#20 is no entry number"),
        ("Ada\nBoris\nAda #2", 3, "Ada has an entry #2, but no entry #1"),
        ("Ada\nBoris\nCleo #1", 3, "Cleo has an entry #1, but no last entry above it"),
        ("Ada #1\nAda\nBoris", 1, "no last entry above it"),
        ("Ada\nBoris\nAda #1\nAda #1", 4, "already stands in line 3"),
        ("Ada\nBoris @19:75", 2, "no time of day"),
        ("Ada\nBoris @33:00", 2, "no time of day"),
        ("Ada =\nBoris", 1, "A name is missing"),
        ("Ada\n=", 2, "A name is missing"),
        ("x2\nBoris", 1, "A name is missing"),
        (f"{'a' * 61}\nBoris", 1, "61 characters; 60 is the most"),
    ],
)
def test_an_impossible_line_has_its_message_beside_it(text, line, message):
    if line is None:
        assert places(text)[0] == ("x2", 1)  # without a name before it, "x2" is a name itself
        return
    assert message in problem(text, line)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least two names"),
        (" \n\n", "at least two names"),
        ("Ada", "One player alone"),
        ("Ada x3", "One player alone"),
        ("Ada\nAda #1", "One player alone"),
        ("\n" * 5_001, "5001 lines are more than"),
    ],
)
def test_what_is_no_result_as_a_whole(text, message):
    assert message in problem(text)


@pytest.mark.parametrize("sign", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_line_ends_end_a_line(sign):
    text = f"Ada\nBo{sign}ris"
    line = read(text).lines[1]
    assert "invisible control character" in line.error
    one, two = line.fixes
    assert places(apply_fix(text, f"2:{one.text}")) == [("Ada", 1), ("Bo ris", 2)]
    assert places(apply_fix(text, f"2:{two.text}")) == [("Ada", 1), ("Bo", 2), ("ris", 3)]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("Ada\nBoris #2", 2, [("Ada", 1), ("Boris", 2)]),
        ("Ada = Cleo #1 @21:40\nBoris", 1, [("Ada", 1), ("Cleo", 1), ("Boris", 3)]),
        ("Ada\nBoris\nAda #3", 3, [("Ada", 1), ("Boris", 2), ("Ada", 3)]),
        ("= Ada\nBoris", 1, [("Ada", 1), ("Boris", 2)]),
        ("Ada =\nBoris", 1, [("Ada", 1), ("Boris", 2)]),
        ("Ada\n= Boris =\nCleo", 2, [("Ada", 1), ("Boris", 1), ("Cleo", 3)]),
        (f"{'a' * 40}, {'b' * 40} x2", 1, [("a" * 40, 1), ("b" * 40, 2)]),
        ("Ada\n=\nBoris", 2, [("Ada", 1), ("Boris", 2)]),
    ],
)
def test_a_wrong_mark_can_be_put_right_by_its_button(text, line, expected):
    (fix,) = read(text).lines[line - 1].fixes
    assert places(apply_fix(text, f"{fix.line}:{fix.text or ''}")) == expected


def test_a_thousand_lines_are_read():
    text = "\n".join(names(1_000))
    order = read(text, known={})
    assert order.is_ready
    assert [finisher.place for finisher in order.finishers] == list(range(1, 1_001))


@pytest.mark.parametrize("mark", ["(new)", "(NEW)", "(新規)", "（新規）"])
def test_a_new_guest_may_have_a_name_like_anothers(mark):
    order = read(f"Ada\nPilcro {mark}")
    assert order.is_ready
    assert order.finishers[1].player_id is None


def test_a_repeat_and_a_control_character_can_be_put_right_by_their_button():
    text = "Ada\nBo\x07ris\nAda"
    clean = read(text).lines[1].fixes[0]
    text = apply_fix(text, f"{clean.line}:{clean.text}")
    repeat = read(text).lines[2].fixes[0]
    assert repeat.text is None
    assert places(apply_fix(text, f"{repeat.line}:")) == [("Ada", 1), ("Boris", 2)]


@pytest.mark.parametrize("fix", ["", ":", "0:x", "9:x", "x:y", "-1:x", "²:x", "1" * 5_000 + ":x", "1.5:x"])
def test_a_remedy_for_no_line_changes_nothing(fix):
    assert apply_fix("Ada\nBoris", fix) == "Ada\nBoris"


LINE = st.one_of(
    st.text(max_size=30),
    st.builds(
        "".join,
        st.lists(
            st.sampled_from(
                ["Ada", "Boris", "Pilcro", "Ñandú", " ", "=", " x2", " ×3", " #1", " #2", " @21:40", " @99:99",
                 " (new)", "1. ", "2\t", "\x07", "\u200b", "ﷺ", "İ", "٣", "＝", "x²", "\ud800"]
            ),
            max_size=6,
        ),
    ),
)  # fmt: skip


@given(st.lists(LINE, max_size=12).map("\n".join), st.text(max_size=20))
@example("Ada x٣\nBoris @٢١:٤٠", "²:x")
@example("\u2028\x85\x0b=\x1c", "1:")
def test_any_text_is_read_without_a_failure(text, fix):
    order = read(text)
    assert len(order.lines) == len(lines_of(text))
    assert isinstance(describe(order), str)
    assert isinstance(apply_fix(text, fix), str)
    if not order.is_ready:
        waits = order.understood.n_open or any(line.error or line.question for line in order.lines)
        assert order.error or waits
        return
    ranking = [finisher.place for finisher in order.finishers]
    assert ranking == [1 + sum(other < place for other in ranking) for place in ranking]
    assert order.n_entries >= order.n_players >= 2
    keys = [(name_key(finisher.name), finisher.number) for finisher in order.finishers]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    "name",
    [
        "Hugo ko",
        "Anna x",
        "Jonas cost",
        "x2 Dieter",
        "Ada cost 12,50",
        "Ada cost ¥3000",
        "Ada ko1000",
        "Ada cost 1e3",
        "Ada @2140",
    ],
)
def test_a_mark_that_was_not_read_is_asked_about(name):
    order = read_finishing_order(f"{name}\nBoris", known={}, starts_at=START)
    assert not order.is_ready
    assert f"Is “{name.replace('¥', '¥')}” a name?" in order.lines[0].question
    answered = apply_fix(f"{name}\nBoris", f"1:{order.lines[0].fixes[0].text}")
    assert read_finishing_order(answered, known={}, starts_at=START).is_ready


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Tom 21:40", "Tom @21:40"),
        ("Tom\t21:40", "Tom @21:40"),
        ("Tom 2x", "Tom x2"),
        ("Tom*2", "Tom x2"),
        ("Tom * 2 @21:40", "Tom x2 @21:40"),
        ("4 Tom", "Tom"),
        ("4: Tom", "Tom"),
        ("4 - Tom", "Tom"),
        ("#4 Tom", "Tom"),
        ("- Tom", "Tom"),
        ("• Tom", "Tom"),
        ("Tom, Cleo, Eve", "Tom\nCleo\nEve"),
        ("Tom、Cleo", "Tom\nCleo"),
        ("Tom > Cleo x2", "Tom\nCleo x2"),
    ],
)
def test_what_is_pasted_otherwise_is_asked_about_and_each_answer_settles_it(typed, meant):
    text = f"Ada\n{typed}"
    line = read(text).lines[1]
    assert line.question
    yes, guest = line.fixes
    assert apply_fix(text, f"2:{yes.text}") == f"Ada\n{meant}"
    assert read(apply_fix(text, f"2:{yes.text}")).is_ready
    assert read(apply_fix(text, f"2:{guest.text}")).n_players == 2
    assert read(apply_fix(text, f"2:{guest.text}")).is_ready


@pytest.mark.parametrize("name", ["12", "3位", "21:40 Tom"])
def test_what_is_no_name_alone_is_asked_about(name):
    assert "a name?" in read(f"Ada\n{name}").lines[1].question
    assert read(f"Ada\n{name} (new)").is_ready


@pytest.mark.parametrize("name", ["3rd Ada", "4 Boris", "Tom, Eve", "Tom 21:40"])
def test_whoever_is_called_so_is_not_asked_about(name):
    known = {name_key(name): (7, name)}
    assert read(f"{name} x2\nAda", known).is_ready
    assert read(f"{name} x2\nAda", known).finishers[0].player_id == 7


@pytest.mark.parametrize(
    "name", ["Mariko", "Max", "Xerxes", "R2D2", "Costello", "Ko", "Alex 2", "x-ray", "007", "7of9"]
)
def test_ordinary_new_names_are_not_asked_about(name):
    assert read_finishing_order(f"{name}\nBoris", known={}, starts_at=START).is_ready


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("1. Ada ko3\n2. Boris\n2. Cleo", [3]),
        ("1st Ada ko3\n2nd Boris\n3rd Cleo", []),
        ("① Ada ko1\n① Boris\n③ Cleo", []),  # after a tie a place is skipped: nothing is left to ask
        ("1. Ada ko1\n3. Boris\n2. Cleo", [2, 3]),
        ("1. Ada ko1\n2. Boris\n5. Cleo", [3]),
        ("1. Ada ko1\n2. Boris\n= Cleo\n4. Dana", []),
    ],
)
def test_places_that_are_written_twice_or_backwards_are_asked_about(text, asked):
    order = read(text)
    assert [line.number for line in order.lines if line.question] == asked
    for line in order.lines:
        assert all(fix.text.lstrip("= ")[0].isalnum() for fix in line.fixes)


def test_a_tie_that_was_asked_about_is_one():
    text = "1. Ada ko3\n2. Boris\n2. Cleo"
    fix = read(text).lines[2].fixes[0]
    order = read(apply_fix(text, f"{fix.line}:{fix.text}"))
    assert order.is_ready
    assert [finisher.place for finisher in order.finishers] == [1, 2, 2]
