from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league import formats
from ratings.engine.tier.badges import badge
from ratings.engine.tier.params import TierParams


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (1726.4, 0, "1726"),
        (-12.3, 0, "−12"),
        (-0.2, 0, "0"),
        (0.5, 2, "0.50"),
        (Decimal("-1.25"), 2, "−1.25"),
    ],
)
def test_numbers_have_a_true_minus_and_no_negative_zero(value, places, text):
    assert formats.number(value, places) == text


@pytest.mark.parametrize(("value", "text"), [(118, "+118"), (-58, "−58"), (0, "0"), (0.3, "0"), (-0.3, "0")])
def test_changes_have_a_sign_unless_they_are_nothing(value, text):
    assert formats.signed(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "5"),
        (Decimal("2.5000"), "2.5"),
        (Decimal("1.6667"), "1.67"),
        (Decimal("10.00"), "10"),
        (0, "0"),
        (100, "100"),
    ],
)
def test_points_are_whole_unless_a_place_was_shared(value, text):
    assert formats.points(value) == text


@given(st.floats(900.0, 2_500.0))
def test_a_rate_as_it_is_shown_has_the_badge_that_stands_beside_it(rate):
    """The table of badges is of whole numbers: 1399.6 is C1, and so is the 1399 that is shown."""
    assert badge(float(formats.whole_rate(rate)), TierParams()) == badge(rate, TierParams())


@pytest.mark.parametrize(
    ("rate", "shown"), [(1399.6, "1399"), (1400.0, "1400"), (1999.999, "1999"), (2000.0, "2000")]
)
def test_rates_are_rounded_down(rate, shown):
    assert formats.whole_rate(rate) == shown
