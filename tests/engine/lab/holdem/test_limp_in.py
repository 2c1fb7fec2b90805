"""The small blind that limps in: a share of its hands, only where all before it have folded, at every door."""

import numpy as np
import pytest

from lab.engine.errors import EngineError
from lab.engine.holdem.cards import N_CARDS
from lab.engine.holdem.hand import Blinds, Hand
from lab.engine.holdem.play import choose
from lab.engine.holdem.preflop import class_of, least_chance, preflop_chances
from lab.engine.holdem.styles import STYLES, style_of
from lab.engine.holdem.tournament import Structure, play_tournaments
from lab.engine.utility import Style
from lab.management.commands.deal import style_of as read_style

NEVER = Style(gamma=100.0, loose_preflop=-5.0)  # folds every hand that it may
BLINDS = Blinds(10, 20)


def hand_of(first, second, *, seats=3):
    """A hand of which the small blind holds two given cards; the button is seat 0, and nobody has acted."""
    rest = [card for card in range(N_CARDS) if card not in {first, second}]
    small = 0 if seats == 2 else 1
    deck = [*rest[: 2 * small], first, second, *rest[2 * small : 2 * seats + 3]]
    return Hand([1_500] * seats, 0, BLINDS, deck)


def answer(hand, style):
    own = hand.hole(hand.actor)
    return choose(hand, preflop_chances()[class_of(*own), len(hand.live()) - 2], style)[0]


@pytest.mark.parametrize("share", [0.2, 0.5, 0.7])
def test_the_best_hands_that_make_up_the_share_are_played(share):
    style = Style(gamma=100.0, loose_preflop=-5.0, limp=share)
    pairs = [(first, second) for first in range(N_CARDS) for second in range(first)]
    played = []
    for pair in pairs:
        hand = hand_of(*pair)
        hand.act("fold")
        played.append(answer(hand, style) == "call")
    # The classes of hands have up to 12 pairs of cards, so the share is met to one of them.
    assert np.mean(played) == pytest.approx(share, abs=12 / len(pairs))
    chance = np.array([preflop_chances()[class_of(*pair), 0] for pair in pairs])
    assert chance[played].min() > chance[~np.array(played)].max()


def test_only_the_small_blind_to_whom_all_have_folded_limps_in():
    limper = Style(gamma=100.0, loose_preflop=-5.0, limp=1.0)
    folded = hand_of(0, 5)
    assert answer(folded, limper) == "fold"  # the button, who acts first
    folded.act("fold")
    assert answer(folded, NEVER) == "fold"
    assert answer(folded, limper) == "call"
    called = hand_of(0, 5)
    called.act("call")
    assert answer(called, limper) == "fold"
    raised = hand_of(0, 5)
    raised.act("raise", 60)
    assert answer(raised, limper) == "fold"


def test_a_raise_after_the_limp_is_answered_as_ever():
    """The limping part of the range has its own answer to a raise."""
    hand = hand_of(0, 5)
    hand.act("fold")
    hand.act("call")
    hand.act("raise", 60)
    assert answer(hand, Style(gamma=100.0, loose_preflop=-5.0, limp=1.0)) == "fold"


def test_heads_up_the_small_blind_acts_first():
    hand = hand_of(0, 5, seats=2)
    assert answer(hand, NEVER) == "fold"
    assert answer(hand, Style(gamma=100.0, loose_preflop=-5.0, limp=1.0)) == "call"


def test_no_share_is_no_hand():
    assert least_chance(0.0) == np.inf
    assert least_chance(1.0) == preflop_chances()[:, 0].min()


def test_more_hands_go_on_in_tournaments_of_limpers():
    structure = Structure(hands_per_level=10, samples=50)
    careful, limping = (
        play_tournaments([Style(gamma=6.0, loose_preflop=-0.5, limp=limp)] * 9, 4, 3, structure)
        for limp in (0.0, 0.8)
    )
    decisions = [result.n_decisions / result.n_hands for result in (careful, limping)]
    assert decisions[1] > decisions[0]


def test_every_door_knows_it():
    assert read_style("limp=0.7,gamma=2") == Style(gamma=2.0, limp=0.7)
    assert STYLES["limper"].limp == 0.7
    drawn = [style_of(f"random-{seed}").limp for seed in range(50)]
    assert 0.0 <= min(drawn) < 0.2
    assert 0.6 < max(drawn) <= 0.8
    with pytest.raises(EngineError, match="limp"):
        Style(limp=1.1)
