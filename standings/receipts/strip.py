"""The places of a field as a strip: the expected one and the own one on it."""

from typing import NamedTuple

from standings.receipts.facts import Receipt

WIDTH, GAP = 336.0, 2.0


class Cell(NamedTuple):
    place: int
    x: float
    middle: float
    is_own: bool


class Strip(NamedTuple):
    """Cells from the first place to the last; `expected_x` is where the ratings expected the player."""

    cells: list[Cell]
    width: float
    cell_width: float
    expected_x: float
    own_x: float


def strip_of(receipt: Receipt) -> Strip | None:
    """Lay out the strip; None where it would have too many cells, or nothing was expected."""
    if not receipt.has_strip or receipt.expected is None:
        return None
    step = WIDTH / receipt.n_players
    cells = [
        Cell(place, round((place - 1) * step, 1), round((place - 0.5) * step, 1), place == receipt.place)
        for place in range(1, receipt.n_players + 1)
    ]
    own = (receipt.place - 0.5) * step
    return Strip(cells, WIDTH, round(step - GAP, 1), round((receipt.expected - 0.5) * step, 1), round(own, 1))
