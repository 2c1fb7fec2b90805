"""Messages of a chat as results: what is a player, what stands around the names, what is nobody.

The members are those of tests/data/input and of the reports that these texts are modelled on.
"""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading.finishing_order.edits import Edit, apply_edit
from reading.finishing_order.order import (
    apply_fix,
    read_finishing_order,
    turned_round,
    without_places,
)
from reading.tables.pasted import read_pasted

MEMBERS = ("Ann Lee", "Bob Ray", "Cid Moe", "Dot Fay", "Lena Voss", "Tom Hale", "Kit Marsh", "Anders Holm")
KNOWN = {name.casefold(): (number, name) for number, name in enumerate(MEMBERS, start=1)}
START = datetime(2026, 1, 13, 19, 30, tzinfo=UTC)


def read(text, known=KNOWN):
    return read_pasted(text, known=known, starts_at=START) or read_finishing_order(
        text, known=known, starts_at=START
    )


def places(order):
    return [(finisher.place, finisher.name) for finisher in order.finishers]


def left_out(order):
    return [line.text for line in order.lines if line.left_out]


PODIUM = [(1, "Ann Lee"), (2, "Bob Ray"), (3, "Cid Moe")]


@pytest.mark.parametrize(
    "text",
    [
        "Thursday Poker, May 1, 2024\n\n1. Ann Lee\n2. Bob Ray\n3. Cid Moe\n\nhttps://chat.example/e/7",
        "Results 1 May:\n1. Ann Lee\n2. Bob Ray\n3. Cid Moe\n\nTotal pot: $180",
        "1st - Ann Lee - $120\n2nd - Bob Ray - $60\n3rd - Cid Moe",
        "🥇 Ann Lee\n🥈 Bob Ray\n🥉 Cid Moe",
        "1\ufe0f\u20e3 Ann Lee\n2\ufe0f\u20e3 Bob Ray\n3\ufe0f\u20e3 Cid Moe",
        "Ann Lee 1st\nBob Ray 2nd\nCid Moe 3rd",
        "Ann Lee (1st)\nBob Ray (2nd)\nCid Moe (3rd)",
        "1. Ann Lee $120\n2. Bob Ray $60\n3. Cid Moe",
        "Winner: Ann Lee\nRunner-up: Bob Ray\nThird: Cid Moe",
        "Tuesday Poker, 10 February 🃏\nAnn Lee\nBob Ray\nCid Moe\nTotal pot: £380\nwww.example.org",
        "Well played everybody!\nAnn Lee\nBob Ray\nCid Moe\nBuy-in: £20\nSee you all next week at the bar then",
    ],
)
def test_a_message_is_read_as_its_players(text):
    order = read(text)
    assert (places(order), order.is_ready) == (PODIUM, True)
    assert not order.understood.guests


@pytest.mark.parametrize(
    ("line", "knockouts", "n_entries", "remark"),
    [
        ("Lena Voss £120", None, 1, "£120"),
        ("Lena Voss (won $1,250.50)", None, 1, "(won $1,250.50)"),
        ("Lena Voss 3xKO", 3, 1, ""),
        ("Lena Voss - 2 bounties", 2, 1, ""),
        ("Lena Voss 2 re-entries", None, 3, ""),
        ("Lena Voss 2 re-entries, 3 KOs, £40", 3, 3, "£40"),
    ],
)
def test_what_stands_beside_a_name_is_understood(line, knockouts, n_entries, remark):
    order = read(f"{line}\nTom Hale")
    (first, _second) = order.finishers
    assert (first.name, first.knockouts, first.n_entries) == ("Lena Voss", knockouts, n_entries)
    assert (order.lines[0].remark, order.is_ready) == (remark, True)


@pytest.mark.parametrize(
    ("line", "answers"), [("Lena Voss 2 rebuys", [3, 1]), ("Lena Voss R", [2, 1]), ("Lena Voss RR", [3, 1])]
)
def test_rebuys_may_be_entries_or_chips_and_are_asked_about(line, answers):
    text = f"{line}\nTom Hale"
    order = read(text)
    assert not order.is_ready
    fixes = order.lines[0].fixes
    found = [read(apply_fix(text, f"{fix.line}:{fix.text}")).finishers[0] for fix in fixes]
    assert [(finisher.name, finisher.n_entries) for finisher in found] == [("Lena Voss", n) for n in answers]


