"""PointsStructure: every structure of the payouts specification, its settings, JSON form and bad input."""

import json
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.engine.structures.facts import EntryFacts, EventFacts
from payouts.engine.structures.settings import DHONDT, NAMES
from payouts.engine.structures.structure import PointsStructure

F = Fraction
TIES = st.sampled_from(["better", "worse"])
EXAMPLES = [
    PointsStructure("inverse"),
    PointsStructure("vp_kid", "worse", cap=100),
    PointsStructure("vp_kid_alpha", alpha=F(5, 4)),
    PointsStructure("soft_top"),
    PointsStructure("winner_takes_all"),
    PointsStructure("fixed", votes=(F(40), F(25), F(15), F(10), F(10))),
    PointsStructure("custom", votes=(F(50), F(50), F(100, 3)), tail="100/n"),
    PointsStructure("custom", votes=(F(9), F(9), F(9)), tail="power 1.5"),
    PointsStructure("linear"),
    PointsStructure("sqrt"),
    PointsStructure("pokerstars"),
    PointsStructure("dr_neau"),
    PointsStructure("log_field"),
    PointsStructure("fixed_table", votes=tuple(map(F, (25, 18, 13, 9, 6, 4, 3, 2, 1)))),
    PointsStructure("percentage_pool", votes=(F(50), F(30), F(20)), per_entry=F(10)),
    PointsStructure("expression", expression="n-k+knockouts"),
    PointsStructure("balance", per_balance=F(1, 2)),
    PointsStructure("linear", per_balance=F(2)),
    PointsStructure("expression", expression="n-k+balance/10"),
]
SEATED = st.sampled_from([example for example in EXAMPLES if example.is_dhondt])


@st.composite
def customs(draw):
    """Custom structures with many equal votes, under either tie rule."""
    head = sorted(draw(st.lists(st.integers(1, 6), min_size=1, max_size=8)), reverse=True)
    tail = draw(st.sampled_from(["none", f"{head[-1] * len(head)}/n", "power 1.5", "power 0.5", "power 2"]))
    return PointsStructure("custom", draw(TIES), votes=tuple(map(F, head)), tail=tail)


def test_there_is_an_example_of_every_structure():
    assert {example.name for example in EXAMPLES} == set(NAMES)
    assert {example.name for example in EXAMPLES if example.is_dhondt} == set(DHONDT)


@pytest.mark.parametrize("structure", EXAMPLES, ids=lambda structure: structure.name)
def test_json_and_back(structure):
    values = structure.to_dict()
    assert PointsStructure.from_dict(json.loads(json.dumps(values))) == structure
    assert structure.formula
    structure.check()


def test_json_has_exact_numbers_as_text():
    assert PointsStructure("vp_kid_alpha").to_dict() == {
        "name": "vp_kid_alpha", "ties": "better", "alpha": "1.05",
    }  # fmt: skip
    custom = PointsStructure("custom", votes=(F(50), F(100, 3)), cap=30)
    assert custom.to_dict() == {
        "name": "custom", "ties": "better", "cap": 30, "votes": ["50", "100/3"], "tail": "none",
    }  # fmt: skip
    assert PointsStructure("linear").to_dict() == {"name": "linear"}


def test_json_accepts_typed_values():
    typed = PointsStructure.from_dict({"name": "vp_kid_alpha", "alpha": 1.1, "cap": None})
    assert typed.alpha == F(11, 10)
    assert PointsStructure.from_dict(
        {"name": "custom", "votes": "50, 33.5", "tail": " 60 / n"}
    ) == PointsStructure("custom", votes=(F(50), F(67, 2)), tail="60/n")
    assert PointsStructure.from_dict({}) == PointsStructure("vp_kid")


def test_defaults_are_filled_in():
    assert PointsStructure("vp_kid_alpha") == PointsStructure("vp_kid_alpha", alpha=F(21, 20))
    assert PointsStructure("percentage_pool", votes=(F(100),)).per_entry == 1
    with pytest.raises(FrozenInstanceError):
        PointsStructure().name = "inverse"


