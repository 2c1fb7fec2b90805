"""The stored duels in the reader's language: rows, chart and what follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lab.charts import IntervalChart, interval_charts
from lab.engine.duels import Duels, stored_duels
from lab.engine.seasons.figures import Share, wilson

EVEN = 0.5
AXIS_STEP = 0.1
NAMES: Mapping[str, Any] = {
    "noise": gettext_lazy("Noise"),
    "inconsistency": gettext_lazy("Inconsistency"),
    "bias": gettext_lazy("Biased odds"),
}
WEAKER, AS_GOOD, STRONGER = (
    gettext_lazy("weaker"),
    gettext_lazy("no difference found"),
    gettext_lazy("stronger"),
)


@dataclass(frozen=True)
class Row:
    """Duels of one strength of a weakness; the shares are of tournaments won by the player who has it."""

    name: str
    wins: int
    share: Share

    @property
    def percents(self) -> tuple[str, str, str]:
        """Write the share and its interval in percent."""
        return _percent(self.share.value), _percent(self.share.low), _percent(self.share.high)

    @property
    def verdict(self) -> str:
        """Say on which side of one half the interval lies."""
        if self.share.high < EVEN:
            return str(WEAKER)
        return str(STRONGER if self.share.low > EVEN else AS_GOOD)


@dataclass(frozen=True)
class DuelReport:
    """What the page shows; `strongest` has the percent won with the strongest form of each weakness."""

    tournaments: int
    rows: list[Row]
    charts: list[IntervalChart]
    strongest: dict[str, str]

    @property
    def in_words(self) -> str:
        return ", ".join(f"{row.name} {row.percents[0]} %" for row in self.rows)


def duel_report() -> DuelReport:
    """Make the report of the stored duels."""
    stored = stored_duels()
    rows = [Row(_name(duels), duels.wins, wilson(duels.wins, duels.tournaments)) for duels in stored]
    strongest = {duels.weakness: row.percents[0] for duels, row in zip(stored, rows, strict=True)}
    return DuelReport(stored[0].tournaments, rows, _charts(rows), strongest)


def _name(duels: Duels) -> str:
    return f"{NAMES[duels.weakness]} {duels.strength:g}" if duels.strength else _("No weakness")


def _charts(rows: Sequence[Row]) -> list[IntervalChart]:
    least = floor(min(row.share.low for row in rows) / AXIS_STEP) * AXIS_STEP
    return interval_charts([(row.name, row.share) for row in rows], EVEN, least=least, decimals=1)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
