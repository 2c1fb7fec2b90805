"""What the page of a season's title shows: bars of the favourites, lines through the season, a table of positions."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.formats import date_format

from forecasts.queries import Contender, SeasonOdds
from forecasts.scores import TitleScores
from league import formats
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from payouts.engine.seasons.prospects import Bounds
from standings.players.labels import shortened, text_width

N_FAVOURITES = 4
MOST_ROWS = 40
MOST_FIGURES = 24  # positions that have columns on wide screens, too
SIZES = (("narrow", 336), ("wide", 704))
LEFT, TOP, BOTTOM = 34.0, 12.0, 194.0
BESIDE = 14.0  # between a line's end and its name, and behind the name
MOST_NAMES = 0.45  # of the width
NAME_STEP = 14.0
SHADES = ((0.4, "p4"), (0.2, "p3"), (0.05, "p2"))
LEAST_NAMED = 0.02  # chance of a player whose line has a name


class Favourite(NamedTuple):
    contender: Contender
    percent: str


class Cell(NamedTuple):
    """A position: the shade of its chance, and the chance in per cent."""

    x: int
    shade: str
    text: str


class PositionRow(NamedTuple):
    """Show where a player can finish: a cell for each position, and the range in words."""

    contender: Contender
    total: Any
    cells: list[Cell]
    possible: str


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
    return [Favourite(each, percent(each.title)) for each in shown]


def title_headline(odds: SeasonOdds) -> str:
    first, second = odds.contenders[0], odds.contenders[1] if len(odds.contenders) > 1 else None
    values = {"name": first.player.name, "second": second.player.name if second else ""}
    if odds.has_ended:
        return _("How likely the title was, from start to end")
    if first.title == 1:
        return _("%(name)s cannot be caught any more") % values
    if second is None or not second.title:
        return _("%(name)s is the favourite") % values
    values["n"] = str(min(max(round(100 * first.title), 1), 99))
    if sum(each.title > 0 for each in odds.contenders) == 2:  # noqa: PLR2004  the two are named
        return _("%(name)s in %(n)s of 100, else %(second)s") % values
    return _("%(name)s in %(n)s of 100, before %(second)s") % values


def left_in_words(odds: SeasonOdds) -> str:
    """Say how many events are left, whether they are planned, and of which day the forecast is."""
    left = odds.left
    if left is None:
        return _("How many %(events_word)s are left is not known.")
    values = {"n": left.n, "day": date_format(odds.as_of, "MONTH_DAY_FORMAT")}
    if left.is_planned:
        text = ngettext(
            "%(n)d %(night_word)s is left, planned. Forecast of %(day)s.",
            "%(n)d %(nights_word)s are left, planned. Forecast of %(day)s.",
            left.n,
        )
    elif left.n:
        text = ngettext(
            "About %(n)d %(event_word)s is left, at the usual pace to the last day. Forecast of %(day)s.",
            "About %(n)d %(events_word)s are left, at the usual pace to the last day. Forecast of %(day)s.",
            left.n,
        )
    else:
        text = _("At the usual pace no %(event_word)s is left. Forecast of %(day)s.")
    return text % values


def out_in_words(odds: SeasonOdds, places: Mapping[int, Bounds]) -> str:
    """Count those who can no longer win by the bounds of their places; empty if all can, or without bounds."""
    n_out = sum(bounds.best > 1 for bounds in places.values())
    if odds.has_ended or not n_out:
        return ""
    text = ngettext("%(n)d other can no longer win.", "The other %(n)d can no longer win.", n_out)
    return text % {"n": n_out}


def drawn_in_words(odds: SeasonOdds) -> str:
    """Say how far the chances of the favourites were drawn toward even before they are shown."""
    if odds.has_ended or odds.trust >= 1 or len(odds.contenders) < 2:  # noqa: PLR2004
        return ""
    raw = formats.listed(percent(each.raw) for each in odds.contenders[:2])
    text = _("The chances are drawn toward even by what earlier ones were worth; worked out were %(raw)s.")
    return text % {"raw": raw}


def position_rows(
    odds: SeasonOdds, totals: Mapping[int, Any], places: Mapping[int, Bounds]
) -> list[PositionRow]:
    """List where each of the first players can finish; `places` bounds them, else what came up in the runs does."""
    return [
        _row(each, totals.get(each.player.pk), places.get(each.player.pk))
        for each in odds.contenders[:MOST_ROWS]
    ]


def _row(contender: Contender, total: Any, bounds: Bounds | None) -> PositionRow:
    n = len(contender.positions)
    possible = [position for position, chance in enumerate(contender.positions, start=1) if chance]
    best, worst = (bounds.best, min(bounds.worst, n)) if bounds else (possible[0], possible[-1])
    cells = [_cell(i, chance) for i, chance in enumerate(contender.positions)]
    values = {"best": formats.ordinal(best), "worst": formats.ordinal(worst)}
    text = _("%(best)s to %(worst)s") if best < worst else "%(best)s"
    return PositionRow(contender, total, cells, text % values)


def _cell(i: int, chance: float) -> Cell:
    shade = next((shade for least, shade in SHADES if chance >= least), "p1" if chance else "no")
    whole = round(100 * chance)
    return Cell(i, shade, str(whole) if whole else "·" if chance else "")


def left_out_in_words(odds: SeasonOdds) -> str:
    """Say how many players have no row."""
    n = len(odds.contenders) - MOST_ROWS
    return ngettext("%(n)d more is not shown.", "%(n)d more are not shown.", n) % {"n": n} if n > 0 else ""


def title_charts(odds: SeasonOdds) -> list[TitleChart]:
    """Draw the chance of the title after each night; nothing before the second one."""
    return [_chart(odds, size, width) for size, width in SIZES] if odds.nights else []


def _chart(odds: SeasonOdds, size: str, width: int) -> TitleChart:
    named = [each for each in odds.contenders if max([each.title, *each.then]) >= LEAST_NAMED][:3]
    longest = max((text_width(each.player.name) for each in named), default=0.0)
    names = min(longest, MOST_NAMES * width)
    right = width - names - BESIDE
    nights = [*odds.nights, len(odds.days)]
    step = (right - LEFT) / max(nights[-1] - nights[0], 1)
    xs = [round(LEFT + (night - nights[0]) * step, 1) for night in nights]

    def y(chance: float) -> float:
        return round(BOTTOM - chance * (BOTTOM - TOP), 1)

    labels = [date_format(date.fromisoformat(odds.days[night - 1]), "MONTH_DAY_FORMAT") for night in nights]
    ys = _apart([y(each.title) for each in named])
    lines = [
        TitleLine(
            ("you", "two", "three")[named.index(each)] if each in named else "other",
            " ".join(f"{x},{y(chance)}" for x, chance in zip(xs, [*each.then, each.title], strict=True)),
            shortened(each.player.name, names) if each in named else "",
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
        "Scored after %(n)d season that has ended, %(forecasts)d forecasts: off by %(score)s, where the same chance for"
        " all would have been off by %(equal)s. Nothing is off if the winner is always known.",
        "Scored after %(n)d seasons that have ended, %(forecasts)d forecasts: off by %(score)s, where the same chance"
        " for all would have been off by %(equal)s. Nothing is off if the winner is always known.",
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