@pytest.mark.parametrize(
    ("structure", "formula"),
    [
        (
            EXAMPLES[1],
            "100, 60, 40, 25, then 100/n for n > 4; above 100 entries 100 seats, each worth entries/100",
        ),
        (EXAMPLES[2], "100, 60, 40, 25, then 25*(4/n)^1.25 for n > 4"),
        (EXAMPLES[5], "40, 25, 15, 10, 10, then nothing"),
        (EXAMPLES[6], "50, 50, 100/3, then 100/n for n > 3"),
        (EXAMPLES[7], "9, 9, 9, then 9*(3/n)^1.5 for n > 3"),
        (EXAMPLES[10], "10*sqrt(n)/sqrt(k)*(1+log10(b+0.25)), b the buy-in"),
        (EXAMPLES[14], "50, 30, 20 % of 10*n, then nothing"),
        (EXAMPLES[15], "n-k+knockouts"),
    ],
)
def test_the_formula_includes_the_settings(structure, formula):
    assert structure.formula == formula


# D'Hondt structures.


def test_fixed_percentages_are_votes_of_the_listed_places_only():
    """The highest quotients are 40, 20, 40/3, 10; 25, 12.5, 25/3; 15; 10; 10. Five more places get nothing."""
    structure = PointsStructure("fixed", votes=(F(40), F(25), F(15), F(10), F(10)))
    assert structure.points(10) == [4, 3, 1, 1, 1, 0, 0, 0, 0, 0]
    assert structure.points(2) == [1, 1]


def test_winner_takes_all():
    assert PointsStructure("winner_takes_all").points(7) == [7, 0, 0, 0, 0, 0, 0]


def test_larger_alpha_pays_fewer_places():
    n_paid = [
        sum(points > 0 for points in PointsStructure("vp_kid_alpha", alpha=F(alpha)).points(1000))
        for alpha in ("1", "1.05", "1.5", "3")
    ]
    assert n_paid == sorted(set(n_paid), reverse=True)
    assert PointsStructure("vp_kid_alpha", alpha=F(1)).points(1000) == PointsStructure("vp_kid").points(1000)


def test_votes_for_a_plot_are_zero_beyond_the_list():
    assert PointsStructure("winner_takes_all").votes_by_place(3) == [1, 0, 0]
    assert [float(vote) for vote in PointsStructure("vp_kid_alpha", alpha=F(3, 2)).votes_by_place(16)][
        -1
    ] == 3.125


def test_the_seat_table_follows_the_tie_rule():
    """With the worse place first, quotient 100 goes to place 1; 50 to 2, 1; 33 to 3, 1; 25 to 4, 2, 1; 20 to 5, 1."""
    better, worse = (PointsStructure("inverse", ties).seat_table(10) for ties in ("better", "worse"))
    assert [row.seat for row in better if row.place == 1] == [1, 2, 4, 6, 9]
    assert [row.seat for row in worse if row.place == 1] == [1, 3, 5, 8, 10]
    assert PointsStructure("inverse").seat_table(0) == []


def test_a_cap_limits_seats_above_it_only():
    capped = PointsStructure("inverse", cap=100)
    assert capped.points(100) == PointsStructure("inverse").points(100)
    by_hand = [F(5, 2) * value for value in PointsStructure("inverse").points(100)] + [0] * 150
    assert capped.points(250) == by_hand
    assert capped.points(250, total=500) == [2 * value for value in by_hand]
    assert capped.points(250, seats=250) == PointsStructure("inverse").points(250)


@given(
    st.one_of(SEATED, customs()), st.integers(1, 60), st.fractions(0, 1000, max_denominator=1000) | st.none()
)
def test_points_sum_to_what_is_put_up_and_never_increase(structure, n_entries, total):
    points = structure.points(n_entries, total=total)
    assert len(points) == n_entries
    assert sum(points) == (n_entries if total is None else total)
    assert all(better >= worse for better, worse in pairwise(points))


@given(st.one_of(SEATED, customs()), st.integers(1, 30), st.integers(0, 60))
def test_one_more_seat_takes_from_nobody(structure, n_entries, seats):
    before, after = (structure.points(n_entries, seats=count) for count in (seats, seats + 1))
    assert sum(after) == sum(before) + 1 == seats + 1
    assert all(more >= less for more, less in zip(after, before, strict=True))


# Formulas, computed by hand from the table of the specification, section 2.


