"""Write the share of skill of a table in words, and draw it over the events that everybody plays."""

from math import atan, ceil, floor, log10, pi
from typing import TYPE_CHECKING, NamedTuple

from forecasts.pages.calibration import Tick
from forecasts.pages.titles import percent
from league.vocabulary import gettext as _
from league.vocabulary import ngettext

if TYPE_CHECKING:
    from forecasts.engine.skill_share import Estimate, Growth, SkillShare

HALF, MOST = 0.5, 0.8  # shares that are said to be reached after so many events
MOSTLY_CHANCE = 0.2
MANY = 1_000  # more events than anybody waits for
SIZES = (("narrow", 336, 224.0), ("wide", 704, 284.0))  # name, width, bottom
LEFT, RIGHT, TOP = 40.0, 14.0, 20.0
N_POINTS = 48
GRID = (0, 25, 50, 75, 100)


class SkillWords(NamedTuple):
    """Two sentences beside a table: how much is skill, and what would tell more, which may be empty."""

    share: str
    more: str


class SkillChart(NamedTuple):
    name: str
    width: int
    height: float
    right: float
    bottom: float
    grid: list[Tick]
    ticks: list[Tick]
    band: str
    line: str
    now: tuple[float, float]
    half: tuple[float, float] | None


def in_words(found: "SkillShare") -> SkillWords:
    """Say how much of a table's differences is skill so far, or what is missing to say it."""
    estimate = found.estimate
    if estimate is None:
        return SkillWords(_too_early(found), "")
    values = {
        "part": _part(estimate.share),
        "share": percent(estimate.share),
        "low": percent(estimate.share_low),
        "high": percent(estimate.share_high),
    }
    return SkillWords(_share_text(estimate.share) % values, _more(estimate))


def _too_early(found: "SkillShare") -> str:
    if n := found.n_missing_events:
        return ngettext(
            "It is too early to tell skill from chance: %(n)d more %(event_word)s is needed.",
            "It is too early to tell skill from chance: %(n)d more %(events_word)s are needed.",
            n,
        ) % {"n": n}
    n = found.n_missing_players
    return ngettext(
        "There are too few players to tell skill from chance: %(n)d more with three %(events_word)s is needed.",
        "There are too few players to tell skill from chance: %(n)d more with three %(events_word)s are needed.",
        n,
    ) % {"n": n}


def _share_text(share: float) -> str:
    if share == 0.0:
        return _(
            "The differences in the table are no larger than chance makes them (skill %(share)s; likely between "
            "%(low)s and %(high)s)."
        )
    if share < MOSTLY_CHANCE:
        return _(
            "Mostly chance so far: %(part)s of the differences in the table is skill (%(share)s; likely between "
            "%(low)s and %(high)s)."
        )
    return _(
        "So far %(part)s of the differences in the table is skill (%(share)s; likely between %(low)s and %(high)s)."
    )


def _part(share: float) -> str:
    """Describe a share as an everyday fraction, such as "about a third"."""
    names = (
        (0.05, _("next to nothing")),
        (0.15, _("about a tenth")),
        (0.225, _("about a fifth")),
        (0.29, _("about a quarter")),
        (0.42, _("about a third")),
        (0.58, _("about half")),
        (0.71, _("about two thirds")),
        (0.85, _("about three quarters")),
    )
    return next((name for below, name in names if share < below), _("nearly all"))


def _more(estimate: "Estimate") -> str:
    """Explain how many more events reach the next share of skill, or that more data would help."""
    aim = HALF if estimate.share < HALF else MOST
    n = _more_events(estimate, aim)
    if n is None or n > MANY:
        return _("More %(events_word)s and larger fields would tell more.")
    if n <= 0:
        return ""
    if aim == HALF:
        text = ngettext(
            "After about %(n)d more %(event_word)s each it would be half.",
            "After about %(n)d more %(events_word)s each it would be half.",
            n,
        )
    else:
        text = ngettext(
            "After about %(n)d more %(event_word)s each it would be four fifths.",
            "After about %(n)d more %(events_word)s each it would be four fifths.",
            n,
        )
    return text % {"n": n}


