"""Two corrections made at the same time: nothing that either side has changed is lost."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entry.merging import BASE, MINE, MOST_COMPARED, ORDER, THEIRS, Version, merge


def version(text, **fields):
    """Build a version from "A BC D@1": entries of one word are tied, @ begins a mark."""
    marks = {}
    groups = []
    for word in text.split():
        name, _at, out = word.partition("@")
        group = tuple((letter, None) for letter in name)
        marks |= {key: {"out": out} for key in group}
        groups.append(group)
    return Version(fields, tuple(groups), marks)


def text_of(merged):
    version = merged.version
    return " ".join(
        "".join(name for name, _n in group) + ("@" + out if (out := version.marks[group[0]]["out"]) else "")
        for group in version.groups
    )


@pytest.mark.parametrize(
    ("theirs", "mine", "merged", "conflicts"),
    [
        ("A B C D E", "A B C D E", "A B C D E", []),
        ("B A C D E", "A B C E D", "B A C E D", []),
        ("A B C D", "A B C D E F", "A B C D F", []),
        ("A B C D@1 E", "E A B C D", "E A B C D@1", []),
        ("A C B D E", "A BC D E", "A C B D E", [ORDER]),
        ("A B C D@1 E", "A B C D@2 E", "A B C D@1 E", ["out::D"]),
        ("A B C E", "A B C D@2 E", "A B C E", ["entry::D"]),
        ("A B C E", "D A B C E", "A B C E", ["entry::D"]),
        ("A B C D E X", "A B C D E Y", "A B C D E X Y", [ORDER]),
        ("E A B C D", "B C D E A", "E B C D A", []),
        ("B A C D E", "A C B D E", "B A C D E", [ORDER]),
    ],
)
def test_only_what_collides_is_to_be_chosen(theirs, mine, merged, conflicts):
    result = merge(version("A B C D E"), version(theirs), version(mine), {})
    ids = [conflict.id for conflict in result.conflicts]
    assert (text_of(result), ids) == (merged, conflicts)


def test_the_chosen_side_is_taken_and_the_rest_stays_merged():
    versions = version("A B C D E"), version("A C B D E"), version("A BC E D")
    texts = {choice: text_of(merge(*versions, {ORDER: choice})) for choice in (THEIRS, MINE, BASE)}
    assert texts == {THEIRS: "A C B E D", MINE: "A CB E D", BASE: "A B C E D"}


def test_fields_are_merged_one_by_one():
    base = version("A B", start="19:30", end="", name="")
    theirs = version("A B", start="19:30", end="22:00", name="One")
    mine = version("A B", start="19:00", end="", name="Two")
    result = merge(base, theirs, mine, {"name": MINE})
    assert result.version.fields == {"start": "19:00", "end": "22:00", "name": "Two"}
    assert [conflict.id for conflict in result.conflicts] == ["name"]


def test_a_large_order_that_both_have_changed_is_chosen_as_a_whole():
    keys = [(str(n), None) for n in range(MOST_COMPARED + 1)]
    base, theirs, mine = (
        Version({}, tuple((key,) for key in order), {key: {} for key in order})
        for order in (keys, keys[::-1], [keys[1], keys[0], *keys[2:]])
    )
    result = merge(base, theirs, mine, {ORDER: MINE})
    assert (result.version.groups, [conflict.id for conflict in result.conflicts]) == (
        mine.groups,
        [ORDER],
    )
    assert merge(base, base, mine, {}).version.groups == mine.groups


ENTRIES = st.lists(st.sampled_from("ABCDEF"), unique=True, min_size=1, max_size=6)
VERSIONS = st.builds(
    lambda names, breaks, outs, end: version(
        "".join(name + " " * is_break for name, is_break in zip(names, breaks, strict=False)).replace(
            " ", outs
        ),
        end=end,
    ),
    ENTRIES,
    st.lists(st.booleans(), min_size=6, max_size=6),
    st.sampled_from([" ", "@1 ", "@2 "]),
    st.sampled_from(["", "22:00", "23:00"]),
)
CHOICES = st.sampled_from([{}, {ORDER: MINE}, {ORDER: BASE}])


def lost_changes(base, side, merged, collided):
    """What a side has changed that is neither in the merged version nor in the list of conflicts."""
    for name, value in side.fields.items():
        if value != base.fields[name] and merged.fields[name] != value and name not in collided:
            yield name
    for key in base.ranks.keys() ^ side.ranks.keys():
        if (key in side.ranks) != (key in merged.ranks) and f"entry::{key[0]}" not in collided:
            yield key
    for key in base.marks.keys() & side.marks.keys():
        is_lost = side.marks[key] not in (base.marks[key], merged.marks.get(key))
        if is_lost and not collided & {f"out::{key[0]}", f"entry::{key[0]}"}:
            yield key, "out"
    yield from lost_places(base, side, merged, collided)


def lost_places(base, side, merged, collided):
    for pair in combinations(side.ranks, 2):
        is_changed = side.relation(*pair) != base.relation(*pair)
        entries = {f"entry::{name}" for name, _n in pair}
        are_there = all(key in merged.ranks for key in pair)
        if (
            is_changed
            and are_there
            and merged.relation(*pair) != side.relation(*pair)
            and ORDER not in collided
        ):
            yield pair
        if is_changed and not are_there and base.relation(*pair) is not None and not collided & entries:
            yield pair, "gone"


@given(VERSIONS, VERSIONS, VERSIONS, CHOICES)
def test_every_change_of_both_sides_is_merged_or_asked_about(base, theirs, mine, choices):
    result = merge(base, theirs, mine, choices)
    collided = {conflict.id for conflict in result.conflicts}
    for side in (theirs, mine):
        assert list(lost_changes(base, side, result.version, collided)) == []
    ranked = [key for group in result.version.groups for key in group]
    assert sorted(ranked) == sorted(result.version.marks)
    assert len(set(ranked)) == len(ranked)


@given(VERSIONS, VERSIONS)
def test_what_one_side_alone_has_changed_is_that_sides(base, changed):
    for versions in ((base, changed, base), (base, base, changed), (base, changed, changed)):
        result = merge(*versions, {})
        assert (result.version, result.conflicts) == (changed, ())
