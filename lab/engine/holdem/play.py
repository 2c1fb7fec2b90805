"""What a simulated player does in a hand: the slow twin of `table_kernels.decide`, and what the site plays with."""

import math

from lab.engine.holdem.hand import NOT_YET, Action, Hand
from lab.engine.holdem.preflop import class_of, least_chance, preflop_chances
from lab.engine.utility import STREETS, Decision, Spot, Style, decide


def spot_of(hand: Hand, chance: float) -> Spot:
    """Describe the decision of the player to act, whose chance to win is `chance`."""
    seat, allowed = hand.actor, hand.options()
    return Spot(
        p=chance,
        n=len(hand.live()),
        own=hand.stacks[seat],
        paid=hand.paid[seat],
        call=allowed.call,
        min_raise=max(allowed.low - allowed.call, 0),
        folded=sum(paid for paid, is_folded in zip(hand.paid, hand.is_folded, strict=True) if is_folded),
    )


def decision_of(hand: Hand, chance: float, style: Style) -> Decision:
    """Weigh fold, call and raise for the player to act."""
    return decide(spot_of(hand, chance), style, STREETS[hand.street])


def choose(hand: Hand, chance: float, style: Style) -> tuple[Action, int]:
    """Choose what the player to act does, and the chips that a raise puts in."""
    allowed = hand.options()
    decision = decision_of(hand, chance, style)
    if decision.choice == "raise" and allowed.high:
        return "raise", min(math.floor(decision.commitment + 0.5), allowed.high)
    # Where nobody may raise, the better of the other two; nobody folds who may check.
    is_fold = decision.fold >= decision.call and allowed.call > hand.paid[hand.actor]
    return ("fold" if is_fold and not limps_in(hand, style) else "call"), 0


def limps_in(hand: Hand, style: Style) -> bool:
    """Tell whether all have folded to the player, who is the small blind and plays this hand against one."""
    is_first = hand.street == 0 and [hand.faced[seat] for seat in hand.live()] == [NOT_YET, NOT_YET]
    first, second = hand.hole(hand.actor)
    return is_first and bool(preflop_chances()[class_of(first, second), 0] >= least_chance(style.limp))
