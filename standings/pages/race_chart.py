"""Geometry of the points race: a line for each player, names at the right edge that do not touch."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats import points as points_in_words
from standings.players.labels import shortened
from standings.points.race import Race

MOST_POINTS = 30  # of a line, so that the page stays small
LEFT, TOP, BOTTOM, NAMES, LINE = 34.0, 12.0, 276.0, 118.0, 14.0


class RaceCurve(NamedTuple):
    player_id: int
    name: str
    points: str
    end_x: float
    end_y: float
    label: str
    label_y: float


class RaceChart(NamedTuple):
    width: int
    grid: list[tuple[float, int]]  # heights and values
    right: float
    curves: list[RaceCurve]


def race_in_words(race: Race) -> str:
    """Say who is ahead, by how much, since when."""
    lines = race.lines
    values = {
        "n": race.n_events,
        "first": lines[0].name,
        "points": points_in_words(lines[0].totals[-1]),
    }
    if len(lines) == 1:
        return _("After event %(n)d: %(first)s %(points)s points.") % values
    values |= {"second": lines[1].name, "behind": points_in_words(lines[1].totals[-1])}
    if lines[0].totals[-1] == lines[1].totals[-1]:
        return _("After event %(n)d: %(first)s and %(second)s level with %(points)s points.") % values
    values["since"] = race.leads_since
    return (
        _(
            "After event %(n)d: %(first)s %(points)s points, %(second)s %(behind)s."
            " Of these players nobody has been ahead of %(first)s since event %(since)d."
        )
        % values
    )


def won_in_words(race: Race) -> str:
    """Say who won an ended season, and how early; nothing if points alone did not decide."""
    if race.decided_after is None:
        return ""
    n_left = race.n_events - race.decided_after
    if n_left == 0:
        return _("%(name)s won at the last event") % {"name": race.lines[0].name}
    text = ngettext(
        "%(name)s won with %(n)d event to spare", "%(name)s won with %(n)d events to spare", n_left
    )
    return text % {"name": race.lines[0].name, "n": n_left}


def decision_in_words(race: Race) -> str:
    """Say when an ended season was decided; nothing if that cannot be said."""
    if race.decided_after is None:
        return ""
    n_left = race.n_events - race.decided_after
    values = {"first": race.lines[0].name, "n": race.decided_after, "left": n_left}
    if n_left == 0:
        return _("Decided at the last event: until then another player could have won.")
    return (
        ngettext(
            "Decided after event %(n)d, with %(left)d to come: nobody could catch up with %(first)s any more.",
            "Decided after event %(n)d, with %(left)d to come: nobody could catch up with %(first)s any more, not even"
            " by winning all of them.",
            n_left,
        )
        % values
    )


def race_chart(race: Race, width: int) -> RaceChart:
    right = width - NAMES
    values = [float(total) for line in race.lines for total in line.totals]
    low, high = min(0.0, *values), max(1.0, *values)

    def y(value: float) -> float:
        return round(BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP), 1)

    last = race.n_events - 1
    n_points = min(race.n_events, MOST_POINTS)
    drawn = [round(last * i / (n_points - 1)) for i in range(n_points)]
    xs = [round(LEFT + i / last * (right - LEFT), 1) for i in drawn]
    curves, free = [], TOP - LINE
    for line in race.lines:
        end = y(float(line.totals[-1]))
        free = max(end, free + LINE)
        points = " ".join(f"{x},{y(float(line.totals[i]))}" for x, i in zip(xs, drawn, strict=True))
        label = shortened(line.name, NAMES - 14)
        curves.append(RaceCurve(line.player_id, line.name, points, right, end, label, round(free + 4, 1)))
    # Names that were moved below the edge move up again, so that all of them are in the picture.
    edge = BOTTOM + 8
    for i in range(len(curves) - 1, -1, -1):
        curves[i] = curves[i]._replace(label_y=round(min(curves[i].label_y, edge), 1))
        edge = curves[i].label_y - LINE
    return RaceChart(
        width, [(y(value), round(value)) for value in (low, (low + high) / 2, high)], right, curves
    )
