"""Votes of the structures; expected numbers from the table of the payouts/README.md."""

import doctest
from fractions import Fraction
from itertools import pairwise

import pytest

from payouts.engine import dhondt, points, standings, votes
from payouts.engine.votes import DEFAULT_STRUCTURE, STRUCTURES, StructureVotes, check_votes


def test_registry_is_ordered_and_says_its_formulas():
    assert list(STRUCTURES) == ["inverse", "vp_kid"]
    assert DEFAULT_STRUCTURE == "vp_kid"
    assert [structure.formula for structure in STRUCTURES.values()] == [
        "100/n",
        "100, 60, 40, 25, then 100/n for n > 4",
    ]


def test_inverse():
    assert votes.votes("inverse", 4) == [100, 50, Fraction(100, 3), 25]


def test_vp_kid():
    assert votes.votes("vp_kid", 7) == [100, 60, 40, 25, 20, Fraction(100, 6), Fraction(100, 7)]


@pytest.mark.parametrize("structure", STRUCTURES)
def test_registered_votes_are_positive_and_strictly_decreasing(structure):
    values = votes.votes(structure, 2000)
    check_votes(values)
    assert all(better > worse for better, worse in pairwise(values))


@pytest.mark.parametrize("structure", STRUCTURES)
def test_lazy_votes_are_the_same_votes(structure):
    lazy = StructureVotes(structure, 9)
    assert list(lazy) == lazy[:] == votes.votes(structure, 9)
    assert (len(lazy), lazy[-1], lazy[3:99]) == (9, Fraction(100, 9), lazy[:][3:])
    with pytest.raises(IndexError):
        lazy[9]


def test_no_places_have_no_votes():
    assert votes.votes("inverse", 0) == []


def test_unknown_structure_lists_the_names():
    with pytest.raises(ValueError, match=r"^structure: unknown structure 'nope', one of: inverse, vp_kid$"):
        votes.votes("nope", 3)


def test_negative_length():
    with pytest.raises(ValueError, match=r"^n_places: must not be negative, got -1$"):
        votes.votes("inverse", -1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "votes: at least one place is needed"),
        ([Fraction(0)], "votes: place 1 has 0, votes must be positive"),
        ([Fraction(2), Fraction(1), Fraction(-1)], "votes: place 3 has -1, votes must be positive"),
        (
            [Fraction(100), Fraction(33), Fraction(100, 3)],
            "votes: place 3 has 100/3, more than the 33 of place 2",
        ),
    ],
)
def test_bad_votes_name_the_place(values, message):
    with pytest.raises(ValueError) as caught:
        check_votes(values)
    assert str(caught.value) == message


def test_equal_votes_are_allowed():
    check_votes([Fraction(100, 3), Fraction(50) / Fraction(3, 2), Fraction(1)])


@pytest.mark.parametrize("module", [votes, dhondt, points, standings], ids=lambda module: module.__name__)
def test_docstring_examples_run(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
