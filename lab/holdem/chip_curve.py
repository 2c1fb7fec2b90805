"""The chips of a player over the hands of a game, as coordinates of an SVG."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

LEFT, RIGHT, TOP, BOTTOM = 44, 328, 14, 150


@dataclass(frozen=True)
class ChipCurve:
    """Coordinates of the curve; `in_words` says its shape to those who do not see it."""

    in_words: str
    points: str
    # Lines across: y, y of the label, chips.
    levels: tuple[tuple[float, float, int], ...]
    n_hands: int
    last: tuple[float, float]


def chip_curve(chips: Sequence[int], most: int) -> ChipCurve:
    """Place the chips before each hand and after the last; `most` is the upper end of the scale."""
    step = (RIGHT - LEFT) / max(len(chips) - 1, 1)

    def y_of(stack: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * stack / most, 1)

    points = [(round(LEFT + step * at, 1), y_of(stack)) for at, stack in enumerate(chips)]
    levels = tuple((y_of(level), round(y_of(level) + 4, 1), level) for level in (0, most // 2, most))
    line = " ".join(f"{x},{y}" for x, y in points)
    return ChipCurve(_in_words(chips), line, levels, len(chips) - 1, points[-1])


def _in_words(chips: Sequence[int]) -> str:
    most = max(chips)
    return _("Your chips: %(first)s at first, at most %(most)s after hand %(hand)s, %(last)s at the end.") % {
        "first": chips[0],
        "most": most,
        "hand": chips.index(most),
        "last": chips[-1],
    }