def _more_events(estimate: "Estimate", share: float) -> int | None:
    """Count the further events until the share of skill is reached, to two digits; None if it never is."""
    until = estimate.growth.events_until(share)
    return None if until is None else _two_digits(until - _events_so_far(estimate))


def _two_digits(n: float) -> int:
    if n <= 0.0:
        return 0
    step: int = 10 ** max(floor(log10(n)) - 1, 0)
    return ceil(round(n / step, 6)) * step


def _events_so_far(estimate: "Estimate") -> float:
    """Count the events of everybody that would tell as much as the results do."""
    if estimate.share == 0.0:
        return estimate.mean_events
    return estimate.growth.events_until(estimate.share) or estimate.mean_events


def better_of_two(spread: float) -> float:
    """Compute the chance that the better of two players is ahead at one event.

    Their skills differ by N(0, 2 s^2), their forms by N(0, 2): the chance is 1/2 + arctan(s)/pi.
    """
    return 0.5 + atan(spread) / pi


def meaning(estimate: "Estimate") -> list[str]:
    """Say what the figures mean, one sentence each."""
    spreads = {"best": estimate.spread, "low": estimate.low, "high": estimate.high}
    ahead = {name: round(100 * better_of_two(spread)) for name, spread in spreads.items()}
    lines = [
        _(
            "Of two players, the better one is ahead in about %(best)d of 100 %(events_word)s (%(low)d to %(high)d)."
        )
        % ahead,
        _("If all %(events_word)s were played again, about %(share)s of each lead would be there again.")
        % {"share": percent(estimate.share)},
    ]
    for share, text in (
        (HALF, _("Half skill needs about %(n)d %(events_word)s of everybody.")),
        (MOST, _("Four fifths need about %(n)d %(events_word)s of everybody.")),
    ):
        until = estimate.growth.events_until(share)
        if until is not None and until <= 10 * MANY:
            lines.append(text % {"n": _two_digits(until)})
    lines.append(_("More %(events_word)s and larger fields narrow the interval."))
    return lines


def charts(estimate: "Estimate") -> list[SkillChart]:
    """Draw the share over the events that everybody plays."""
    return [_chart(estimate, *size) for size in SIZES]


def _chart(estimate: "Estimate", name: str, width: int, bottom: float) -> SkillChart:
    now, until = _events_so_far(estimate), estimate.growth.events_until(HALF)
    most = _two_digits(max(3.0 * now, min(1.3 * (until or 0.0), 12.0 * now), 10.0))
    right = width - RIGHT

    def x(n: float) -> float:
        return round(LEFT + n / most * (right - LEFT), 1)

    def y(share: float) -> float:
        return round(bottom - share * (bottom - TOP), 1)

    def points(growth: "Growth") -> list[str]:
        # Denser at first, where the curve bends.
        at = [most * (i / N_POINTS) ** 2 for i in range(N_POINTS + 1)]
        return [f"{x(n)},{y(growth.share(n))}" for n in at]

    is_half_shown = until is not None and until <= most
    return SkillChart(
        name,
        width,
        bottom + 40.0,
        right,
        bottom,
        [Tick(y(value / 100), value, y(value / 100) + 4.0) for value in GRID],
        [Tick(x(n), n) for n in _round_numbers(most)],
        " ".join([*points(estimate.growth_high), *reversed(points(estimate.growth_low))]),
        " ".join(points(estimate.growth)),
        (x(now), y(estimate.share)),
        (x(until), y(HALF)) if is_half_shown and until is not None else None,
    )


def _round_numbers(most: int) -> list[int]:
    """Choose four to seven round numbers up to a largest one."""
    step = next(step for step in _steps() if most / step <= 6)  # noqa: PLR2004
    return list(range(0, most + 1, step))


def _steps() -> "list[int]":
    return [factor * 10**power for power in range(8) for factor in (1, 2, 5)]
