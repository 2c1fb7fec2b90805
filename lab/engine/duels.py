"""What a weakness costs a player: duels against the same player without it, counted and stored.

A duel is a tournament of two simulated players, dealt hand by hand. One of them is exact: the Kelly player, who knows
the chances as far as they are drawn, and plays whatever has the largest expected utility. The other differs in one
thing: noise in the estimated chance, inconsistency, or biased odds. `duels.csv` is written by `manage.py duels`.

References
----------
.. [1] A Japanese author's note on simulated hold'em players: noise leaves a player about even with the exact one,
   inconsistency and biased odds weaken.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from lab.engine.holdem.tournament import DUEL, Structure, play_duels
from lab.engine.utility import Style

TABLE: Final = Path(__file__).with_name("duels.csv")
COLUMNS: Final = ("weakness", "strength", "tournaments", "wins")
# Fields of `Style` and how strong the weakness is, the strongest last; without any strength both players are the same,
# as a check.
STRENGTHS: Final = (
    ("noise", 0.0),
    ("noise", 0.05),
    ("noise", 0.1),
    ("noise", 0.2),
    ("inconsistency", 1.0),
    ("inconsistency", 2.0),
    ("inconsistency", 5.0),
    ("bias", 0.25),
    ("bias", 0.5),
    ("bias", 0.8),
)


@dataclass(frozen=True)
class Duels:
    """How many tournaments the player with a weakness won against the exact one.

    Parameters
    ----------
    weakness : str
        Field of `Style`.
    strength : float
        Its value; 0 is the exact player.
    tournaments, wins : int
        Played, and won by the player with the weakness.
    """

    weakness: str
    strength: float
    tournaments: int
    wins: int


def measured_duels(tournaments: int, seed: int, structure: Structure = DUEL) -> Iterator[Duels]:
    """Play the duels of all weaknesses, each with its own random numbers.

    Parameters
    ----------
    tournaments : int
        Of each weakness.
    seed : int
        Of the first weakness, the others count on from it; the same seed gives the same counts.
    structure : Structure
        Stacks and blinds.

    Yields
    ------
    Duels

    Raises
    ------
    EngineError
        If the number of tournaments or the seed is out of its range.
    """
    for number, (weakness, strength) in enumerate(STRENGTHS):
        style = Style(**{weakness: strength})
        wins = play_duels(style, Style(), tournaments, seed + number, structure)
        yield Duels(weakness, strength, tournaments, wins)


@cache
def stored_duels() -> tuple[Duels, ...]:
    """Read the stored duels, in the order of `STRENGTHS`.

    Examples
    --------
    >>> [(duels.weakness, duels.strength) for duels in stored_duels()] == list(STRENGTHS)
    True
    """
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Duels(row["weakness"], float(row["strength"]), int(row["tournaments"]), int(row["wins"]))
            for row in csv.DictReader(file)
        )
