"""The rules of one hand: worked examples of each, and chips conserved in whatever is played."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.engine.holdem.cards import cards_of, shuffled
from lab.engine.holdem.hand import Blinds, Hand, NotAllowedError, Options
from lab.engine.holdem.hand_kernels import GAME_SIZE, PAID, SEAT_ROWS, STACK, VALUE, WON
from lab.engine.holdem.play import choose
from lab.engine.holdem.styles import STYLES
from tests.engine.twins.hand_actions import play_actions

BLINDS = Blinds(50, 100)
ACTIONS = ("fold", "call", "raise")


def hand_of(stacks, *, button=0, blinds=BLINDS, cards="", board="2c7d9hJsKd"):
    """Begin a hand; players without given cards get low ones that no board of these tests helps."""
    own = cards_of(cards)
    rest = [card for card in range(52) if card not in {*own, *cards_of(board)}]
    n_own = 2 * len(stacks)
    return Hand(stacks, button, blinds, [*own, *rest][:n_own] + list(cards_of(board)))


def play(hand, *actions):
    for action in actions:
        hand.act(*action) if isinstance(action, tuple) else hand.act(action)


def test_blinds_and_antes_are_posted_and_the_player_after_the_big_blind_begins():
    hand = hand_of([1000] * 4, button=1, blinds=Blinds(50, 100, 10))
    assert hand.paid == [10, 10, 60, 110]
    assert hand.actor == 0
    assert hand.options() == Options(110, 210, 1000)


def test_heads_up_the_button_is_the_small_blind_and_acts_first_before_the_flop_only():
    hand = hand_of([1000, 1000], button=1)
    assert (hand.paid, hand.actor) == ([100, 50], 1)
    play(hand, "call", "call")
    assert (hand.street, hand.actor) == (1, 0)


def test_the_big_blind_may_raise_after_calls():
    hand = hand_of([1000] * 3)
    play(hand, "call", "call")
    assert (hand.actor, hand.street, hand.options()) == (2, 0, Options(100, 200, 1000))


def test_a_raise_is_at_least_as_large_as_the_last():
    hand = hand_of([5000] * 3)
    play(hand, ("raise", 350))
    assert hand.options() == Options(350, 600, 5000)
    with pytest.raises(NotAllowedError, match="from 600 to 5000, got 599"):
        hand.act("raise", 599)


def test_a_short_all_in_does_not_let_those_who_acted_raise_again():
    hand = hand_of([5000, 5000, 450])
    play(hand, ("raise", 300), "call", ("raise", 450))
    assert hand.options() == Options(450, 0, 0)
    with pytest.raises(NotAllowedError):
        hand.act("raise", 0)


def test_short_all_ins_that_make_a_whole_raise_together_do():
    hand = hand_of([530, 5000, 5000, 420], button=3)
    play(hand, ("raise", 300), ("raise", 420), ("raise", 530), "call")
    assert hand.actor == 2
    assert hand.options() == Options(530, 730, 5000)


def test_nobody_raises_beyond_what_an_opponent_can_call():
    hand = hand_of([5000, 800])
    assert hand.options() == Options(100, 200, 800)


def test_side_pots_go_to_the_best_hand_among_those_who_paid_for_them():
    hand = hand_of([1000, 300, 600], cards="QcQd AcAd KcKh".replace(" ", ""), board="2h3s7d9h4s")
    play(hand, ("raise", 600), "call", "call")
    assert hand.is_showdown
    # 900 for the aces of 300, 600 for the kings; the 400 beyond were never at stake.
    assert (hand.paid, hand.won()) == ([600, 300, 600], [0, 900, 600])


def test_uncalled_chips_go_back():
    hand = hand_of([1000, 1000, 60], button=0)
    play(hand, ("raise", 500), "fold")
    assert hand.is_over
    assert hand.paid == [500, 50, 60]
    assert sum(hand.won()) == 610
    assert hand.won()[0] >= 440


def test_the_odd_chip_goes_to_the_first_winner_left_of_the_button():
    hand = hand_of(
        [500, 500, 25],
        button=1,
        blinds=Blinds(10, 20),
        cards="AsKs AcKc 2h3h".replace(" ", ""),
        board="AhQdJsTc8d",
    )
    play(hand, "call", "call", "call")
    assert hand.paid == [20, 20, 20]
    play(hand, *["call"] * 6)
    assert hand.won() == [30, 30, 0]
    hand = hand_of(
        [500, 500, 25],
        button=0,
        blinds=Blinds(5, 15),
        cards="AsKs AcKc 2h3h".replace(" ", ""),
        board="AhQdJsTc8d",
    )
    play(hand, "call", "call", "call", *["call"] * 6)
    assert (hand.paid, hand.won()) == ([15, 15, 15], [22, 23, 0])


def test_everybody_else_folds_and_no_card_is_shown():
    hand = hand_of([1000] * 3)
    play(hand, "fold", "fold")
    assert (hand.is_over, hand.is_showdown, hand.won()) == (True, False, [0, 0, 150])


def test_nobody_acts_where_all_are_all_in():
    hand = hand_of([80, 40])
    assert hand.is_showdown
    assert sum(hand.won()) == sum(hand.paid) == 90


def test_a_player_who_has_covered_an_all_in_does_not_act():
    hand = hand_of([1000, 1000, 60])
    play(hand, "fold")
    assert hand.actor == 1
    assert hand.options() == Options(60, 0, 0)
    play(hand, "call")
    assert hand.is_showdown


def test_nothing_happens_after_the_end():
    hand = hand_of([1000, 1000])
    play(hand, "fold")
    with pytest.raises(NotAllowedError, match="over"):
        hand.act("call")


@st.composite
def games(draw):
    """Draw stacks, blinds, button and the seed of cards and decisions."""
    stacks = draw(st.lists(st.integers(1, 3000), min_size=2, max_size=10))
    big = draw(st.integers(2, 400))
    blinds = Blinds(draw(st.integers(1, big)), big, draw(st.sampled_from([0, 0, 1, 25])))
    return stacks, draw(st.integers(0, len(stacks) - 1)), blinds, draw(st.integers(0, 2**32))


def random_actions(hand, rng):
    """Play a hand at random and list the decisions: action, amount."""
    done = []
    while not hand.is_over:
        allowed = hand.options()
        action = ACTIONS[rng.choice(3, p=[0.2, 0.5, 0.3])]
        if action == "raise" and not allowed.high:
            action = "call"
        # Small raises and all-ins are both frequent.
        to = (
            min(allowed.low + int(rng.choice([0, 0, 7, 300, 10**6])), allowed.high)
            if action == "raise"
            else 0
        )
        hand.act(action, to)
        done.append((ACTIONS.index(action), to))
    return done


@pytest.mark.rest
@given(games())
def test_chips_are_conserved_and_the_compiled_hand_ends_alike(game):
    stacks, button, blinds, seed = game
    rng = np.random.default_rng(seed)
    n = len(stacks)
    hand = Hand(stacks, button, blinds, shuffled(rng, 2 * n + 5))
    done = random_actions(hand, rng)
    won = hand.won()
    assert sum(won) == sum(hand.paid)
    assert all(0 <= paid <= stack for paid, stack in zip(hand.paid, stacks, strict=True))
    for seat in range(n):
        assert won[seat] <= sum(min(paid, hand.paid[seat]) for paid in hand.paid) or len(hand.live()) == 1
    assert (won, hand.paid) == compiled(hand, blinds, done)


@given(games(), st.lists(st.sampled_from(list(STYLES.values())), min_size=10, max_size=10))
def test_players_of_every_style_take_allowed_decisions_and_conserve_chips(game, styles):
    stacks, button, blinds, seed = game
    rng = np.random.default_rng(seed)
    hand = Hand(stacks, button, blinds, shuffled(rng, 2 * len(stacks) + 5))
    n_decisions = 0
    while not hand.is_over:
        hand.act(*choose(hand, rng.random(), styles[hand.actor]))
        n_decisions += 1
    assert sum(hand.won()) == sum(hand.paid)
    # Raises grow at least by the big blind, so no hand goes on for ever.
    assert n_decisions <= 4 * len(stacks) + len(stacks) * sum(stacks) / blinds.big


def compiled(hand, blinds, done):
    """Play the same decisions in the compiled hand; return what was won and paid."""
    n = len(hand.stacks)
    seats, state = np.zeros((SEAT_ROWS, n), dtype=np.int64), np.zeros(GAME_SIZE, dtype=np.int64)
    seats[STACK] = hand.stacks
    if hand.is_showdown:
        seats[VALUE] = hand._values(range(n))
    actions = np.array(done, dtype=np.int64).reshape(-1, 2)
    assert play_actions(
        seats, state, hand.button, np.array([blinds.small, blinds.big, blinds.ante]), actions
    ) == len(done)
    return seats[WON].tolist(), seats[PAID].tolist()
