"""Tournaments and duels of simulated players: finishing places and the hand in which each player was out.

All tables play one hand at a time, so a round is a hand at every table. Players who are out in the same round are
placed by the chips they had before it. The kernels are imported where they are used, since pages need only the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.errors import EngineError
from lab.engine.holdem.hand import MOST_SEATS, Blinds
from lab.engine.utility import Style

Ints = npt.NDArray[np.int64]

# Draws of an estimate after the flop; the standard error of a chance is at most 0.5 / sqrt(1000) = 1.6 percent.
SAMPLES: Final = 1_000
MOST_SAMPLES: Final = 100_000
MOST_PLAYERS: Final = 10_000
MOST_CHIPS: Final = 10**9
# Places of all tournaments that are played in one call.
MOST_RESULTS: Final = 20_000_000
LEVELS: Final = tuple(
    Blinds(big // 2, big, ante)
    for big, ante in (
        (50, 0), (100, 0), (150, 0), (200, 25), (300, 25), (400, 50), (600, 75), (800, 100), (1200, 150),
        (1600, 200), (2000, 300), (3000, 400), (4000, 500), (6000, 750), (8000, 1000), (12000, 1500),
    )
)  # fmt: skip


def require_between(field: str, got: int, least: int, most: int) -> None:
    """Refuse a number out of its bounds.

    Raises
    ------
    EngineError
        If it is.
    """
    if not least <= got <= most:
        raise EngineError(field, "no_whole_number_in_range", got=got, least=least, most=most)


@dataclass(frozen=True)
class Structure:
    """How a tournament is played.

    Parameters
    ----------
    stack : int
        Chips of each player at the start.
    levels : tuple of Blinds
        Blinds and ante of each level; after the last one they double.
    hands_per_level : int
        Hands at a table until the next level.
    seats : int
        Seats at a table, from 2 to 10.
    samples : int
        Hands drawn for an estimate after the flop.

    Raises
    ------
    EngineError
        If a number is out of its bounds.
    """

    stack: int = 10_000
    levels: tuple[Blinds, ...] = LEVELS
    hands_per_level: int = 20
    seats: int = 9
    samples: int = SAMPLES

    def __post_init__(self) -> None:
        require_between("stack", self.stack, 1, MOST_CHIPS)
        require_between("hands_per_level", self.hands_per_level, 1, MOST_CHIPS)
        require_between("seats", self.seats, 2, MOST_SEATS)
        require_between("samples", self.samples, 1, MOST_SAMPLES)
        for level in self.levels:
            require_between("big", level.big, 1, MOST_CHIPS)
            require_between("small", level.small, 0, level.big)
            require_between("ante", level.ante, 0, MOST_CHIPS)


# Two players, short enough that ten thousand duels take a minute or two.
DUEL: Final = Structure(
    stack=1_500, levels=tuple(Blinds(10 << n, 20 << n) for n in range(8)), hands_per_level=20, seats=2
)


@dataclass(frozen=True)
class Result:
    """What tournaments leave; each array has a row for each tournament and a column for each player.

    Parameters
    ----------
    places : int64
        1 for the winner; ties share a place.
    busted_after : int64
        Hands at the player's table until the last one; of the winner, until the end.
    n_hands, n_decisions : int
        Of all tournaments together.
    """

    places: Ints
    busted_after: Ints
    n_hands: int
    n_decisions: int


def finishing_order(styles: Sequence[Style], seed: int, structure: Structure = Structure()) -> Ints:
    """Play a tournament; return the places of the players, int64, 1 for the winner."""
    places: Ints = play_tournaments(styles, 1, seed, structure).places[0]
    return places


def play_duels(a: Style, b: Style, n: int, seed: int, structure: Structure = DUEL) -> int:
    """Play `n` tournaments of two players and count those that the first one wins."""
    return int((play_tournaments([a, b], n, seed, structure).places[:, 0] == 1).sum())


def play_tournaments(
    styles: Sequence[Style], n: int, seed: int, structure: Structure = Structure()
) -> Result:
    """Play tournaments of the same players one after the other; the same seed gives the same ones.

    Raises
    ------
    EngineError
        If there are too few or too many players or tournaments, or `seed` is not from 0 to 2**64 - 1.
    """
    from lab.engine.holdem import tournament_kernels as kernels
    from lab.engine.holdem.preflop import preflop_chances

    require_between("players", len(styles), 2, MOST_PLAYERS)
    require_between("tournaments", n, 1, MOST_RESULTS // len(styles))
    require_between("seed", seed, 0, 2**64 - 1)
    results = np.zeros((n, 2, len(styles)), dtype=np.int64)
    levels = np.array([(level.small, level.big, level.ante) for level in structure.levels], dtype=np.int64)
    counts = kernels.play_tournaments(
        style_rows(styles),
        structure.stack,
        levels,
        structure.hands_per_level,
        structure.seats,
        preflop_chances(),
        structure.samples,
        np.array([seed], dtype=np.uint64),
        results,
    )
    return Result(
        results[:, kernels.PLACE],
        results[:, kernels.BUSTED_AFTER],
        int(counts[kernels.HANDS]),
        int(counts[kernels.DECISIONS]),
    )


def style_rows(styles: Sequence[Style]) -> npt.NDArray[np.float64]:
    """Write styles as the kernels read them, shape (n, STYLE_SIZE)."""
    from lab.engine.holdem.preflop import least_chance

    return np.array(
        [
            (
                style.gamma,
                style.loose_preflop,
                style.loose_river,
                style.inconsistency,
                style.bias,
                style.noise,
                least_chance(style.limp),
            )
            for style in styles
        ],
        dtype=np.float64,
    )
