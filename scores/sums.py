"""Which single slip explains a wrong sum: pure, and a few comparisons for each seat."""

from collections.abc import Sequence
from dataclasses import dataclass

# Slips by how likely each is when it fits, the likeliest first. "unit": all numbers were written in another unit.
UNIT, MISSING, SIGN, SWAP, DIGIT = "unit", "missing", "sign", "swap", "digit"
_ORDER = (UNIT, MISSING, SIGN, SWAP, DIGIT)
HUNDRED = 100


@dataclass(frozen=True)
class Slip:
    """A change that makes the sum right: of the value of one seat, or of the unit of all (`seat` None)."""

    kind: str
    seat: int | None
    right: int

    @property
    def weight(self) -> int:
        return _ORDER.index(self.kind)


def likely_slips(values: Sequence[int | None], right_sum: int) -> list[Slip]:
    """Find the single slips that explain a wrong sum, the likeliest first.

    Parameters
    ----------
    values : sequence of int or None
        Whole numbers as they were typed, in one unit (hundreds of points, tenths of a thousand); None where none is.
    right_sum : int
        What they should add up to, in the same unit.

    Returns
    -------
    list of Slip
        Empty if the sum is right, if more than one value is missing, or if no single slip explains it. For "unit",
        `right` is the sum of the values in their right unit.

    Examples
    --------
    >>> likely_slips([453, 312, 184, 42], 1000)
    [Slip(kind='swap', seat=1, right=321)]
    """
    known = [value for value in values if value is not None]
    if len(known) < len(values) - 1:
        return []
    if len(known) < len(values):
        return [Slip(MISSING, values.index(None), right_sum - sum(known))]
    total = sum(known)
    if total == right_sum:
        return []
    if total and right_sum and (total == right_sum * HUNDRED or total * HUNDRED == right_sum):
        return [Slip(UNIT, None, right_sum)]
    found = [slip for seat, value in enumerate(known) if (slip := _slip(seat, value, right_sum - total))]
    return sorted(found, key=lambda slip: (slip.weight, _distance(known[slip.seat or 0], slip), slip.seat))


def _slip(seat: int, value: int, difference: int) -> Slip | None:
    """Find the slip that makes one value `difference` too small."""
    right = value + difference
    if right == -value:
        return Slip(SIGN, seat, right)
    if (right < 0) != (value < 0):
        return None
    typed, meant = str(abs(value)), str(abs(right))
    width = max(len(typed), len(meant))
    # A zero in front was swapped too: 042 for 402.
    typed, meant = typed.zfill(width), meant.zfill(width)
    wrong = [i for i in range(width) if typed[i] != meant[i]]
    if len(wrong) == 1 and len(str(abs(value))) == len(str(abs(right))):
        return Slip(DIGIT, seat, right)
    is_swap = len(wrong) == 2 and wrong[1] == wrong[0] + 1  # noqa: PLR2004  two neighbours
    if is_swap and typed[wrong[0]] == meant[wrong[1]] and typed[wrong[1]] == meant[wrong[0]]:
        return Slip(SWAP, seat, right)
    return None


def _distance(value: int, slip: Slip) -> int:
    return abs(slip.right - value)
