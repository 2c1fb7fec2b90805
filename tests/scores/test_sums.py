"""The single slip that explains a wrong sum."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scores.sums import likely_slips


@pytest.mark.parametrize(
    ("values", "right", "expected"),
    [
        ([453, 321, 184, 42], 1_000, []),
        # 321 became 312: the sum is 9 too small, and nothing else gives it.
        ([453, 312, 184, 42], 1_000, [("swap", 1, 321)]),
        # Each of the four is one digit away from the right sum.
        ([426, 294, 189, 92], 1_000, [("digit", 0, 425), ("digit", 1, 293), ("digit", 2, 188), ("digit", 3, 91)]),
        ([526, 313, 189, 28], 1_000, [("sign", 3, -28)]),
        ([426, 294, 189, None], 1_000, [("missing", 3, 91)]),
        ([42_600, 29_400, 18_900, 9_100], 1_000, [("unit", None, 1_000)]),
        ([426, 294, 189, 91], 100_000, [("unit", None, 100_000)]),
        ([426, 294, None, None], 1_000, []),
        # Points of balance, in tenths.
        ([549, 98, -159, -484], 0, [("digit", 0, 545), ("digit", 1, 94), ("digit", 3, -488)]),
        ([549, 98, 159, -488], 0, [("sign", 2, -159)]),
    ],
)  # fmt: skip
def test_the_slip_is_named_the_likeliest_first(values, right, expected):
    assert [(slip.kind, slip.seat, slip.right) for slip in likely_slips(values, right)] == expected


def test_a_lost_sign_comes_before_a_digit():
    # 12 is 24 too much as 12 for -12; 453 for 429 and the others differ in two digits.
    slips = likely_slips([453, 371, 188, 12], 1_000)
    assert slips[0].kind == "sign"
    assert (slips[0].seat, slips[0].right) == (3, -12)


def swapped(value, at):
    digits = list(str(value))
    digits[at], digits[at + 1] = digits[at + 1], digits[at]
    return int("".join(digits))


@given(st.lists(st.integers(100, 399), min_size=3, max_size=3), st.integers(0, 2), st.integers(0, 1))
def test_every_swap_is_found_and_every_answer_mends_the_sum(three, seat, at):
    values = [*three, 1_000 - sum(three)]
    typed = [*values]
    typed[seat] = swapped(values[seat], at)
    slips = likely_slips(typed, 1_000)
    if typed == values:
        assert slips == []
    else:
        assert (seat, values[seat]) in {(slip.seat, slip.right) for slip in slips}
    for slip in slips:
        assert sum(typed) - typed[slip.seat] + slip.right == 1_000
