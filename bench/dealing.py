"""Speed of the dealer: hands evaluated, and tournaments dealt and decided."""

import time

import eval7
import numpy as np
import phevaluator
import treys

from bench.report import Row, best_of, met
from lab.engine.holdem.cards import CARD_BITS, card_text
from lab.engine.holdem.evaluator import rank_hands
from lab.engine.holdem.kernels import set_values
from lab.engine.holdem.styles import mixed_styles
from lab.engine.holdem.tournament import DUEL, Structure, play_duels, play_tournaments
from lab.engine.utility import Style

N_HANDS, N_SLOW, N_DUELS = 1_000_000, 20_000, 1_000
GOAL_HANDS, GOAL_SECONDS = 10_000, 10.0
# Slow levels make a tournament of 100 players about as long as the goal says.
LONG = Structure(hands_per_level=140)


def measure():
    return [*_evaluations(), _tournament(), _duels()]


def _evaluations():
    rng = np.random.default_rng(1)
    hands = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (N_HANDS, 1)), axis=1)[:, :7]
    sets = np.bitwise_or.reduce(CARD_BITS[hands], axis=1)
    compiled = best_of(lambda: set_values(sets)) / N_HANDS
    numpy = best_of(lambda: rank_hands(hands)) / N_HANDS
    few = hands[:N_SLOW].tolist()
    theirs = best_of(lambda: [phevaluator.evaluate_cards(*hand) for hand in few], repeat=3) / N_SLOW
    yield Row("value of seven cards, compiled", "phevaluator 0.6.0", compiled, theirs)
    yield Row("value of seven cards, NumPy", "phevaluator 0.6.0", numpy, theirs)
    eval7_cards = [[eval7.Card(card_text(card)) for card in hand] for hand in few]
    theirs = best_of(lambda: [eval7.evaluate(hand) for hand in eval7_cards], repeat=3) / N_SLOW
    yield Row("value of seven cards, compiled", "eval7 0.1.11, called from Python", compiled, theirs)
    evaluator = treys.Evaluator()
    cards = [[treys.Card.new(card_text(card)) for card in hand] for hand in few]
    theirs = best_of(lambda: [evaluator.evaluate(hand[:2], hand[2:]) for hand in cards], repeat=3) / N_SLOW
    yield Row("value of seven cards, compiled", "treys 0.1.8", compiled, theirs)


def _tournament():
    styles = mixed_styles(100, 1)
    play_duels(Style(), Style(), 1, 1)
    began_at = time.perf_counter()
    result = play_tournaments(styles, 1, 1, LONG)
    seconds = time.perf_counter() - began_at
    each = seconds / result.n_hands
    is_met = each * GOAL_HANDS <= GOAL_SECONDS
    note = (
        f"{result.n_hands:,} hands, {1 / each:,.0f} hands and {result.n_decisions / seconds:,.0f} decisions "
        f"per second, {LONG.samples:,} draws for an estimate after the flop (standard error at most "
        f"{0.5 / LONG.samples**0.5:.3f}); one core; goal {GOAL_HANDS:,} hands in {GOAL_SECONDS:g} s: {met(is_met)}"
    )
    return Row("tournament of 100 players", "", seconds, None, note=note)


def _duels():
    seconds = best_of(lambda: play_duels(Style(), Style(), N_DUELS, 1), repeat=1, warm=0)
    note = f"{N_DUELS / seconds:,.0f} duels per second, stacks of {DUEL.stack:,}, {DUEL.samples:,} draws; one core"
    return Row(f"{N_DUELS:,} tournaments of two", "", seconds, None, note=note)
