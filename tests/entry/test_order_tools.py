"""Tools of the finishing order: each is a change of its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading.finishing_order.edits import ACTIONS, Edit, apply_edit

ORDER = "Ada\nBoris = Cleo\nDana ko1"


@pytest.mark.parametrize(
    ("edit", "text", "ref"),
    [
        ("4.0:up", ORDER, ""),
        ("3.0:up", "Ada\nDana ko1\nBoris = Cleo", "2.0"),
        ("1.0:up", ORDER, "1.0"),
        ("1.0:down", "Boris = Cleo\nAda\nDana ko1", "2.0"),
        ("3.0:down", ORDER, "3.0"),
        ("2.0:up", "Ada\nBoris\nCleo\nDana ko1", "2.0"),
        ("2.1:up", "Ada\nCleo\nBoris\nDana ko1", "2.0"),
        ("2.0:down", "Ada\nCleo\nBoris\nDana ko1", "3.0"),
        ("3.0:to:1", "Dana ko1\nAda\nBoris = Cleo", "1.0"),
        ("3.0:to:3", "Ada\nBoris = Dana ko1 = Cleo", "2.1"),
        ("1.0:to:4", "Boris = Cleo\nDana ko1\nAda", "3.0"),
        ("1.0:to:x", ORDER, "1.0"),
        ("1.0:to:9999999999", ORDER, "1.0"),
        ("3.0:tie", "Ada\nBoris = Cleo = Dana ko1", "2.2"),
        ("1.0:tie", ORDER, "1.0"),
        ("2.0:tie", "Ada = Boris = Cleo\nDana ko1", "1.1"),
        ("2.1:untie", "Ada\nBoris\nCleo\nDana ko1", "3.0"),
        ("2.0:untie", "Ada\nBoris\nCleo\nDana ko1", "2.0"),
        ("3.0:again", "Ada\nBoris = Cleo\nDana ko1 x2", "3.0"),
        ("2.0:remove", "Ada\nCleo\nDana ko1", ""),
        ("3.0:in:20:15", "Ada\nBoris = Cleo\nDana ko1 in 20:15", "3.0"),
        ("3.0:out:21:00", "Ada\nBoris = Cleo\nDana ko1 @21:00", "3.0"),
        ("3.0:out:soon", ORDER, "3.0"),
        ("3.0:dance", ORDER, ""),
        ("nonsense", ORDER, ""),
    ],
)
def test_a_tool_changes_the_text(edit, text, ref):
    edited = apply_edit(ORDER, Edit.parse(edit), {})
    assert (edited.text, edited.ref) == (text, ref)


@pytest.mark.parametrize(
    ("text", "edit", "changed"),
    [
        ("Ada\nBoris x2 in 20:15 @22:00", "2.0:in:", "Ada\nBoris x2 @22:00"),
        ("Ada\nBoris x2 in 20:15 @22:00", "2.0:in:20:30", "Ada\nBoris x2 @22:00 in 20:30"),
        ("Ada\nBoris x2 in 20:15 @22:00", "2.0:out:", "Ada\nBoris x2 in 20:15"),
        ("Ada\nBoris = Cleo chop", "2.0:up", "Ada\nBoris\nCleo"),
        ("Ada\nBoris x20", "2.0:again", "Ada\nBoris x20"),
        ("Ada\nBoris\nAda #1", "3.0:again", "Ada\nBoris\nAda #1"),
        ("1. Ada\n2. Boris\n3. Cleo", "3.0:up", "Ada\nCleo\nBoris"),
        ("Ada\n\nBoris\n= Cleo", "1.0:down", "Boris = Cleo\nAda"),
        ("Ada\n???=\nBoris", "3.0:up", "Ada\nBoris\n???="),
    ],
)
def test_marks_are_replaced_and_places_before_names_go(text, edit, changed):
    assert apply_edit(text, Edit.parse(edit), {}).text == changed


NAMES = {"Ada", "Boris", "Cleo", "Dana", "Emil"}
PARTS = st.sampled_from(["Ada", "Boris x2", "Cleo ko1 @21:00", "Dana in 20:15", "Emil chop", "x2", "?=?"])
LINES = st.lists(st.lists(PARTS, min_size=1, max_size=3).map(" = ".join), min_size=1, max_size=6)
EDITS = st.tuples(st.integers(1, 6), st.integers(0, 2), st.sampled_from([*ACTIONS]), st.integers(1, 9))


def words_of(text):
    """The names, and all marks but those that a move may remove: ties and chops."""
    words = [part for part in text.replace("=", " ").split() if part != "chop"]
    return sorted(words), sum(word in NAMES for word in words)


@given(LINES, EDITS)
def test_no_tool_loses_or_invents_a_name(lines, pressed):
    line, position, action, value = pressed
    text = "\n".join(lines)
    edited = apply_edit(text, Edit(f"{line}.{position}", action, str(value)), {})
    (words, n_names), (words_after, n_after) = words_of(text), words_of(edited.text)
    assert n_names - n_after in ({0, 1} if action == "remove" else {0})
    if action not in {"remove", "again", "in", "out"}:
        assert words == words_after
