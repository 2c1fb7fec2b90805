"""What the page of a season's title shows: bars of the favourites, lines through the season, a table of positions."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from forecasts.queries import Contender, SeasonOdds
from forecasts.scores import TitleScores

BAR = 240.0  # width of a bar at 100 %
N_FAVOURITES = 4
MOST_POSITIONS = 20  # columns of the table
MOST_ROWS = 40
SIZES = (("narrow", 336), ("wide", 704))
LEFT, TOP, BOTTOM = 34.0, 12.0, 194.0
NAMES = 90.0  # room for names at the right
NAME_STEP = 14.0
SHADES = ((0.5, "h4"), (0.2, "h3"), (0.1, "h2"), (0.03, "h1"))
LEAST_NAMED = 0.02  # chance of a player whose line has a name


class Favourite(NamedTuple):
    contender: Contender
    percent: str
    equal: str
    bar: float


class Cell(NamedTuple):
    shade: str
    text: str


class PositionRow(NamedTuple):
    contender: Contender
    total: Any
    cells: list[Cell]
    best: int
    worst: int


class TitleLine(NamedTuple):
    style: str
    points: str
    name: str
    name_y: float


class TitleChart(NamedTuple):
    size: str
    width: int
    right: float
    grid: list[tuple[float, int]]
    ticks: list[tuple[float, str]]
    lines: list[TitleLine]


def percent(chance: float) -> str:
    """Format a chance in percent: 37 %, under 1 %, over 99 %; 0 and 100 % only if no run differed."""
    whole = round(100 * chance)
    if whole == 0 and chance > 0:
        return _("under 1 %")
    if whole == 100 and chance < 1:  # noqa: PLR2004
        return _("over 99 %")
    return f"{whole} %"


def favourites(odds: SeasonOdds) -> list[Favourite]:
    shown = [each for each in odds.contenders[:N_FAVOURITES] if each.title or each.equal]
    return [
        Favourite(each, percent(each.title), percent(each.equal), round(BAR * each.title, 1))
        for each in shown
    ]


def title_headline(odds: SeasonOdds) -> str:
    first, second = odds.contenders[0], odds.contenders[1] if len(odds.contenders) > 1 else None
    name = first.player.name
    if odds.has_ended:
        return _("How likely the title was, from start to end")
    if first.title == 1:
        return _("%(name)s has won the title") % {"name": name}
    if second and second.title > first.title / 2:
        names = {"first": name, "second": second.player.name}
        return _("%(first)s or %(second)s: the title is open") % names
    return _("%(name)s is the favourite") % {"name": name}


def left_in_words(odds: SeasonOdds) -> str:
    return ngettext("%(n)d event is left.", "%(n)d events are left.", odds.n_to_come) % {"n": odds.n_to_come}


def position_rows(odds: SeasonOdds, totals: Mapping[int, Any]) -> list[PositionRow]:
    n = min(MOST_POSITIONS, len(odds.contenders))
    return [_row(each, totals.get(each.player.pk), n) for each in odds.contenders[:MOST_ROWS]]


def _row(contender: Contender, total: Any, n: int) -> PositionRow:
    possible = [position for position, chance in enumerate(contender.positions, start=1) if chance]
    cells = [_cell(chance) for chance in contender.positions[:n]]
    return PositionRow(contender, total, cells, possible[0], possible[-1])


def _cell(chance: float) -> Cell:
    shade = next((shade for least, shade in SHADES if chance >= least), "")
    whole = round(100 * chance)
    return Cell(shade, str(whole) if whole else "·" if chance else "")


def title_charts(odds: SeasonOdds) -> list[TitleChart]:
    """Draw the chance of the title after each night; nothing before the second one."""
    return [_chart(odds, size, width) for size, width in SIZES] if odds.nights else []


def _chart(odds: SeasonOdds, size: str, width: int) -> TitleChart:
    right = width - NAMES
    nights = [*odds.nights, len(odds.days)]
    step = (right - LEFT) / max(nights[-1] - nights[0], 1)
    xs = [round(LEFT + (night - nights[0]) * step, 1) for night in nights]

    def y(chance: float) -> float:
        return round(BOTTOM - chance * (BOTTOM - TOP), 1)

    labels = [date_format(date.fromisoformat(odds.days[night - 1]), "MONTH_DAY_FORMAT") for night in nights]
    named = [each for each in odds.contenders if max([each.title, *each.then]) >= LEAST_NAMED][:3]
    ys = _apart([y(each.title) for each in named])
    lines = [
        TitleLine(
            ("you", "two", "three")[named.index(each)] if each in named else "other",
            " ".join(f"{x},{y(chance)}" for x, chance in zip(xs, [*each.then, each.title], strict=True)),
            each.player.name if each in named else "",
            ys[named.index(each)] if each in named else 0.0,
        )
        for each in reversed(odds.contenders)
        if max([each.title, *each.then])
    ]
    ends = [(xs[0], labels[0]), (xs[-1], labels[-1])]
    return TitleChart(size, width, right, [(y(p / 100), p) for p in (0, 25, 50, 75, 100)], ends, lines)


def _apart(ys: Sequence[float]) -> list[float]:
    """Space labels vertically: push overlapping ones down, then shift all up into the plot."""
    order = sorted(range(len(ys)), key=lambda i: ys[i])
    placed = [*ys]
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + NAME_STEP)
    if order:
        over = max(0.0, placed[order[-1]] - BOTTOM)
        placed = [round(value - over + 4, 1) for value in placed]
    return placed


def course_in_words(odds: SeasonOdds) -> str:
    """Say what the lines of the favourites show, in per cent."""
    parts = []
    for each in odds.contenders[:3]:
        course = ", ".join(str(round(100 * chance)) for chance in [*each.then, each.title])
        parts.append(_("%(name)s %(course)s per cent") % {"name": each.player.name, "course": course})
    return "; ".join(parts)


def scores_in_words(scores: TitleScores | None) -> list[str]:
    """Say how good the odds of ended seasons were; empty without any."""
    if scores is None:
        return []
    values = {
        "n": scores.n_seasons,
        "forecasts": scores.n_forecasts,
        "score": f"{scores.brier:.2f}",
        "equal": f"{scores.brier_equal:.2f}",
    }
    text = ngettext(
        "Scored after %(n)d season that has ended, %(forecasts)d forecasts: %(score)s; the same chance for all would"
        " have had %(equal)s. Lower is better, 0 is a prophet.",
        "Scored after %(n)d seasons that have ended, %(forecasts)d forecasts: %(score)s; the same chance for all would"
        " have had %(equal)s. Lower is better, 0 is a prophet.",
        scores.n_seasons,
    )
    return [text % values, _trust(scores)]


def _trust(scores: TitleScores) -> str:
    if not scores.is_enough:
        return _("That is too few seasons to tell whether the chances are right.")
    if scores.is_right:
        return _("What was said came true as often as it was said, within two standard errors.")
    wrong = max(
        (each for each in scores.bins if not each.is_right), key=lambda each: abs(each.said - each.was)
    )
    return _("They are not right: of what was said with %(said)s, %(was)s came true.") % {
        "said": percent(wrong.said),
        "was": percent(wrong.was),
    }
