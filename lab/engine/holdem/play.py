"""What a simulated player does in a hand: the slow twin of `table_kernels.decide`, and what the site plays with."""

import math

from lab.engine.holdem.hand import Action, Hand
from lab.engine.utility import PADDING, Decision, Spot, Style, decide


def spot_of(hand: Hand, chance: float) -> Spot:
    """Describe the decision of the player to act, whose chance to win is `chance`."""
    seat, allowed = hand.actor, hand.options()
    return Spot(
        p=chance,
        n=len(hand.live()),
        own=hand.stacks[seat],
        paid=hand.paid[seat],
        call=allowed.call,
        min_raise=allowed.low - allowed.call if allowed.high else None,
        folded=sum(paid for paid, is_folded in zip(hand.paid, hand.is_folded, strict=True) if is_folded),
    )


def decision_of(hand: Hand, chance: float, style: Style) -> Decision:
    """Weigh fold, call and raise for the player to act."""
    return decide(spot_of(hand, chance), style, hand.street)


def choose(hand: Hand, chance: float, style: Style) -> tuple[Action, int]:
    """Choose what the player to act does, and the chips that a raise puts in."""
    allowed = hand.options()
    decision = decision_of(hand, chance, style)
    if decision.choice == "raise":
        return "raise", raise_to(hand, decision.f_star)
    if decision.choice == "fold" and allowed.call == hand.paid[hand.actor]:
        return "call", 0
    return decision.choice, 0


def raise_to(hand: Hand, f_star: float) -> int:
    """Turn the wanted share of the stack into chips that the rules allow."""
    allowed = hand.options()
    wanted = f_star * (hand.stacks[hand.actor] * PADDING)
    return math.floor(min(max(wanted, allowed.low), allowed.high) + 0.5)
