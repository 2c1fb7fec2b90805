"""What the page of a decision shows: three utilities, the choice in words, the curve, and other players."""

import math
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from lab.calculators.answers import can_raise
from lab.calculators.charts import HALF, NARROW, Curve, curve
from lab.calculators.forms import DecideForm
from lab.calculators.numbers import brief, chips, percent
from lab.engine.noise import choice_shares
from lab.engine.utility import Decision, Spot, Style, best_share, decide, expected_utility
from league.formats import MINUS, listed, number

DIGITS = 5
N_POINTS = 60
FURTHEST = 0.99  # share of the stack at which a curve ends; at the whole of it there may be no utility
OTHER_GAMMAS = (0.0, 0.5, 1.0, 2.0, 5.0)
F_STAR_GAMMAS = (1.0, 2.0, 3.0, 4.0, 5.0)
STRONG = (0.8, 4)  # chance and players of the author's table of f*
N_HALVINGS = 60
MOST_GAMMA = OTHER_GAMMAS[-1]


class Action(NamedTuple):
    """A line of the table of utilities."""

    label: str
    about: str
    utility: str
    mean_stack: str
    is_played: bool


class OtherPlayer(NamedTuple):
    """What a player of another risk aversion does in the same hand."""

    gamma: str
    utilities: list[str]
    choice: str


class Hand(NamedTuple):
    """A spot, who decides on which street, and the decision; shares are of the padded stack."""

    spot: Spot
    player: Style
    street: str
    padding: float
    found: Decision

    @property
    def wealth(self) -> float:
        return self.spot.own * (1.0 + self.padding)

    def expected(self, share: float) -> float:
        """Utility of a commitment, as the player sees the chance."""
        return expected_utility(
            share,
            p=self.found.p,
            n=self.spot.n,
            folded=self.spot.folded / self.wealth,
            gamma=self.found.gamma,
        )

    def mean_stack(self, chips: float) -> float:
        """The mean stack after a commitment, as a share of the present one, as the player sees the chance."""
        won = (self.spot.n - 1) * chips + self.spot.folded
        return 1.0 + (self.found.p * won - (1.0 - self.found.p) * chips) / self.spot.own


def hand_of(form: DecideForm) -> Hand:
    spot, player, street, padding = form.spot, form.player, form.where, form.padded
    return Hand(spot, player, street, padding, decide(spot, player, street, padding=padding))


def decide_context(form: DecideForm) -> dict[str, Any]:
    """Build the template context of the decision page from a valid form."""
    hand = hand_of(form)
    spot, found = hand.spot, hand.found
    call = min(spot.call, spot.own)
    folded, called = 1.0 - spot.paid / spot.own, hand.mean_stack(call)
    indifferent = _indifferent_gamma(hand)
    return {
        "choice": found.choice,
        "actions": _actions(hand, call),
        "raise_to": chips(found.commitment),
        "call": chips(call),
        "is_against_the_mean": found.choice == "fold" and called > folded,
        "folded": number(folded, 2),
        "called": number(called, 2),
        "lost": percent(100 * (1 - found.p)),
        "can_raise": can_raise(spot),
        "padding": percent(100 * hand.padding, 1) if hand.padding else "",
        "seen": number(found.p, 4) if found.p != spot.p else "",
        "gamma": number(found.gamma, 2) if found.gamma != hand.player.gamma else "",
        "f_star": brief(found.f_star, 4),
        "f_star_chips": chips(found.f_star * hand.wealth),
        "charts": [_chart(hand, size, width) for size, width in (("narrow", NARROW), ("wide", HALF))],
        "others": _other_players(hand, indifferent),
        "indifferent": "" if indifferent is None else number(indifferent, 4),
        "f_stars": _f_stars(hand),
        "shares": _shares(hand),
    }


def _shares(hand: Hand) -> str:
    """Say how often a player with noise does what; nothing without noise."""
    if not hand.player.noise:
        return ""
    names = {"fold": _("fold"), "call": _("call"), "raise": _("raise")}
    shares = choice_shares(hand.spot, hand.player, hand.street, padding=hand.padding)
    return listed(f"{names[choice]} {percent(100 * share)}" for choice, share in shares.items())


