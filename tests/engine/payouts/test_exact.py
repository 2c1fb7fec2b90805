"""Reading and printing exact numbers."""

from fractions import Fraction

import pytest

from payouts.engine.exact import exact_number, exact_numbers, exact_text, short_text


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("1.05", Fraction(21, 20)),
        (" 40 ", Fraction(40)),
        ("40.", Fraction(40)),
        (".5", Fraction(1, 2)),
        ("-3", Fraction(-3)),
        ("+100/3", Fraction(100, 3)),
        (1.1, Fraction(11, 10)),
        (7, Fraction(7)),
        (Fraction(1, 7), Fraction(1, 7)),
    ],
)
def test_numbers(typed, value):
    assert exact_number("alpha", typed) == value


@pytest.mark.parametrize(
    "typed", ["", "x", "1,5", "1e3", "nan", "inf", "1/0", "1/-2", "٣", "1" * 13, "1 2", True, None]
)
def test_invalid_numbers(typed):
    with pytest.raises(ValueError, match=r"^alpha: .* is not a number$"):
        exact_number("alpha", typed)


def test_lists():
    assert exact_numbers("votes", "100, 60,100/3") == (100, 60, Fraction(100, 3))
    assert exact_numbers("votes", " ") == exact_numbers("votes", []) == ()
    with pytest.raises(ValueError, match=r"^votes: place 3: '' is not a number$"):
        exact_numbers("votes", "3, 2,")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(5), "5"),
        (Fraction(0), "0"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(1, 40), "0.025"),
        (Fraction(3, 125), "0.024"),
        (Fraction(10**40 + 1, 4), "25" + "0" * 38 + ".25"),
        (Fraction(1, 2**200), None),
        (Fraction(7, 5**30), None),
        (Fraction(5, 3), "5/3"),
        (Fraction(-1, 6), "-1/6"),
    ],
)
def test_fractions_are_printed_exactly(value, text):
    if text:
        assert exact_text(value) == text
    assert Fraction(exact_text(value)) == value


def test_a_fraction_without_end_is_found_at_once():
    """The number of divisions does not grow with the length of a denominator that is no power of ten."""

    class Counted(int):
        n_divisions = 0

        def __rshift__(self, other):
            return Counted(int(self) >> other)

        def __mod__(self, other):
            Counted.n_divisions += 1
            return int(self) % other

    value = Fraction(1, 3)
    value._denominator = Counted(3**5_000)
    assert exact_text(value) == f"1/{3**5_000}"
    assert Counted.n_divisions == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(5, 2), "2.5"),
        (Fraction(100, 7), "100/7"),
        (Fraction(10**40, 3), "≈3.33333333333333e+39"),
        (sum(Fraction(100, 10**11 + 2 * i + 1) for i in range(20)), "≈1.9999999996e-08"),
    ],
)
def test_messages_have_short_numbers(value, text):
    assert short_text(value) == text