@pytest.mark.parametrize(
    ("structure", "n", "expected"),
    [
        (PointsStructure("linear"), 4, [4, 3, 2, 1]),
        (PointsStructure("sqrt"), 4, [20, F("14.1421"), F("11.5470"), 10]),
        (PointsStructure("log_field"), 2, [F("1.0986"), F("0.4055")]),
        (EXAMPLES[13], 3, [25, 18, 13]),
        (EXAMPLES[13], 11, [25, 18, 13, 9, 6, 4, 3, 2, 1, 0, 0]),
        (EXAMPLES[14], 4, [20, 12, 8, 0]),
        (EXAMPLES[14], 2, [10, 6]),
        (EXAMPLES[15], 3, [2, 1, 0]),
    ],
)
def test_formulas(structure, n, expected):
    assert structure.points(n) == expected


def test_pokerstars_and_dr_neau_use_the_buy_in():
    """10*sqrt(4)*(1+log10(10)) with b = 9.75; sqrt(16*9^2/9)/2 = 6, with two entries sqrt(16*9^2/18)/2."""
    facts = EventFacts(buy_in=F("9.75"))
    assert PointsStructure("pokerstars").points(4, facts=facts)[0] == 40
    assert PointsStructure("dr_neau").points(16, facts=EventFacts(F(9)))[0] == 6
    places, players = list(range(1, 17)), [EntryFacts(entries=2), *[EntryFacts()] * 15]
    points = PointsStructure("dr_neau").event_points(places, entries=players, facts=EventFacts(F(9)))
    assert points[:2] == [F("4.2426"), 4]
    rich = [EntryFacts(cost=F(36)), *[EntryFacts()] * 15]
    assert PointsStructure("dr_neau").event_points(places, entries=rich, facts=EventFacts(F(9)))[0] == 3


def test_nobody_pays_at_a_freeroll():
    facts = EventFacts(buy_in=F(0))
    assert PointsStructure("dr_neau").points(4, facts=facts) == [0] * 4
    assert PointsStructure("pokerstars").points(4, facts=facts)[0] == F("7.9588")


def test_tied_entries_share_what_the_formula_gives_each_of_them():
    structure = PointsStructure("expression", expression="n-k+10*knockouts")
    players = [EntryFacts(), EntryFacts(knockouts=1), EntryFacts()]
    assert structure.event_points([1, 2, 2], entries=players) == [2, F(21, 2), F(1, 2)]
    assert structure.event_points([1, 2, 2]) == [2, F(1, 2), F(1, 2)]


@given(st.sampled_from([example for example in EXAMPLES if not example.is_dhondt]), st.integers(1, 60))
def test_formulas_never_increase_and_are_never_negative(structure, n):
    points = structure.points(n)
    assert len(points) == n
    assert points[-1] >= 0
    assert all(better >= worse for better, worse in pairwise(points))


def test_total_of_a_pool():
    assert EXAMPLES[14].points(4, total=100) == [50, 30, 20, 0]
    assert EXAMPLES[14].event_points([1, 1, 3], entries=[EntryFacts()] * 3, total=100) == [40, 40, 20]


BALANCES = (F("62.2"), F("-20.1"), F("-42.1"))


def test_points_from_balances_alone_or_added_to_those_of_the_places():
    """EMA's uma and 30,000 points to start with: +62.2, -20.1, -42.1 are balances in thousands."""
    players = [EntryFacts(balance=balance) for balance in BALANCES]
    assert PointsStructure("balance").event_points([1, 2, 3], entries=players) == list(BALANCES)
    half = PointsStructure("balance", per_balance=F(1, 2))
    assert half.event_points([1, 2, 3], entries=players) == [F("31.1"), F("-10.05"), F("-21.05")]
    # Linear gives 3, 2 and 1; the seats of inverse 2, 1 and 0.
    linear = PointsStructure("linear", per_balance=F(1))
    assert linear.event_points([1, 2, 3], entries=players) == [F("65.2"), F("-18.1"), F("-41.1")]
    inverse = PointsStructure("inverse", per_balance=F(1, 10))
    assert inverse.event_points([1, 2, 3], entries=players) == [F("8.22"), F("-1.01"), F("-4.21")]
    # Tied players share the places' points and keep their own balance.
    assert linear.event_points([1, 2, 2], entries=players)[1:] == [
        F("1.5") + BALANCES[1],
        F("1.5") + BALANCES[2],
    ]
    own = PointsStructure("expression", expression="balance/10 + (10 if k == 1 else 0)")
    assert own.event_points([1, 2, 3], entries=players) == [F("16.22"), F("-2.01"), F("-4.21")]