def utility_text(value: float, digits: int = DIGITS) -> str:
    return number(value, digits) if math.isfinite(value) else f"{MINUS}∞"


def _actions(hand: Hand, call: float) -> list[Action]:
    spot, found = hand.spot, hand.found
    lines = [
        Action(
            _("Fold"),
            _("What is in is lost."),
            utility_text(found.fold),
            number(1.0 - spot.paid / spot.own, 2),
            found.choice == "fold",
        ),
        Action(
            _("Call %(chips)s") % {"chips": chips(call)},
            _("Plays for %(chips)s.") % {"chips": chips(spot.n * call + spot.folded)},
            utility_text(found.call),
            number(hand.mean_stack(call), 2),
            found.choice == "call",
        ),
    ]
    if can_raise(spot):
        lines.append(
            Action(
                _("Raise to %(chips)s") % {"chips": chips(found.commitment)},
                _about_the_raise(hand),
                utility_text(found.raise_),
                number(hand.mean_stack(found.commitment), 2),
                found.choice == "raise",
            )
        )
    return lines


def _about_the_raise(hand: Hand) -> str:
    best = hand.found.f_star * hand.wealth
    if best <= 0.0:
        return _("The least there is: f* = 0, no amount gains.")
    if best < hand.found.commitment:
        return _("The least there is; the best would be %(chips)s.") % {"chips": chips(best)}
    return _("The best amount.") if best <= hand.spot.own else _("All in.")


def _chart(hand: Hand, size: str, width: int) -> Curve:
    """Draw the utility of putting in up to twice what the raise takes."""
    spot, found, wealth = hand.spot, hand.found, hand.wealth
    most = max(found.commitment, min(spot.call, spot.own)) / wealth
    last = min(max(2 * most, 0.1), FURTHEST)
    values = [(i / N_POINTS * last, hand.expected(i / N_POINTS * last)) for i in range(N_POINTS + 1)]
    marked = [(_("fold"), spot.paid / wealth, found.fold)]
    marked.append((_("call"), min(spot.call, spot.own) / wealth, found.call))
    if can_raise(spot):
        marked.append((_("raise"), found.commitment / wealth, found.raise_))
    drawn = [each for each in marked if math.isfinite(each[2]) and each[1] <= last]
    level = found.fold if math.isfinite(found.fold) else None
    return curve(values, drawn, level, size, width)


def _other_players(hand: Hand, indifferent: float | None) -> list[OtherPlayer]:
    names = {0.0: _("0, counts chips"), 1.0: _("1, Kelly"), 5.0: _("5, careful")}
    choices = {"fold": _("fold"), "call": _("call"), "raise": _("raise")}
    gammas = sorted({*OTHER_GAMMAS, *([] if indifferent is None else [indifferent])})
    lines = []
    for gamma in gammas:
        found = _with_gamma(hand, gamma)
        utilities = [utility_text(value, 4) for value in (found.fold, found.call, found.raise_)]
        name = names.get(gamma) or brief(gamma, 4)
        lines.append(
            OtherPlayer(name, utilities, _("either") if gamma == indifferent else choices[found.choice])
        )
    return lines


def _with_gamma(hand: Hand, gamma: float) -> Decision:
    return decide(hand.spot, replace(hand.player, gamma=gamma), hand.street, padding=hand.padding)


def _indifferent_gamma(hand: Hand) -> float | None:
    """Find the risk aversion at which folding is as good as playing, if it lies between those shown."""

    def gain(gamma: float) -> float:
        found = _with_gamma(hand, gamma)
        return max(found.call, found.raise_) - found.fold

    low, high = 0.0, MOST_GAMMA
    if not gain(low) > 0.0 > gain(high):
        return None
    for _halving in range(N_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if gain(middle) > 0.0 else (low, middle)
    return low


def _f_stars(hand: Hand) -> list[tuple[str, str, str]]:
    """f* by risk aversion, of this hand and of the author's strong one."""
    p, n = STRONG
    share = hand.spot.folded / hand.wealth
    return [
        (
            f"{gamma:g}",
            brief(best_share(hand.found.p, hand.spot.n, share, gamma), 4),
            number(best_share(p, n, 0.0, gamma), 4),
        )
        for gamma in F_STAR_GAMMAS
    ]
