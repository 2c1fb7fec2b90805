"""Votes of the structures; expected numbers are from the table in payouts/README.md."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import pytest

from payouts.engine.structures import quotients
from payouts.engine.structures.quotients import RootVote, check_votes, compare_quotients
from payouts.engine.structures.tails import Tail, parse_tail
from payouts.engine.structures.votes import (
    DEFAULT_STRUCTURE,
    STRUCTURES,
    VP_KID_HEAD,
    StructureVotes,
    VotesRule,
)


def votes(rule, n_places):
    return StructureVotes(STRUCTURES.get(rule, rule), n_places)[:]


def test_the_registry_is_ordered_and_has_formulas():
    assert list(STRUCTURES) == ["inverse", "vp_kid", "soft_top", "winner_takes_all"]
    assert DEFAULT_STRUCTURE == "vp_kid"
    assert [structure.parts.text for structure in STRUCTURES.values()] == [
        "100/n",
        "100, 60, 40, 25, then 100/n for n > 4",
        "100, 70, 50, then 100/n for n > 3",
        "1, then nothing",
    ]


def test_inverse():
    assert votes("inverse", 4) == [100, 50, Fraction(100, 3), 25]


def test_vp_kid():
    assert votes("vp_kid", 7) == [100, 60, 40, 25, 20, Fraction(100, 6), Fraction(100, 7)]


def test_soft_top():
    assert votes("soft_top", 5) == [100, 70, 50, 25, 20]


def test_winner_takes_all():
    assert votes("winner_takes_all", 5) == [1]


def test_vp_kid_alpha():
    """The head of VP_KID, then 25*(4/n)^alpha: rational for a whole alpha."""
    whole = VotesRule(VP_KID_HEAD, parse_tail("power 2"))
    assert votes(whole, 6) == [100, 60, 40, 25, 16, Fraction(100, 9)]
    fractional = VotesRule(VP_KID_HEAD, parse_tail("power 1.05"))
    assert fractional.vote(8) == RootVote(Fraction(25), Fraction(1, 2), Fraction(21, 20))
    assert float(fractional.vote(8)) == pytest.approx(25 * 0.5**1.05)


def test_alpha_of_one_is_vp_kid():
    assert votes(VotesRule(VP_KID_HEAD, parse_tail("power 1")), 50) == votes("vp_kid", 50)


def test_votes_of_powers_are_compared_exactly():
    """With a high power, votes next to a tie differ by less than the precision of a float."""
    vote = RootVote(Fraction(25), Fraction(4, 10**6), Fraction(100001, 10000))
    assert compare_quotients(vote, 7, vote, 7) == 0
    assert compare_quotients(vote, 10**9, vote, 10**9 + 1) == 1
    least = RootVote(Fraction(25) + Fraction(1, 10**40), vote.base, vote.exponent)
    assert (compare_quotients(least, 1, vote, 1), compare_quotients(vote, 1, least, 1)) == (1, -1)


def test_logarithms_decide_where_whole_numbers_would_be_too_long(monkeypatch):
    """Raised to the power 10,000, these votes have 160,000 digits; typed numbers cannot come closer than 1e-32."""
    powers = []
    exact = quotients._power
    monkeypatch.setattr(quotients, "_power", lambda vote, power: powers.append(power) or exact(vote, power))
    vote = RootVote(Fraction(10**12 - 1, 7), Fraction(1000, 9999), Fraction(99_999, 10_000))
    with localcontext(prec=80):
        value = Decimal(10**12 - 1) / 7 * (Decimal(1000) / 9999) ** (Decimal(99_999) / 10_000)
    near = Fraction(value).limit_denominator(10**22)
    assert abs(near / Fraction(value) - 1) < Fraction(1, 10**35)
    sign = 1 if Fraction(value) > near else -1
    assert (compare_quotients(vote, 1, near, 1), compare_quotients(near, 3, vote, 3)) == (sign, -sign)
    assert powers == []
    # Equal votes have equal powers, which a fractional power can only have if its denominator is small.
    assert (
        compare_quotients(RootVote(Fraction(25), Fraction(1, 4), Fraction(3, 2)), 1, Fraction(25, 8), 1) == 0
    )
    assert powers == [2, 2]


@pytest.mark.parametrize(
    ("text", "tail", "formula"),
    [
        ("none", Tail(), ""),
        ("", Tail(), ""),
        ("100/n", Tail("share", Fraction(100)), "100/n"),
        (" 12.5 / n ", Tail("share", Fraction(25, 2)), "12.5/n"),
        ("100/3/n", Tail("share", Fraction(100, 3)), "(100/3)/n"),
        ("(100/3)/n", Tail("share", Fraction(100, 3)), "(100/3)/n"),
        ("power   1.05", Tail("power", Fraction(21, 20)), "25*(4/n)^1.05"),
    ],
)
def test_tails_are_read_as_they_are_written(text, tail, formula):
    assert parse_tail(text) == tail == parse_tail(tail.text)
    if formula:
        assert tail.formula(Fraction(25), 4) == formula


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("linear", "tail: 'linear' is not a tail, write none, 100/n or power 1.05"),
        ("x/n", "tail: 'x' is not a number"),
        ("0/n", "tail: must be positive, got 0/n"),
        ("-5/n", "tail: must be positive, got -5/n"),
        ("power", "tail: 'power' is not a tail, write none, 100/n or power 1.05"),
        ("power x", "tail: 'x' is not a number"),
        ("power 0", "tail: must be more than 0, at most 10, got 0"),
        ("power 10.5", "tail: must be more than 0, at most 10, got 10.5"),
        ("power 1.00001", "tail: at most 4 decimals, got 1.00001"),
        ("power 4/3", "tail: at most 4 decimals, got 4/3"),
    ],
)
def test_bad_tails(text, message):
    with pytest.raises(ValueError) as caught:
        parse_tail(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("head", "tail", "message"),
    [
        ((), Tail(), "votes: at least one place is needed"),
        ((), Tail("power", Fraction(1)), "votes: at least one place is needed"),
        ((3, 4), Tail(), "votes: place 2 has 4, more than the 3 of place 1"),
        ((3, 0), Tail(), "votes: place 2 has 0, votes must be positive"),
        ((30, 20), Tail("share", Fraction(100)), "votes: place 3 has 100/3, more than the 20 of place 2"),
        ((1,) * 1001, Tail(), "votes: at most 1000 places can be listed, got 1001"),
        ((1,), Tail("other"), "tail: unknown tail 'other', one of: none, share, power"),
    ],
)
def test_bad_rules_cannot_be_built(head, tail, message):
    with pytest.raises(ValueError) as caught:
        VotesRule(tuple(map(Fraction, head)), tail)
    assert str(caught.value) == message


@pytest.mark.parametrize("structure", ["inverse", "vp_kid", "soft_top"])
def test_registered_votes_are_positive_and_strictly_decreasing(structure):
    values = votes(structure, 2000)
    check_votes(values)
    assert all(better > worse for better, worse in pairwise(values))


@pytest.mark.parametrize("structure", ["inverse", "vp_kid", "soft_top"])
def test_votes_computed_when_read_are_the_same(structure):
    lazy = StructureVotes(STRUCTURES[structure], 9)
    assert list(lazy) == lazy[:] == votes(structure, 9)
    assert (len(lazy), lazy[-1], lazy[3:99]) == (9, Fraction(100, 9), lazy[:][3:])
    with pytest.raises(IndexError):
        lazy[9]


def test_no_places_have_no_votes():
    assert votes("inverse", 0) == []


def test_negative_length():
    with pytest.raises(ValueError, match=r"^n_places: must not be negative, got -1$"):
        votes("inverse", -1)


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


def test_bad_irrational_votes_name_the_place():
    rising = [RootVote(Fraction(25), Fraction(1, 2), Fraction(3, 2)), Fraction(9)]
    with pytest.raises(ValueError, match=r"^votes: place 2 has 9, more than the 8.83883 of place 1$"):
        check_votes(rising)


def test_equal_votes_are_allowed():
    check_votes([Fraction(100, 3), Fraction(50) / Fraction(3, 2), Fraction(1)])
