"""A sit-and-go that a person plays: everything a stored game consists of, and what each decision was worth.

The cards of a hand follow from the seed and the number of the hand, so a game is its seed, the stacks at the start of
the hand and the decisions taken in it. The person is player 0.
"""

import math
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np

from lab.engine.holdem.cards import shuffled
from lab.engine.holdem.equity import chance_to_win
from lab.engine.holdem.hand import Action, Blinds, Hand, NotAllowedError
from lab.engine.holdem.play import choose, decision_of
from lab.engine.holdem.preflop import class_of, preflop_chances
from lab.engine.holdem.styles import style_of
from lab.engine.holdem.tournament import require_between
from lab.engine.utility import Style

PERSON: Final = 0
LEAST_PLAYERS, MOST_PLAYERS = 2, 6
STACK: Final = 1_500
HANDS_PER_LEVEL: Final = 8
LEVELS: Final = tuple(
    Blinds(big // 2, big) for big in (20, 30, 50, 80, 120, 200, 300, 500, 800, 1200, 2000, 3000)
)
# Hands drawn for a chance; the standard error is at most 0.5 / sqrt(1000) = 1.6 percent.
SAMPLES: Final = 1_000


@dataclass(frozen=True)
class Choice:
    """A decision of the person, and what a Kelly player would have thought of it.

    Utilities are turned into chips: the stack that would be worth as much for sure. A raise of any size counts as the
    best one.
    """

    hand: int
    street: int
    action: str
    to: int
    chance: float
    fold: float
    call: float
    raise_: float | None
    raise_to: int
    best: str

    @property
    def cost(self) -> float:
        """Chips that the decision cost, on this scale."""
        return max(self.of(self.best) - self.of(self.action), 0.0)

    def of(self, action: str) -> float:
        values = {"fold": self.fold, "call": self.call, "raise": self.raise_}
        value = values[action]
        assert value is not None
        return value


@dataclass
class Game:
    """State of a sit-and-go; `styles` are those of the other players, `places` 0 for those still in."""

    seed: int
    styles: list[str]
    stacks: list[int]
    places: list[int]
    button: int = PERSON
    number: int = 0
    actions: list[tuple[Action, int]] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    # Chips of the person before each hand, and after the last one.
    curve: list[int] = field(default_factory=list)

    @classmethod
    def of_json(cls, state: dict[str, Any]) -> "Game":
        choices = [Choice(**choice) for choice in state["choices"]]
        actions = [(action, to) for action, to in state["actions"]]
        return cls(**{**state, "choices": choices, "actions": actions})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def is_finished(self) -> bool:
        return self.places[PERSON] > 0

    def blinds(self) -> Blinds:
        return LEVELS[min(self.number // HANDS_PER_LEVEL, len(LEVELS) - 1)]

    def players(self) -> list[int]:
        """List the players of this hand, in order of the seats."""
        return [player for player, stack in enumerate(self.stacks) if stack]

    def hand(self) -> Hand:
        """Deal the hand and take the decisions that have been taken in it."""
        hand = self.fresh_hand()
        for action, to in self.actions:
            hand.act(action, to)
        return hand

    def fresh_hand(self) -> Hand:
        players = self.players()
        deck = shuffled(np.random.default_rng([self.seed, self.number]), 2 * len(players) + 5)
        return Hand(
            [self.stacks[player] for player in players], players.index(self.button), self.blinds(), deck
        )


def start(styles: list[str], seed: int) -> Game:
    """Begin a game against players of the given styles.

    Raises
    ------
    EngineError
        If there are too few or too many of them.
    """
    n = len(styles) + 1
    require_between("players", n, LEAST_PLAYERS, MOST_PLAYERS)
    button = int(np.random.default_rng(seed).integers(n))
    game = Game(seed, styles, [STACK] * n, [0] * n, button, curve=[STACK])
    _let_others_play(game, game.hand())
    return game


def take_decision(game: Game, action: Action, to: int) -> None:
    """Take the person's decision, and those of the others until it is the person's turn again or the hand is over.

    Raises
    ------
    NotAllowedError
        If it is not the person's turn, or the rules do not allow it.
    """
    _require(not game.is_finished)
    hand = game.hand()
    _require(not hand.is_over)
    choice = _weigh(game, hand, action, to)
    hand.act(action, to)
    game.choices.append(choice)
    game.actions.append((action, to))
    _let_others_play(game, hand)


def begin_next_hand(game: Game) -> None:
    """Divide the pots of a hand that is over, place those who are out, and deal the next hand.

    Raises
    ------
    NotAllowedError
        If the hand or the whole game is not at this point.
    """
    _require(not game.is_finished)
    hand, players = game.hand(), game.players()
    _require(hand.is_over)
    before = list(game.stacks)
    for player, paid, won in zip(players, hand.paid, hand.won(), strict=True):
        game.stacks[player] += won - paid
    _place(game, before)
    game.curve.append(game.stacks[PERSON])
    game.number, game.actions = game.number + 1, []
    if game.is_finished:
        return
    game.button = next(
        player for at in range(1, len(before) + 1) if game.stacks[player := (game.button + at) % len(before)]
    )
    _let_others_play(game, game.hand())


def _require(is_possible: bool) -> None:
    if not is_possible:
        raise NotAllowedError("the game is not at this point")


def _place(game: Game, before: list[int]) -> None:
    out = [player for player, stack in enumerate(game.stacks) if before[player] and not stack]
    left = len(game.players())
    for player in out:
        game.places[player] = left + 1 + sum(before[other] > before[player] for other in out)
    if left == 1:
        game.places[game.players()[0]] = 1


def _let_others_play(game: Game, hand: Hand) -> None:
    players = game.players()
    while not hand.is_over and players[hand.actor] != PERSON:
        style = style_of(game.styles[players[hand.actor] - 1])
        action, to = choose(hand, _chance(game, hand), style)
        hand.act(action, to)
        game.actions.append((action, to))


def _chance(game: Game, hand: Hand) -> float:
    """Chance of the player to act against random hands of the others."""
    own, n_others = hand.hole(hand.actor), len(hand.live()) - 1
    if hand.street == 0:
        return float(preflop_chances()[class_of(*own), n_others - 1])
    rng = np.random.default_rng([game.seed, game.number, 1 + len(game.actions)])
    return chance_to_win(own, n_others, hand.board, samples=SAMPLES, rng=rng)


def _weigh(game: Game, hand: Hand, action: Action, to: int) -> Choice:
    """Say what a Kelly player makes of the person's decision."""
    chance = _chance(game, hand)
    decision, allowed = decision_of(hand, chance, Style()), hand.options()
    stack = hand.stacks[hand.actor]

    def chips(value: float) -> float:
        return stack * math.exp(value)

    raise_ = chips(decision.raise_) if allowed.high else None
    values: dict[str, float] = {"fold": chips(decision.fold), "call": chips(decision.call)}
    if raise_ is not None:
        values["raise"] = raise_
    best = max(values, key=lambda name: values[name])
    raise_to = min(math.floor(decision.commitment + 0.5), allowed.high)
    return Choice(
        game.number, hand.street, action, to, chance, values["fold"], values["call"], raise_, raise_to, best
    )
