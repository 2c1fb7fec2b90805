"""A tournament in plain Python, from the rules and not from the kernels: it draws the same random numbers."""

import math

import numpy as np

from lab.engine.holdem.cards import bits_of
from lab.engine.holdem.evaluator import rank_sets
from lab.engine.holdem.hand import Blinds, Hand
from lab.engine.holdem.play import choose
from lab.engine.holdem.preflop import class_of, preflop_chances

MASK = 2**64 - 1
SEATS = 10


class Random:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n):
        return ((self.bits() >> 32) * n) >> 32

    def uniform(self):
        return (self.bits() >> 11) / 2**53

    def normal(self):
        radius = math.sqrt(-2 * math.log(1 - self.uniform()))
        return radius * math.cos(2 * math.pi * self.uniform())

    def shuffle(self, values, n):
        for at in range(n):
            other = at + self.below(len(values) - at)
            values[at], values[other] = values[other], values[at]

    def take(self, deck, n_left, n):
        """Draw cards from the first of a deck and move them to its end."""
        taken = []
        for end in range(n_left - 1, n_left - 1 - n, -1):
            at = self.below(end + 1)
            deck[at], deck[end] = deck[end], deck[at]
            taken.append(deck[end])
        return taken


def value(cards):
    return int(rank_sets(np.array([bits_of(cards)], dtype=np.uint64))[0])


def drawn_chance(random, own, board, n_others, samples):
    deck = [card for card in range(52) if card not in {*own, *board}]
    missing, won = 5 - len(board), 0.0
    for _sample in range(samples):
        full = [*board, *random.take(deck, len(deck), missing)]
        mine, n_equal = value([*own, *full]), 1
        for other in range(n_others):
            theirs = value([*full, *random.take(deck, len(deck) - missing - 2 * other, 2)])
            if theirs > mine:
                n_equal = 0
                break
            n_equal += theirs == mine
        won += 1 / n_equal if n_equal else 0
    return won / samples


class Tournament:
    def __init__(self, styles, seed, structure):
        self.styles, self.structure, self.random = styles, structure, Random(seed)
        n = len(styles)
        self.chips = [structure.stack] * n
        self.deck = list(range(52))
        order = list(range(n))
        self.random.shuffle(order, n - 1)
        n_tables = -(-n // structure.seats)
        self.tables = [dict(enumerate(order[table::n_tables])) for table in range(n_tables)]
        self.buttons = [0] * n_tables
        self.places, self.busted_after, self.n_hands, self.n_rounds = [0] * n, [0] * n, 0, 0

    def play(self):
        self.balance()
        while sum(chips > 0 for chips in self.chips) > 1:
            before = list(self.chips)
            for number, table in enumerate(self.tables):
                if len(table) > 1:
                    self.play_hand(number)
            self.n_rounds += 1
            self.record(before)
            self.tables = [
                {seat: player for seat, player in table.items() if self.chips[player]}
                for table in self.tables
            ]
            self.balance()
        return self

    def record(self, before):
        left = sum(chips > 0 for chips in self.chips)
        out = [player for player, chips in enumerate(self.chips) if before[player] and not chips]
        for player, chips in enumerate(before):
            if chips:
                self.busted_after[player] = self.n_rounds
                self.places[player] = 1
        for player in out:
            self.places[player] = left + 1 + sum(before[other] > before[player] for other in out)

    def blinds(self):
        levels = self.structure.levels
        level = self.n_rounds // self.structure.hands_per_level
        factor = 2 ** min(max(level - len(levels) + 1, 0), 30)
        last = levels[min(level, len(levels) - 1)]
        return Blinds(last.small * factor, last.big * factor, last.ante * factor)

    def play_hand(self, number):
        table = self.tables[number]
        self.n_hands += 1
        self.buttons[number] = next(
            seat for at in range(1, SEATS + 1) if (seat := (self.buttons[number] + at) % SEATS) in table
        )
        seats = sorted(table)
        players = [table[seat] for seat in seats]
        self.random.shuffle(self.deck, 2 * len(players) + 5)
        hand = Hand(
            [self.chips[player] for player in players],
            seats.index(self.buttons[number]),
            self.blinds(),
            self.deck[: 2 * len(players) + 5],
        )
        seen = {}
        while not hand.is_over:
            style = self.styles[players[hand.actor]]
            hand.act(*choose(hand, self.estimate(hand, style, seen), style))
        for player, paid, won in zip(players, hand.paid, hand.won(), strict=True):
            self.chips[player] += won - paid

    def estimate(self, hand, style, seen):
        """Chance as the player sees it, once for each street and number of players."""
        n_live = len(hand.live())
        key = (hand.actor, hand.street, n_live)
        if seen.get(hand.actor, (None, None))[0] != key:
            own = hand.hole(hand.actor)
            if hand.street == 0:
                chance = preflop_chances()[class_of(*own), n_live - 2]
            else:
                chance = drawn_chance(self.random, own, hand.board, n_live - 1, self.structure.samples)
            if style.noise:
                chance = min(max(chance + style.noise * self.random.normal(), 0), 1)
            seen[hand.actor] = (key, chance)
        return seen[hand.actor][1]

    def balance(self):
        open_tables = [number for number, table in enumerate(self.tables) if self.buttons[number] is not None]
        n_players = sum(map(len, self.tables))
        while len(open_tables) > 1 and (len(open_tables) - 1) * self.structure.seats >= n_players:
            broken = min(open_tables, key=lambda number: len(self.tables[number]))
            open_tables.remove(broken)
            self.buttons[broken] = None
            for seat in sorted(self.tables[broken]):
                self.move(broken, seat, min(open_tables, key=lambda number: len(self.tables[number])))
        while True:
            largest = max(range(len(self.tables)), key=lambda number: len(self.tables[number]))
            smallest = min(open_tables, key=lambda number: len(self.tables[number]))
            if len(self.tables[largest]) - len(self.tables[smallest]) < 2:
                return
            after = [(self.buttons[largest] + at) % SEATS for at in range(1, 3 * SEATS + 1)]
            self.move(largest, [seat for seat in after if seat in self.tables[largest]][2], smallest)

    def move(self, table, seat, to):
        free = next(seat for seat in range(SEATS) if seat not in self.tables[to])
        self.tables[to][free] = self.tables[table].pop(seat)
