"""Who was left when: the stairs of an event whose times of bust were all recorded."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils import timezone

from league import formats
from league.models import Event
from league.vocabulary import gettext as _
from standings.event_story.entries import EventPage

WIDTHS = {"s": 336, "m": 704, "l": 848}  # of look: charts are drawn at fixed widths and never scaled
LEFT, RIGHT, TOP, FOOT = 26, 64, 18, 26
LEAST_STEP, MOST_STEP, TALL = 6.0, 22.0, 300.0
LEAST_LABEL_STEP = 13.0  # a name of 11 px needs that height
TOLD_APART = {0, 1, 2}  # of a large field only the last to go are named
TICK_ROOM = 80  # px for a time on the axis
STRIDES = (15, 30, 60, 120, 240)  # minutes between times on the axis
LEAST_PLAYERS = 4
MOST_TOLD = 12  # of a larger field, the words name moments
Scale = Callable[[datetime], float]


class Out(NamedTuple):
    """A player who went out, when, and how many were left then."""

    name: str
    at: datetime
    n_left: int


class Label(NamedTuple):
    x: str
    y: str
    text: str


class Stairs(NamedTuple):
    """The coordinates of one width; `line` is a path that goes right and down in turn."""

    size: str
    width: int
    height: str
    axis: str
    right: str
    line: str
    names: list[Label]
    times: list[Label]
    counts: list[Label]
    end: Label


class Moment(NamedTuple):
    label: str
    at: datetime
    names: str


def busts_of(event: Event, page: EventPage) -> list[Out]:
    """List who went out when, the first first; nobody unless all but the winners have a time and are on the page."""
    players = [row for row in page.rows if row.is_last]
    losers = sorted(
        (row.busted_at, -row.place, row.name)
        for row in players
        if row.place > 1 and row.busted_at and row.busted_at >= event.starts_at
    )
    n_losers = sum(row.place > 1 for row in players)
    if page.n_pages > 1 or len(players) < LEAST_PLAYERS or len(losers) < n_losers:
        return []
    return [Out(name, at, len(players) - 1 - i) for i, (at, _place, name) in enumerate(losers)]


def stairs_of(event: Event, busts: Sequence[Out], winners: Sequence[str]) -> list[Stairs]:
    return [_draw(size, width, event, busts, winners) for size, width in WIDTHS.items()] if busts else []


def _draw(size: str, width: int, event: Event, busts: Sequence[Out], winners: Sequence[str]) -> Stairs:
    n_players = len(busts) + busts[-1].n_left
    step = max(LEAST_STEP, min(MOST_STEP, TALL / max(n_players - 1, 1)))
    minutes = max((busts[-1].at - event.starts_at).total_seconds() / 60, 1)
    right = width - RIGHT

    def x(at: datetime) -> float:
        return LEFT + (right - LEFT) * (at - event.starts_at).total_seconds() / 60 / minutes

    def y(n_left: int) -> float:
        return TOP + step * (n_players - n_left)

    line, here, n_left = f"M{LEFT},{y(n_players):.1f}", float(LEFT), n_players
    for out in busts:
        there = round(x(out.at), 1)
        line += f"h{there - here:.1f}v{step * (n_left - out.n_left):.1f}"
        here, n_left = there, out.n_left
    named = busts if step >= LEAST_LABEL_STEP else [each for each in busts if each.n_left in TOLD_APART]
    bottom = y(n_left)
    return Stairs(
        size=size,
        width=width,
        height=f"{bottom + FOOT:.0f}",
        axis=f"{bottom + 0.5:.1f}",
        right=f"{right}",
        line=line,
        names=[Label(f"{x(out.at) + 6:.1f}", f"{y(out.n_left + 1) + 5:.1f}", out.name) for out in named],
        times=_times(event, busts[-1].at, x, width, bottom),
        counts=[
            Label(f"{LEFT - 6}", f"{y(n) + 4:.1f}", str(n))
            for n in sorted({n_players, (n_players + n_left) // 2, n_left})
        ],
        end=Label(f"{right}", f"{bottom:.1f}", formats.together(winners)),
    )


class Bar(NamedTuple):
    """A square for each player with a badge, and the badge below them."""

    family: str
    letters: str
    middle: str
    squares: list[tuple[str, str]]


class Strength(NamedTuple):
    width: int
    height: int
    foot: int
    bars: list[Bar]


SQUARE, SQUARE_STEP, BAR_STEP, MOST_SQUARES = 15, 17, 24.8, 12


def strength_bars(strength: Sequence[tuple[str, int]]) -> Strength | None:
    """Draw how many players had each badge before the event, the lowest badge first."""
    if not strength or max(n for _letters, n in strength) > MOST_SQUARES:
        return None
    foot = SQUARE_STEP * max(n for _letters, n in strength) + 2
    bars = [
        Bar(
            letters[0].lower(),
            letters,
            f"{BAR_STEP * i + 12.4:.1f}",
            [(f"{BAR_STEP * i + 4.9:.1f}", f"{foot - SQUARE_STEP * (k + 1)}") for k in range(n)],
        )
        for i, (letters, n) in enumerate(reversed(strength))
    ]
    return Strength(248, foot + 20, foot, bars)


def _times(event: Event, end: datetime, x: Scale, width: int, bottom: float) -> list[Label]:
    start = timezone.localtime(event.starts_at)
    minutes = (end - event.starts_at).total_seconds() / 60
    most = max(1, (width - LEFT - RIGHT) // TICK_ROOM)
    stride = next((each for each in STRIDES if minutes / each <= most), STRIDES[-1])
    first = start.replace(minute=0, second=0, microsecond=0)
    ticks = (first + timedelta(minutes=stride * i) for i in range(1 + int(minutes + 60) // stride))
    return [
        Label(f"{x(at):.1f}", f"{bottom + 20:.1f}", f"{timezone.localtime(at):%H:%M}")
        for at in ticks
        if start < at < end
    ]


def shape(event: Event, busts: Sequence[Out], winners: Sequence[str]) -> str:
    """Say in words what the stairs show; of a large field, only its moments."""
    if len(busts) > MOST_TOLD:
        told = (
            f"{moment.label} {moment.names} {timezone.localtime(moment.at):%H:%M}"
            for moment in moments_of(event, busts)
        )
        return _("Players left. %(moments)s. At the end: %(winners)s.") % {
            "moments": formats.listed(told),
            "winners": formats.together(winners),
        }
    outs = (f"{out.name} {timezone.localtime(out.at):%H:%M}" for out in busts)
    return _("Players left. Out: %(outs)s. At the end: %(winners)s.") % {
        "outs": formats.listed(outs),
        "winners": formats.together(winners),
    }


def moments_of(event: Event, busts: Sequence[Out]) -> list[Moment]:
    """List when the first was out, half were out, and the final table and the last three were left."""
    if not busts:
        return []
    n_players = len(busts) + busts[-1].n_left
    left = {out.n_left: out for out in busts}
    final = event.final_table_size or 0
    named = {
        n_players - 1: _("First out"),
        n_players // 2: _("Half out"),
        **({final: _("Final table")} if 3 < final < n_players - 1 else {}),  # noqa: PLR2004  the last three
        3: _("Three left"),
    }
    found = [Moment(label, left[n].at, left[n].name) for n, label in named.items() if n in left]
    return sorted(found, key=lambda moment: moment.at)