@pytest.mark.parametrize("line", ["A. Holm", "Anders Holm and friend", "old Anders Holm"])
def test_a_text_that_may_be_a_member_is_asked_about(line):
    order = read(f"{line}\nTom Hale")
    assert (order.is_ready, order.understood.n_open) == (False, 1)


def test_a_chop_of_two_members_is_a_tie():
    order = read("Lena Voss & Tom Hale (chop)\nKit Marsh")
    assert (places(order), order.is_ready) == ([(1, "Lena Voss"), (1, "Tom Hale"), (3, "Kit Marsh")], True)


@pytest.mark.parametrize(
    "text",
    [
        "3. Cid Moe\n2. Bob Ray\n1. Ann Lee",
        "Out first: Cid Moe\nBob Ray\nWinner: Ann Lee",
        "Cid Moe\nBob Ray\nWinner - Ann Lee",
    ],
)
def test_a_list_from_last_to_first_is_turned_round_once(text):
    order = read(text)
    assert (order.runs_backwards, order.is_ready) == (True, False)
    assert not any(line.question for line in order.lines)
    turned = read(turned_round(text, KNOWN))
    assert (places(turned), turned.is_ready) == (PODIUM, True)
    kept = read(without_places(text, KNOWN))
    assert (places(kept), kept.is_ready) == ([(4 - place, name) for place, name in reversed(PODIUM)], True)


def test_a_member_without_a_number_among_numbered_lines_is_asked_about():
    text = "1. Ann Lee\n2. Bob Ray\nDot Fay\n3. Cid Moe"
    order = read(text)
    asked = order.lines[2]
    assert (asked.question, order.is_ready) == ("“Dot Fay” has no number: a player?", False)
    yes, no = (read(apply_fix(text, f"{fix.line}:{fix.text or ''}")) for fix in asked.fixes)
    assert (len(yes.finishers), yes.is_ready, places(no)) == (4, True, PODIUM)
    assert apply_edit(text, Edit("1.0", "down"), KNOWN).text == text


def test_what_was_left_out_can_be_a_player_after_all():
    text = "1. Ann Lee\nThe Pot\n2. Bob Ray"
    order = read(text)
    assert (left_out(order), places(order)) == (["The Pot"], [(1, "Ann Lee"), (2, "Bob Ray")])
    fix = order.lines[1].fixes[0]
    named = read(apply_fix(text, f"{fix.line}:{fix.text}"))
    assert [finisher.name for finisher in named.finishers] == ["Ann Lee", "The Pot", "Bob Ray"]


def test_a_tool_takes_out_what_only_the_places_of_the_others_tell_from_players():
    edited = apply_edit("Thursday Poker\n1. Ann Lee\n2. Bob Ray", Edit("2.0", "down"), KNOWN)
    assert edited.text == "Bob Ray\nAnn Lee"


def test_places_that_are_shared_and_skipped_are_ties_and_a_rest_is_missing():
    order = read(
        "Club night\n\n1. Ann Lee (3 points)\n1. Bob Ray (3 points)\n3. Cid Moe\nand 2 more\n\nhttps://a.example/"
    )
    assert places(order) == [(1, "Ann Lee"), (1, "Bob Ray"), (3, "Cid Moe")]
    assert [line.error for line in order.lines if line.error] == [
        "2 players are missing: type their names, or leave them out."
    ]


def test_nobody_is_left_out_of_a_list_of_new_names():
    order = read("Ada\nBoris\nCleo van der Berg\nDana", known={})
    assert [finisher.name for finisher in order.finishers] == ["Ada", "Boris", "Cleo van der Berg", "Dana"]
    assert order.is_ready


WORDS = st.sampled_from(
    [
        "Thursday",
        "poker",
        "pot",
        "the",
        "next",
        "game",
        "£180",
        "12",
        "won",
        "Zoe",
        "&",
        "May",
        "gg",
        "!",
        "link:",
    ]
)
NOISE = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)


