"""The report of a finished run, as its page and its file show it."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from lab.charts import IntervalChart, LineChart, interval_charts, line_charts
from lab.engine.seasons.figures import Figures, Share, VariantFigures, figures_of
from lab.engine.seasons.scenario import Scenario
from lab.engine.seasons.totals import Totals
from lab.models import LabRun
from lab.seasons.findings import by_best, findings, headline
from lab.seasons.terms import GROUPS, assumptions, percent, variant_names
from league.downloads import Cell

COLUMNS = (
    "structure", "attendance_points", "best_n", "drop_worst", "seasons", "best_wins", "best_wins_low",
    "best_wins_high", "best_three_win", "best_in_first_three", "best_mean_place", "points_of_first",
    "points_of_last", "weakest_wins",
)  # fmt: skip
SHOWN_LINES = 4  # more could not be told apart
SHARE_DECIMALS, POINTS_DECIMALS = Decimal("0.0001"), Decimal("0.01")


@dataclass(frozen=True)
class Row:
    """A variant in the table of the report."""

    name: str
    figures: VariantFigures
    take: str

    @property
    def best(self) -> str:
        return percent(self.figures.best.value)

    @property
    def interval(self) -> str:
        return _("%(low)s to %(high)s") % _bounds(self.figures.best)

    @property
    def three(self) -> str:
        return percent(self.figures.three.value)

    @property
    def first_three(self) -> str:
        return percent(self.figures.first_three.value)

    @property
    def weakest(self) -> str:
        return percent(self.figures.weakest.value)

    @property
    def first_total(self) -> float:
        return self.figures.totals[0]

    @property
    def last_total(self) -> float:
        return self.figures.totals[-1]


@dataclass(frozen=True)
class Report:
    headline: str
    findings: list[str]
    rows: list[Row]
    best_chart: list[IntervalChart]
    settled_chart: list[LineChart]
    turnout_chart: list[LineChart]
    turnout_group: str
    wins: list[tuple[str, list[str]]]
    profits: list[tuple[str, list[str]]]
    badges: list[tuple[str, list[str]]]
    n_rated: int
    weakest: str
    assumptions: list[tuple[str, str, str]]

    @property
    def best_in_words(self) -> str:
        """The chart of shares as text."""
        return ", ".join(f"{row.name} {row.best} % ({row.interval})" for row in self.rows)


def report_of(run: LabRun) -> Report:
    """Make the report of a finished run."""
    assert run.totals is not None
    scenario = run.scenario
    totals = Totals.from_dict(run.totals)
    figures = figures_of(scenario, totals)
    order, names = by_best(figures), variant_names(scenario)
    rows = [Row(names[v], figures.variants[v], _take(scenario, v)) for v in order]
    middle = len(scenario.groups) // 2
    present = [g for g, played in enumerate(totals.played) if played.any()]
    return Report(
        headline=headline(scenario, figures),
        findings=findings(scenario, figures),
        rows=rows,
        best_chart=interval_charts([(row.name, row.figures.best) for row in rows], 1 / scenario.n_players),
        settled_chart=_settled_chart(rows),
        turnout_chart=_turnout_chart(rows, middle, scenario.n_players),
        turnout_group=str(GROUPS[scenario.groups[middle]]),
        wins=[
            (str(GROUPS[scenario.groups[g]]), [percent(row.figures.group_wins[g]) for row in rows])
            for g in present
        ],
        profits=[(str(GROUPS[scenario.groups[g]]), [_profit(row, g) for row in rows]) for g in present],
        badges=_badges(figures, totals),
        n_rated=figures.n_rated,
        weakest=str(GROUPS[scenario.groups[present[-1]]]),
        assumptions=assumptions(scenario),
    )


def report_table(run: LabRun) -> list[tuple[Cell, ...]]:
    """List the rows of the report's file, in the order of `COLUMNS`."""
    assert run.totals is not None
    figures = figures_of(run.scenario, Totals.from_dict(run.totals))
    return [
        (
            variant.structure.name, int(variant.rules.attendance_points), variant.rules.best_n,
            variant.rules.drop_worst, figures.n_seasons, *map(_share, (found.best.value, found.best.low)),
            *map(_share, (found.best.high, found.three.value, found.first_three.value)),
            None if found.mean_place is None else Decimal(found.mean_place).quantize(POINTS_DECIMALS),
            *(Decimal(total).quantize(POINTS_DECIMALS) for total in (found.totals[0], found.totals[-1])),
            _share(found.weakest.value),
        )
        for variant, found in zip(run.scenario.variants, figures.variants, strict=True)
    ]  # fmt: skip


def _share(value: float) -> Decimal:
    return Decimal(value).quantize(SHARE_DECIMALS)


def _bounds(share: Share) -> dict[str, str]:
    return {"low": percent(share.low), "high": percent(share.high)}


def _take(scenario: Scenario, v: int) -> str:
    """The query that fills in the season's form; empty for a structure with settings of its own."""
    variant = scenario.variants[v]
    if set(variant.structure.to_dict()) - {"name", "ties"}:
        return ""
    values: dict[str, Any] = {"structure": variant.structure.name}
    for name in ("attendance_points", "best_n", "drop_worst"):
        if (value := getattr(variant.rules, name)) is not None:
            values[name] = int(value)
    return "&".join(f"{name}={value}" for name, value in values.items())


def _settled_chart(rows: list[Row]) -> list[LineChart]:
    lines = [(row.name, list(enumerate(row.figures.settled, start=1))) for row in rows[:SHOWN_LINES]]
    return line_charts(lines, (0.0, 1.0), {i / 4: f"{25 * i} %" for i in range(5)}, "{:.0%}".format)


def _turnout_chart(rows: list[Row], group: int, n_players: int) -> list[LineChart]:
    lines = [(row.name, row.figures.turnout[group]) for row in rows[:SHOWN_LINES]]
    places = sorted({1, *(round(n_players * i / 4) for i in range(1, 5))} - {0})
    return line_charts(
        lines, (float(n_players), 1.0), {float(place): str(place) for place in places}, "{:.1f}".format
    )


def _profit(row: Row, group: int) -> str:
    profit = row.figures.profit[group]
    if profit is None:
        return "–"
    mean = round(profit.mean, 2)
    sign = "+" if mean > 0 else "−" if mean < 0 else ""
    return f"{sign}{abs(mean):.2f} ± {profit.deviation:.2f}"


def _badges(figures: Figures, totals: Totals) -> list[tuple[str, list[str]]]:
    """Shares of the badges of all players after each quarter of the season."""
    if not figures.n_rated:
        return []
    counts = totals.badges.sum(axis=1)
    return [
        (
            _("after %(share)d %% of the nights") % {"share": 25 * (quarter + 1)},
            [f"{100 * n / row.sum():.0f}" for n in row],
        )
        for quarter, row in enumerate(counts)
    ]
