"""Cards as pages show them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lab.engine.holdem.cards import RANKS

RANK_NAMES = {
    "T": gettext_lazy("Ten"),
    "J": gettext_lazy("Jack"),
    "Q": gettext_lazy("Queen"),
    "K": gettext_lazy("King"),
    "A": gettext_lazy("Ace"),
}
# In the order of the engine: symbol, name, whether it is red.
SUITS = (
    ("♣", gettext_lazy("clubs"), False),
    ("♦", gettext_lazy("diamonds"), True),
    ("♥", gettext_lazy("hearts"), True),
    ("♠", gettext_lazy("spades"), False),
)


@dataclass(frozen=True)
class Face:
    rank: str
    suit: str
    name: str
    is_red: bool


def face(card: int) -> Face:
    """Describe a card for the eye and for the ear."""
    rank = RANKS[card // 4]
    symbol, suit, is_red = SUITS[card % 4]
    name = _("%(rank)s of %(suit)s") % {"rank": RANK_NAMES.get(rank, rank), "suit": suit}
    return Face("10" if rank == "T" else rank, symbol, name, is_red)