@given(noise=st.lists(st.tuples(st.integers(0, 5), NOISE), max_size=4))
def test_no_line_without_a_place_or_member_becomes_a_player_of_a_numbered_list(noise):
    """Whatever stands between numbered members, the players are those, or something is asked."""
    lines = [f"{place}. {name}" for place, name in enumerate(MEMBERS[:5], start=1)]
    for at, text in noise:
        if not text[0].isdigit():
            lines.insert(at, text)
    order = read("\n".join(lines))
    assert not order.is_ready or [finisher.name for finisher in order.finishers] == list(MEMBERS[:5])


def test_prizes_behind_all_names_order_nobody():
    order = read("Friday Poker\n1. Ann Lee $60\n2. Bob Ray $120\n3. Cid Moe $10\nTotal pot: $190")
    assert (places(order), order.is_ready) == (PODIUM, True)
    assert all(finisher.score is None for finisher in order.finishers)


def test_a_title_and_a_total_stand_around_a_table():
    order = read("Results of Monday\nAnn Lee 1,200\nBob Ray 800\nCid Moe 450\nTotal 2,450")
    assert (places(order), order.is_ready) == (PODIUM, True)
    assert [int(finisher.score) for finisher in order.finishers] == [1200, 800, 450]


@pytest.mark.parametrize(
    "text",
    [
        "**1. Ann Lee**\n2. Bob Ray\n*3. Cid Moe*",
        "優勝 Ann Lee\n準優勝 Bob Ray\n3位 Cid Moe",
        "1着 Ann Lee\n2着 Bob Ray\n3着 Cid Moe",
        "1. Ann Lee EUR 120\n2. Bob Ray 60 euros\n3. Cid Moe",
        "1. Ann Lee (+62.3 and 3 points)\n2. Bob Ray (2 points)\n3. Cid Moe (-12)",
        "Feb 10th\nAnn Lee\nBob Ray\nCid Moe\n£60 pot",
    ],
)
def test_siblings_of_messages_are_read_as_their_players(text):
    order = read(text)
    assert (places(order), order.is_ready) == (PODIUM, True)


@pytest.mark.parametrize(
    "text",
    [
        "1. Ann Lee\n2. Bob Ray\n3/4. Cid Moe, Dot Fay",
        "1. Ann Lee\n2. Bob Ray\nand in third place Cid Moe with 60",
        "1. Ann Lee\n2. Bob Ray\nT. Hale\n4. Cid Moe",
        "1. Ann Lee\n2. Bob Ray\n5. Cid Moe",
        "Runner-up: Bob Ray\nWinner: Ann Lee\n3rd: Cid Moe",
        "Last: Dot Fay\nCid Moe\nAnn Lee",
        "Tom Hale\nFirst out: Kit Marsh\nAnn Lee",
        "Ann Lee\nBob Ray\nSunday Okafor",
        "Poker Pete\nAnn Lee\nBob Ray",
        "Ann Lee (2 rebuys)\nBob Ray",
        "1. Ann Lee\n2. Bob Ray\n他3名",
        "1. Ann Lee\n2. Bob Ray\n+ 3 more",
    ],
)
def test_what_could_be_two_things_is_asked(text):
    assert not read(text).is_ready


@pytest.mark.parametrize(
    ("line", "knockouts", "n_entries"),
    [("Ann Lee (3 KOs)", 3, 1), ("Ann Lee (3 entries)", None, 3), ("Ann Lee (2x)", None, 2)],
)
def test_counts_in_brackets_are_counts(line, knockouts, n_entries):
    first = read(f"{line}\nBob Ray").finishers[0]
    assert (first.name, first.knockouts, first.n_entries) == ("Ann Lee", knockouts, n_entries)


def test_names_that_look_like_titles_or_sentences_are_not_lost():
    for text in (
        "joe de la cruz\nann lee\nmaria de los santos",
        "Mark Mayer 7\nBob Ray\nAnn Lee",
        "Max\nMay June\nApril May",
    ):
        assert len(read(text).finishers) == 3


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("Ann Lee, 31,200\nBob Ray, 25,600", [31200, 25600]),
        ("Player,Score\nAnn Lee,31,200\nBob Ray,25,600", [31200, 25600]),
        ("Ann Lee, $1,200\nBob Ray, $600", [None, None]),
    ],
)
def test_a_comma_within_a_number_divides_nothing(text, scores):
    order = read(text)
    assert [finisher.name for finisher in order.finishers] == ["Ann Lee", "Bob Ray"]
    assert [finisher.score for finisher in order.finishers] == scores
