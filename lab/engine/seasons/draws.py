"""Random numbers of a season, and who comes to a night."""

from lab.engine.seasons.scenario import Scenario

MASK = 2**64 - 1
LEAST_ENTRIES = 2  # of a night: a winner and a loser


class Generator:
    """The random numbers of one season: splitmix64."""

    def __init__(self, seed: int, season: int) -> None:
        self.state = self._mixed(self._mixed(seed) + season)

    @staticmethod
    def _mixed(z: int) -> int:
        z &= MASK
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def uniform(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        return (self._mixed(self.state) >> 11) * 2.0**-53

    def sample(self, items: list[int], n: int) -> list[int]:
        items = list(items)
        for i in range(n):
            j = i + int(self.uniform() * (len(items) - i))
            items[i], items[j] = items[j], items[i]
        return items[:n]


def draw_field(scenario: Scenario, rng: Generator) -> list[int]:
    """Draw who comes to a night.

    Examples
    --------
    >>> sorted(draw_field(Scenario(counts=(1, 1, 1, 0, 0), size=3), Generator(1, 0)))
    [0, 1, 2]
    """
    everybody = list(range(scenario.n_players))
    if scenario.size is not None:
        return rng.sample(everybody, scenario.size)
    return [i for i, chance in enumerate(scenario.chances_to_come) if rng.uniform() < chance]