def test_points_from_a_balance_go_to_the_last_entry():
    players = [
        EntryFacts(2, is_last=False, balance=F(-5)),
        EntryFacts(2, balance=F(-5)),
        EntryFacts(balance=F(5)),
    ]
    assert PointsStructure("balance").event_points([3, 2, 1], entries=players) == [0, -5, 5]
    seated = PointsStructure("winner_takes_all", per_balance=F(1))
    assert seated.event_points([3, 2, 1], entries=players) == [0, -5, 8]


@pytest.mark.parametrize(
    "structure",
    [example for example in EXAMPLES if example.uses_balance],
    ids=lambda structure: structure.name,
)
def test_an_event_without_balances_is_refused(structure):
    for players in (None, [EntryFacts(balance=F(3)), EntryFacts()]):
        with pytest.raises(ValueError, match=r"^structure: no balance is recorded for place [12]$"):
            structure.event_points([1, 2], entries=players)


def test_points_from_balances_have_the_same_bounds_down_as_up():
    for balance in (F(10**10), F(-(10**10))):
        with pytest.raises(ValueError, match="are more than the 1000000000 that an entry can have"):
            PointsStructure("balance").event_points([1], entries=[EntryFacts(balance=balance)])


def test_facts_of_players_do_not_matter_to_seats():
    players = [EntryFacts(knockouts=9), EntryFacts()]
    assert PointsStructure("inverse").event_points([2, 1], entries=players) == [0, 2]


