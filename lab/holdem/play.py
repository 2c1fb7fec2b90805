"""What the page of a sit-and-go shows: only what the person at the table may see."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from lab.engine.duels import stored_duels
from lab.engine.holdem import sit_and_go as engine
from lab.engine.holdem.cards import bits_of
from lab.engine.holdem.evaluator import category_of, rank_sets
from lab.engine.holdem.hand import Hand
from lab.engine.holdem.sit_and_go import PERSON, Choice, Game
from lab.engine.holdem.styles import RANDOM, STRENGTHS, kind_of
from lab.engine.utility import Style
from lab.holdem.faces import Face, face

KINDS = {
    "rock": gettext_lazy("Rock"),
    "careful": gettext_lazy("Careful"),
    "kelly": gettext_lazy("Kelly"),
    "loose": gettext_lazy("Loose"),
    "bold": gettext_lazy("Bold"),
    "moody": gettext_lazy("Moody"),
    "dreamer": gettext_lazy("Dreamer"),
    "limper": gettext_lazy("Limper"),
}
STYLE_TEXTS = {
    "rock": gettext_lazy("plays few hands and shuns risk"),
    "careful": gettext_lazy("cares for the stack more than for chips"),
    "kelly": gettext_lazy("knows the chances and lets the stack grow fastest"),
    "loose": gettext_lazy("takes every hand for better than it is"),
    "bold": gettext_lazy("seeks risk"),
    "moody": gettext_lazy("careful with good cards, reckless with bad ones"),
    "dreamer": gettext_lazy("hopes for the unlikely"),
    "limper": gettext_lazy("plays on in the small blind when all fold to it"),
}
STRENGTH_NAMES = {
    "easy": gettext_lazy("Easy"),
    "even": pgettext_lazy("a strength of players", "Even"),
    "hard": gettext_lazy("Hard"),
}
AT_RANDOM = gettext_lazy("At random")
STYLE_NAMES = {**KINDS, **STRENGTH_NAMES, RANDOM: AT_RANDOM}
STREETS = (gettext_lazy("Before the flop"), gettext_lazy("Flop"), gettext_lazy("Turn"), gettext_lazy("River"))
ACTIONS = {"fold": gettext_lazy("Fold"), "call": gettext_lazy("Call"), "raise": gettext_lazy("Raise")}
CATEGORIES = {
    "high_card": gettext_lazy("high card"),
    "pair": gettext_lazy("a pair"),
    "two_pairs": gettext_lazy("two pairs"),
    "three_of_a_kind": gettext_lazy("three of a kind"),
    "straight": gettext_lazy("a straight"),
    "flush": gettext_lazy("a flush"),
    "full_house": gettext_lazy("a full house"),
    "four_of_a_kind": gettext_lazy("four of a kind"),
    "straight_flush": gettext_lazy("a straight flush"),
}
FIRST_STYLES = ("careful", "loose", "bold")


def style_text(name: str) -> str:
    """Describe a player: what a kind does, how strong one is in duels, from what one at random is drawn."""
    kind = kind_of(name)
    if kind in STRENGTHS:
        n = round(100 * _share_of_duels(STRENGTHS[kind]))
        return _("wins %(n)d of 100 duels") % {"n": n}
    if kind == RANDOM:
        return _("drawn anew for each game")
    return str(STYLE_TEXTS[kind])


def _share_of_duels(style: Style) -> float:
    """Find the share of stored duels that a player with this weakness won, about half without one."""
    return next(
        duels.wins / duels.tournaments
        for duels in stored_duels()
        if Style(**{duels.weakness: duels.strength}) == style
    )


class StartForm(forms.Form):
    """Who sits at the table, besides the person who plays."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        described = [
            (name, _("%(name)s: %(text)s") % {"name": title, "text": style_text(name)})
            for name, title in STYLE_NAMES.items()
        ]
        styles = [
            (_("By strength"), described[len(KINDS) : -1]),
            (_("By kind"), described[: len(KINDS)]),
            described[-1],
        ]
        for number in range(1, engine.MOST_PLAYERS):
            initial = dict(enumerate(FIRST_STYLES, 1)).get(number, "")
            self.fields[f"player_{number}"] = forms.ChoiceField(
                label=_("Player %(number)s") % {"number": number + 1},
                choices=[("", _("nobody")), *styles],
                required=False,
                initial=initial,
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not self.styles():
            self.add_error("player_1", _("Choose at least one player."))
        return data

    def styles(self) -> list[str]:
        names = (self.cleaned_data.get(name, "") for name in self.fields)
        return [name for name in names if name]


class DecisionForm(forms.Form):
    """A decision, and the page that it was taken on."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    action = forms.ChoiceField(choices=[*ACTIONS.items(), ("next", "next")])
    to = forms.IntegerField(label=gettext_lazy("Raise to"), required=False)

    def __init__(self, *args: Any, low: int, high: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.low, self.high = low, high

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        to = data.get("to")
        if data.get("action") == "raise" and not self.errors:
            if not self.high:
                self.add_error("to", _("You cannot raise here."))
            elif to is None or not self.low <= to <= self.high:
                bounds = {"low": self.low, "high": self.high}
                self.add_error("to", _("Raise to between %(low)s and %(high)s.") % bounds)
        return data


@dataclass(frozen=True)
class Seat:
    """A player at the table as the person sees them; `cards` of others only at a showdown."""

    name: str
    style: str
    stack: int
    paid: int
    won: int
    place: int
    is_folded: bool
    is_button: bool
    cards: tuple[Face, ...]
    category: str


@dataclass(frozen=True)
class Review:
    """A decision of the person and the three utilities of a Kelly player, in chips."""

    hand: int
    street: str
    action: str
    chance: float
    rows: tuple[tuple[str, float, bool, bool], ...]
    cost: float


@dataclass(frozen=True)
class Table:
    person: Seat
    others: tuple[Seat, ...]
    board: tuple[Face, ...]
    pot: int
    street: str
    small: int
    big: int
    number: int
    is_over: bool
    call: int
    is_check: bool
    low: int
    high: int
    log: tuple[str, ...]
    reviews: tuple[Review, ...]


def table_of(game: Game) -> Table:
    """Describe the table; of a finished game, who played and where they finished."""
    hand = None if game.is_finished else game.hand()
    seats = [_seat(game, hand, player) for player in range(len(game.stacks))]
    is_turn = hand is not None and not hand.is_over
    allowed = hand.options() if hand is not None and is_turn else None
    paid = hand.paid[hand.actor] if hand is not None and is_turn else 0
    return Table(
        person=seats[PERSON],
        others=tuple(seats[PERSON + 1 :]),
        board=tuple(map(face, hand.board)) if hand else (),
        pot=sum(hand.paid) if hand else 0,
        street=str(STREETS[min(hand.street, 3)]) if hand else "",
        small=game.blinds().small,
        big=game.blinds().big,
        number=game.number + 1,
        is_over=hand is not None and hand.is_over,
        call=allowed.call - paid if allowed else 0,
        is_check=allowed is not None and allowed.call == paid,
        low=allowed.low if allowed else 0,
        high=allowed.high if allowed else 0,
        log=tuple(_log(game)) if hand else (),
        reviews=tuple(_review(choice) for choice in game.choices if choice.hand == game.number),
    )


def costliest(game: Game, n: int = 3) -> list[Review]:
    """List the decisions of a game that cost most, if they cost a chip at least."""
    found = sorted(game.choices, key=lambda choice: -choice.cost)[:n]
    return [_review(choice) for choice in found if choice.cost >= 1]


def name_of(game: Game, player: int) -> str:
    """Name a player by style, with a number where several have the same."""
    if player == PERSON:
        return _("You")
    kinds = [kind_of(style) for style in game.styles]
    kind = kinds[player - 1]
    name = str(STYLE_NAMES[kind])
    return name if kinds.count(kind) == 1 else f"{name} {kinds[:player].count(kind)}"


def _seat(game: Game, hand: Hand | None, player: int) -> Seat:
    at = game.players().index(player) if hand and game.stacks[player] else None
    seat = at if hand and at is not None else None
    paid = hand.paid[seat] if hand and seat is not None else 0
    is_shown = bool(hand and seat is not None and (player == PERSON or _shows(hand, seat)))
    style = "" if player == PERSON else style_text(game.styles[player - 1])
    return Seat(
        name=name_of(game, player),
        style=style,
        stack=game.stacks[player] - paid,
        paid=paid,
        won=hand.won()[seat] if hand and hand.is_over and seat is not None else 0,
        place=game.places[player],
        is_folded=bool(hand and seat is not None and hand.is_folded[seat]),
        is_button=bool(hand) and player == game.button,
        cards=tuple(map(face, hand.hole(seat))) if hand and seat is not None and is_shown else (),
        category=_category(hand, seat) if hand and seat is not None and _shows(hand, seat) else "",
    )


def _shows(hand: Hand, seat: int) -> bool:
    return hand.is_showdown and not hand.is_folded[seat]


def _category(hand: Hand, seat: int) -> str:
    value = rank_sets(np.array([bits_of((*hand.hole(seat), *hand.board))], dtype=np.uint64))
    return str(CATEGORIES[category_of(int(value[0]))])


def _log(game: Game) -> list[str]:
    """Say what has been done in this hand, one sentence each."""
    hand, players = game.fresh_hand(), game.players()
    lines = []
    for action, to in game.actions:
        values = {"name": name_of(game, players[hand.actor]), "street": STREETS[hand.street], "to": to}
        is_check = hand.options().call == hand.paid[hand.actor]
        lines.append(_sentence(action, is_check=is_check) % values)
        hand.act(action, to)
    return lines


def _sentence(action: str, *, is_check: bool) -> str:
    if action == "fold":
        return _("%(street)s: %(name)s folds")
    if action == "raise":
        return _("%(street)s: %(name)s raises to %(to)s")
    return _("%(street)s: %(name)s checks") if is_check else _("%(street)s: %(name)s calls")


def _review(choice: Choice) -> Review:
    values = {"fold": choice.fold, "call": choice.call, "raise": choice.raise_}
    rows = tuple(
        (_action_text(name, choice), value, name == choice.best, name == choice.action)
        for name, value in values.items()
        if value is not None
    )
    return Review(
        choice.hand + 1,
        str(STREETS[choice.street]),
        str(ACTIONS[choice.action]),
        100 * choice.chance,
        rows,
        choice.cost,
    )


def _action_text(name: str, choice: Choice) -> str:
    if name == "raise":
        return _("Raise to %(to)s") % {"to": choice.raise_to}
    return str(ACTIONS[name])
