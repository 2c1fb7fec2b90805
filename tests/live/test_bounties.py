"""Bounties: what a hunter gets, and that all of it together is what was paid in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live.engine.bounties import envelopes_left, ledger_of
from live.engine.project import project
from tests.live.logs import Writer, evenings


def evening():
    """Cleo goes out by Ada, Boris by nobody who was seen, Dora by Ada: Ada wins."""
    log = Writer()
    ada, boris, cleo, dora = log.enter("Ada", "Boris", "Cleo", "Dora")
    for out, by in ((cleo, ada), (boris, None), (dora, ada)):
        log.out(out)
        if by:
            log.add("by", target=out, by=by)
    return log, ada


@pytest.mark.parametrize(
    ("bounty", "ada"),
    [
        ({"kind": "fixed", "amount": 5}, 20),  # Cleo, Dora, her own, and Boris whom nobody saw
        ({"kind": "progressive", "amount": 5}, 20),
        ({"kind": "leader", "amount": 7, "on": ["Dora"]}, 7),
        ({"kind": "leader", "amount": 7, "on": ["Boris"]}, 7),  # nobody saw: it stays with the winner
        ({"kind": "mystery", "amount": 5, "envelopes": [1, 2, 7, 10]}, 20),
    ],
)
def test_what_nobody_won_is_the_winners(bounty, ada):
    log, winner = evening()
    ledger = ledger_of(project(log.actions), bounty)
    assert ledger.won == {winner: ada}


def test_half_of_a_progressive_bounty_is_on_the_hunters_head():
    log = Writer()
    ada, boris, cleo, dora = log.enter("Ada", "Boris", "Cleo", "Dora")
    log.out(cleo)
    log.add("by", target=cleo, by=boris)
    log.out(boris)
    log.add("by", target=boris, by=ada)
    ledger = ledger_of(project(log.actions), {"kind": "progressive", "amount": 10})
    assert ledger.won == {boris: 5, ada: 8}  # half of 10, and the larger half of 15
    assert ledger.heads == {ada: 17, dora: 10}
    assert ledger.hunts == [(boris, cleo, 5), (ada, boris, 8)]


def test_an_opened_envelope_stays_with_who_was_put_out():
    log = Writer()
    ada, boris, _cleo = log.enter("Ada", "Boris", "Cleo")
    out = log.out(ada)
    log.add("by", target=ada, by=boris)
    bounty = {"kind": "mystery", "amount": 5, "envelopes": [1, 4, 10]}
    assert envelopes_left(project(log.actions), bounty) == [1, 4, 10]
    opened = log.add("envelope", entry=ada, amount=10)
    assert ledger_of(project(log.actions), bounty).won == {boris: 10}
    assert envelopes_left(project(log.actions), bounty) == [1, 4]
    log.add("void", target=out, on=True)
    log.add("void", target=opened, on=True)
    night = project(log.actions)
    assert ledger_of(night, bounty).won == {}
    assert night.envelopes == {ada: 10}
    assert envelopes_left(night, bounty) == [1, 4]
    log.enter("Dora")  # late: what is missing to 4 x 5 is in one more
    assert envelopes_left(project(log.actions), bounty) == [1, 4, 5]


def test_the_last_ones_who_go_out_together_share_what_is_left():
    log = Writer()
    ada, boris, cleo = log.enter("Ada", "Boris", "Cleo")
    log.out(cleo)
    log.add("by", target=cleo, by=ada)
    log.add("chop", method="even", groups=[[ada, boris]])
    ledger = ledger_of(project(log.actions), {"kind": "fixed", "amount": 5})
    assert ledger.won == {ada: 10, boris: 5}
    assert ledger.pool == 15


def test_a_leader_is_found_however_the_name_is_written():
    log, _winner = evening()
    assert ledger_of(project(log.actions), {"kind": "leader", "amount": 7, "on": ["ＤＯＲＡ "]}).pool == 7


BOUNTIES = st.fixed_dictionaries(
    {"kind": st.sampled_from(["fixed", "progressive", "mystery"]), "amount": st.integers(0, 99)},
    optional={"envelopes": st.lists(st.integers(0, 50), max_size=6)},
)


@given(evenings(), BOUNTIES)
def test_a_ledger_sums_to_the_pool(actions, bounty):
    """Property 8."""
    night = project(actions)
    n_paid = sum(entry.cost > 0 for entry in night.entries.values()) or len(night.entries)
    assert ledger_of(night, bounty).pool == bounty["amount"] * n_paid


@pytest.mark.parametrize("kind", ["fixed", "progressive", "mystery"])
def test_who_was_let_in_for_nothing_has_no_bounty(kind):
    """Let one of four in for nothing: three bounties are paid in, and no more are won."""
    log = Writer()
    ada, boris, cleo = log.enter("Ada", "Boris", "Cleo", cost=20)
    (dora,) = log.enter("Dora")
    for out in (dora, cleo, boris):
        log.out(out)
        log.add("by", target=out, by=ada)
    bounty = {"kind": kind, "amount": 5, "envelopes": [5, 5, 5]}
    ledger = ledger_of(project(log.actions), bounty)
    assert ledger.won == {ada: 15}
    assert sum(envelopes_left(project(log.actions), bounty)) == 15