# Bad input.


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "nope"}, f"structure: unknown structure 'nope', one of: {', '.join(NAMES)}"),
        ({"ties": "best"}, "ties: unknown tie rule 'best', one of: better, worse"),
        ({"color": "red"}, "color: unknown setting, one of: alpha, cap, expression, name, per_balance, per_entry, tail, ties, votes"),
        ({"name": 5}, "name: a text is needed, got 5"),
        ({"cap": 0}, "cap: must be 1 to 10000000, got 0"),
        ({"cap": "9"}, "cap: a whole number is needed, got '9'"),
        ({"cap": True}, "cap: a whole number is needed, got True"),
        ({"name": "linear", "cap": 9}, "cap: linear has no such setting"),
        ({"alpha": "1.05"}, "alpha: vp_kid has no such setting"),
        ({"name": "inverse", "votes": [1]}, "votes: inverse has no such setting"),
        ({"name": "fixed", "votes": [100], "tail": "9/n"}, "tail: fixed has no such setting"),
        ({"name": "vp_kid_alpha", "alpha": "0.99"}, "alpha: must be 1 to 10, got 0.99"),
        ({"name": "vp_kid_alpha", "alpha": "11"}, "alpha: must be 1 to 10, got 11"),
        ({"name": "vp_kid_alpha", "alpha": "1.00001"}, "alpha: at most 4 decimals, got 1.00001"),
        ({"name": "vp_kid_alpha", "alpha": "much"}, "alpha: 'much' is not a number"),
        ({"name": "vp_kid_alpha", "alpha": True}, "alpha: 'True' is not a number"),
        ({"name": "vp_kid_alpha", "alpha": "nan"}, "alpha: 'nan' is not a number"),
        ({"name": "vp_kid_alpha", "alpha": "1e99999"}, "alpha: '1e99999' is not a number"),
        ({"name": "fixed"}, "votes: at least one place is needed"),
        ({"name": "fixed", "votes": 7}, "votes: a list is needed, got 7"),
        ({"name": "fixed", "votes": ["60", "30"]}, "votes: the percentages sum to 90, must be 100"),
        ({"name": "fixed", "votes": "30, 70"}, "votes: place 2 has 70, more than the 30 of place 1"),
        ({"name": "fixed", "votes": "100, 0"}, "votes: place 2 has 0, percentages must be positive"),
        ({"name": "fixed", "votes": "100, "}, "votes: place 2: '' is not a number"),
        ({"name": "fixed", "votes": [None]}, "votes: place 1: 'None' is not a number"),
        ({"name": "custom", "votes": "5, 6"}, "votes: place 2 has 6, more than the 5 of place 1"),
        ({"name": "custom", "votes": "5, -6"}, "votes: place 2 has -6, votes must be positive"),
        ({"name": "custom", "votes": "5, 1/0"}, "votes: place 2: '1/0' is not a number"),
        ({"name": "custom", "votes": "5", "tail": "11/n"}, "votes: place 2 has 5.5, more than the 5 of place 1"),
        ({"name": "custom", "votes": "5", "tail": "?"}, "tail: '?' is not a tail, write none, 100/n or power 1.05"),
        ({"name": "fixed_table", "votes": [1] * 1001}, "votes: at most 1000 places can be listed, got 1001"),
        ({"name": "percentage_pool", "votes": [1] * 1001}, "votes: at most 1000 places can be listed, got 1001"),
        ({"name": "custom", "votes": [1] * 1001, "tail": "1/n"}, "votes: at most 1000 places can be listed, got 1001"),
        ({"name": "fixed_table", "votes": "5, -1"}, "votes: place 2 has -1, points must not be negative"),
        ({"name": "fixed_table", "votes": "5, 6"}, "votes: place 2 has 6, more than the 5 of place 1"),
        ({"name": "percentage_pool", "votes": "99"}, "votes: the percentages sum to 99, must be 100"),
        ({"name": "percentage_pool", "votes": "100", "per_entry": -1}, "per_entry: must be 0 to 1000000000, got -1"),
        ({"name": "balance", "per_balance": 0}, "per_balance: must be more than 0, at most 1000000000, got 0"),
        ({"name": "inverse", "per_balance": "-1"}, "per_balance: must be more than 0, at most 1000000000, got -1"),
        ({"name": "expression", "per_balance": 1}, "per_balance: expression has no such setting"),
        ({"name": "expression"}, "expression: a formula is needed"),
        ({"name": "expression", "expression": "n +"}, "expression: this is not a formula"),
        ({"name": "expression", "expression": 3}, "expression: a text is needed, got 3"),
    ],
)  # fmt: skip
def test_bad_settings_name_the_field_and_the_place(values, message):
    with pytest.raises(ValueError) as caught:
        PointsStructure.from_dict(values)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: PointsStructure("linear").points(3, total=5),
            "total: linear is a formula and shares out no total",
        ),
        (lambda: PointsStructure("linear").points(3, seats=5), "seats: linear is a formula and has no seats"),
        (
            lambda: PointsStructure("linear").seat_table(3),
            "structure: linear is a formula and has no votes and no seats",
        ),
        (lambda: PointsStructure("vp_kid").votes_by_place(-1), "n_places: must not be negative, got -1"),
        (lambda: PointsStructure("linear").points(0), "n_entries: must be at least 1, got 0"),
        (lambda: PointsStructure("linear").event_points([]), "places: at least one entry is needed"),
        (
            lambda: PointsStructure("linear").event_points([1, 3], entries=[EntryFacts()] * 2),
            "places: place 3 where place 2 is expected (competition ranking 1-2-2-4)",
        ),
        (
            lambda: PointsStructure("linear").event_points([1, 2], entries=[EntryFacts()]),
            "entries: 1 given for 2 places",
        ),
        (
            lambda: PointsStructure("linear").event_points([1], entries=[EntryFacts()], seats=4),
            "seats: linear is a formula and has no seats",
        ),
        (lambda: EventFacts(buy_in=F(-1)), "buy_in: must be 0 to 1000000000000, got -1"),
        (lambda: EventFacts(paid=0), "paid: must be at least 1, got 0"),
        (
            lambda: EntryFacts(balance=F(-2 * 10**12)),
            "balance: must be -1000000000000 to 1000000000000, got -2000000000000",
        ),
        (lambda: EntryFacts(entries=0), "entries: must be at least 1, got 0"),
        (lambda: EntryFacts(knockouts=-1), "knockouts: must not be negative, got -1"),
        (lambda: EntryFacts(cost=F(-1)), "cost: must be 0 to 1000000000000, got -1"),
    ],
)
def test_bad_events(call, message):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value) == message
