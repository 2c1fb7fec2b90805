"""A night that is over becomes a result: places, times, knock-outs, costs and money. Expected values are by hand."""

from datetime import timedelta
from decimal import Decimal

import pytest

from live.money import EntryWinnings, money_of
from live.results import InTwice, Unfinished, entry_places, outcome_of
from live.stored_log import state_of
from tests.live.nights import START, LiveNight

pytestmark = pytest.mark.django_db


def result(night, **more):
    found = outcome_of(state_of(night.night), name_of=lambda entry: entry.name, starts_at=START, **more)
    return found.details, {(entry.name, entry.number): entry for entry in found.entries}


def test_places_of_all_entries_with_a_tie_and_a_re_entry():
    night = LiveNight()
    ada, boris, cleo, dora = night.enter("Ada", "Boris", "Cleo", "Dora")
    night.out(ada, minute=10)  # fifth of five entries
    (again,) = night.enter("Ada", minute=12)
    night.out([boris, cleo], minute=30)  # both third
    night.out(again, minute=50)
    details, entries = result(night)
    places = {key: entry.place for key, entry in entries.items()}
    assert places == {("Ada", 1): 5, ("Boris", 1): 3, ("Cleo", 1): 3, ("Ada", 2): 2, ("Dora", 1): 1}
    assert (details.starts_at, details.ends_at) == (START, START + timedelta(minutes=50))
    assert entries["Ada", 2].registered_at == START + timedelta(minutes=12)
    assert entries["Ada", 1].registered_at is None
    assert entries["Ada", 1].busted_at == START + timedelta(minutes=10)
    assert entries["Dora", 1].busted_at is None
    assert {entry.knockouts for entry in entries.values()} == {None}
    assert {entry.cost for entry in entries.values()} == {None}
    assert dora


def test_the_start_is_when_the_clock_was_started_and_before_the_first_exit():
    night = LiveNight()
    ada, boris, _cleo = night.enter("Ada", "Boris", "Cleo")
    night.record("clock", minute=7.5, op="start")
    night.out(ada, minute=20)
    night.out(boris, minute=21)
    details, _entries = result(night)
    assert details.starts_at == START + timedelta(minutes=7)  # as pages show it
    early = LiveNight()
    ada, _boris = early.enter("Ada", "Boris", minute=-60)
    early.out(ada, minute=-30)
    details, _entries = result(early)
    assert details.starts_at == START - timedelta(minutes=30)


def test_knock_outs_count_for_the_entry_that_made_them():
    night = LiveNight()
    ada, boris, cleo = night.enter("Ada", "Boris", "Cleo")
    night.out(ada, minute=10)
    night.record("by", minute=10, target=ada, by=boris)
    night.out(boris, minute=20)
    night.record("by", minute=20, target=boris, by=cleo)
    _details, entries = result(night)
    assert {name: entry.knockouts for (name, _n), entry in entries.items()} == {
        "Ada": 0,
        "Boris": 1,
        "Cleo": 1,
    }


def test_costs_and_shares_of_a_deal_are_amounts_of_the_club():
    night = LiveNight(cost=2050, decimals=2)
    ada, boris, cleo = night.enter("Ada", "Boris", "Cleo", cost=2050, paid=2050)
    night.record("buy", minute=1, entry=ada, kind="rebuy", cost=2050, paid=0)
    night.record("buy", minute=2, entry=ada, kind="addon", count=2, cost=1000)
    night.out(cleo, minute=10)
    money = {ada: 4000, boris: 3150}
    night.record("chop", minute=20, method="chips", groups=[[boris], [ada]], money=money)
    _details, entries = result(night)
    assert entries["Ada", 1].cost == Decimal("51.00")
    assert entries["Boris", 1].cost == Decimal("20.50")
    state = state_of(night.night)
    said = money_of(state, entry_places(state))
    assert (said.prices["buy_in"], said.percent) == (Decimal("20.50"), ())
    assert said.entries[ada] == EntryWinnings(1, 2, Decimal("40.00"))
    assert said.entries[cleo].won == 0
    assert {name: entry.place for (name, _n), entry in entries.items()} == {"Cleo": 3, "Boris": 2, "Ada": 1}


def test_an_edited_order_moves_the_time_so_that_nobody_is_out_after_one_ahead():
    night = LiveNight()
    ada, boris, _cleo = night.enter("Ada", "Boris", "Cleo")
    first = night.out(ada, minute=10)
    night.out(boris, minute=20)
    night.record("order", minute=21, target=first)  # to the end: Ada was out after Boris
    _details, entries = result(night)
    assert (entries["Boris", 1].place, entries["Ada", 1].place) == (3, 2)
    assert entries["Boris", 1].busted_at <= entries["Ada", 1].busted_at


def test_a_night_with_several_left_or_without_players_has_no_result():
    night = LiveNight()
    with pytest.raises(Unfinished) as nobody:
        result(night)
    assert nobody.value.names == []
    night.enter("Ada", "Boris")
    with pytest.raises(Unfinished) as two:
        result(night)
    assert two.value.names == ["Ada", "Boris"]


def test_two_names_of_one_person_who_was_in_twice_at_once_are_no_result():
    night = LiveNight()
    ada, eda, boris = night.enter("Ada", "Eda", "Boris")
    night.out(boris, minute=10)
    night.out(eda, minute=20)
    assert ada
    with pytest.raises(InTwice):
        outcome_of(
            state_of(night.night), name_of=lambda entry: entry.name.replace("Eda", "Ada"), starts_at=START
        )
