"""What the practice table shows: the seats, the answer in words and figures, the range that would have been right."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lab.engine.holdem.cards import N_RANKS, RANKS
from lab.engine.push_fold.dealing import MIXTURE, STYLES, Deal
from lab.engine.push_fold.hands import N_KINDS, NAMES
from lab.engine.push_fold.heads_up import STACKS, equilibrium
from lab.engine.push_fold.ranges import share_of
from lab.engine.push_fold.spots import Judgement, Values, judge
from lab.holdem.practice import Round, verdict_of
from lab.services.practice import Mistakes
from league.models import Entry, Season
from payouts.engine.errors import EngineError as PointsError
from payouts.queries import rules_of

POSITIONS: Final = {
    "UTG": gettext_lazy("First to act"),
    "EP1": gettext_lazy("Early seat 1"),
    "EP2": gettext_lazy("Early seat 2"),
    "MP": gettext_lazy("Middle seat"),
    "LJ": gettext_lazy("Lojack"),
    "HJ": gettext_lazy("Hijack"),
    "CO": gettext_lazy("Cutoff"),
    "BTN": gettext_lazy("Button"),
    "SB": gettext_lazy("Small blind"),
    "BB": gettext_lazy("Big blind"),
}
STYLE_NAMES: Final = {
    "tight": gettext_lazy("tight"),
    "average": gettext_lazy("average"),
    "loose": gettext_lazy("loose"),
}
AGAINST: Final = [
    (MIXTURE, gettext_lazy("A mixture of styles")),
    *zip(
        STYLES,
        (gettext_lazy("Tight players"), gettext_lazy("Average players"), gettext_lazy("Loose players")),
        strict=True,
    ),
]
SUITS: Final = (
    ("♣", gettext_lazy("clubs")),
    ("♦", gettext_lazy("diamonds")),
    ("♥", gettext_lazy("hearts")),
    ("♠", gettext_lazy("spades")),
)
RANK_NAMES: Final = {
    "T": "10",
    "J": gettext_lazy("Jack"),
    "Q": gettext_lazy("Queen"),
    "K": gettext_lazy("King"),
    "A": gettext_lazy("Ace"),
}
# Percent of the prizes where no club says otherwise, by the number of players left.
PRIZES: Final = {2: (100.0,), 3: (65.0, 35.0)}
USUAL_PRIZES: Final = (50.0, 30.0, 20.0)


class Payouts(NamedTuple):
    """What the places of those left are worth, and the size of the field; 0 if they are percent of the prizes."""

    values: list[float]
    field: int = 0


def payouts_for(seats: int, season: Season | None) -> Payouts:
    """Find the points of the first places under the season's structure, in a field like that of its last event.

    A formula that has no points for this field is replaced by prizes.
    """
    prizes = Payouts(list(PRIZES.get(seats, USUAL_PRIZES)))
    if season is None:
        return prizes
    last = Entry.objects.filter(event__season=season).order_by("-event__starts_at", "-event_id")
    event_id = last.values_list("event_id", flat=True)[:1]
    field = max(Entry.objects.filter(event_id__in=list(event_id)).count(), seats)
    try:
        points = rules_of(season).points_structure.points(field)
    except PointsError:
        return prizes
    return Payouts([float(value) for value in points[:seats]], field)


class RecordLine(NamedTuple):
    """Mistakes in one seat, by the columns of stacks."""

    position: str
    cells: list[Mistakes | None]


def record_lines(record: dict[str, list[Mistakes | None]]) -> list[RecordLine]:
    """List the seats of a record in the order in which they act."""
    return [RecordLine(str(name), record[key]) for key, name in POSITIONS.items() if key in record]


class Seat(NamedTuple):
    """A player at the table."""

    position: str
    stack: float
    style: str
    state: str
    share: int


def seats_of(hand: Deal) -> list[Seat]:
    """Describe the other players, in the order in which they act."""
    spot = hand.spot
    return [
        Seat(
            str(POSITIONS[hand.positions[seat]]),
            hand.stacks[seat],
            str(STYLE_NAMES[hand.styles[seat]]),
            _state(hand, seat),
            round(100 * spot.shares[seat]),
        )
        for seat in range(len(hand.stacks))
        if seat != hand.seat
    ]


def _state(hand: Deal, seat: int) -> str:
    if seat == hand.pusher:
        return "pushed"
    return "behind" if seat > hand.seat else "folded"


class Card(NamedTuple):
    """A card as it is drawn, and its name."""

    rank: str
    suit: str
    name: str
    is_red: bool


def card_shown(card: int) -> Card:
    rank, (suit, suit_name) = RANKS[card // 4], SUITS[card % 4]
    name = _("%(rank)s of %(suit)s") % {"rank": RANK_NAMES.get(rank, rank), "suit": suit_name}
    return Card("10" if rank == "T" else rank, suit, name, card % 4 in {1, 2})


class Cell(NamedTuple):
    """A kind of hand in the grid."""

    name: str
    kind: str
    is_own: bool


def grid(judgement: Judgement, own: int) -> list[list[Cell]]:
    """Mark each kind of hand as played, played for chips only, played for points only, or folded."""
    chips, points = judgement.chips.range, judgement.points.range
    kinds = [
        ("play" if chips[kind] else "points") if points[kind] else ("chip" if chips[kind] else "fold")
        for kind in range(N_KINDS)
    ]
    cells = [Cell(NAMES[kind], kinds[kind], kind == own) for kind in range(N_KINDS)]
    return [cells[start : start + N_RANKS] for start in range(0, N_KINDS, N_RANKS)]


def range_text(values: Values) -> str:
    """Write the hands of a range, those from a kind upwards as one: 22+, A2s+, KTo+."""
    return ", ".join(_runs(values)) or _("no hand")


def _runs(values: Values) -> Iterator[str]:
    lines = [[row * (N_RANKS + 1) for row in range(N_RANKS)]]
    for row in range(N_RANKS - 1):
        lines += [
            [row * N_RANKS + column for column in range(row + 1, N_RANKS)],
            [column * N_RANKS + row for column in range(row + 1, N_RANKS)],
        ]
    for line in lines:
        inside = [bool(values.range[kind]) for kind in line]
        top = inside.index(False) if False in inside else len(line)
        if top:
            yield NAMES[line[top - 1]] + ("+" if top > 1 else "")
        yield from (NAMES[kind] for kind, is_in in zip(line[top:], inside[top:], strict=True) if is_in)


def answer_of(table: Round, payouts: Payouts) -> dict[str, Any]:
    """Collect what the page shows after a decision."""
    hand = table.hand
    judgement = judge(hand.spot, payouts.values)
    kind, is_played = hand.kind, bool(table.played)
    verdict = verdict_of(judgement, kind, is_played=is_played)
    chips, points = judgement
    return {
        "verdict": verdict,
        "heading": _heading(hand, is_right=verdict.is_right, is_played=is_played),
        "is_for_chips_only": bool(chips.range[kind]) != bool(points.range[kind]),
        "chips": (chips.fold, float(chips.play[kind])),
        "points": (points.fold, float(points.play[kind])),
        "gain_chips": float(chips.play[kind]) - chips.fold,
        "gain_points": float(points.play[kind]) - points.fold,
        "name": NAMES[kind],
        "grid": grid(judgement, kind),
        "share": round(100 * share_of(points.range.astype(float))),
        "share_chips": round(100 * share_of(chips.range.astype(float))),
        "text": range_text(points),
        "in_equilibrium": _in_equilibrium(hand),
    }


def play_word(hand: Deal) -> str:
    return _("Push") if hand.pusher is None else _("Call")


def _heading(hand: Deal, *, is_right: bool, is_played: bool) -> str:
    name = {"hand": NAMES[hand.kind]}
    if is_right:
        if not is_played:
            return _("Right: fold %(hand)s") % name
        return (_("Right: push %(hand)s") if hand.pusher is None else _("Right: call with %(hand)s")) % name
    if is_played:
        return _("You pushed. Fold is better.") if hand.pusher is None else _("You called. Fold is better.")
    return _("You folded. Push is better.") if hand.pusher is None else _("You folded. Call is better.")


def _in_equilibrium(hand: Deal) -> str:
    """Say how often two players who cannot be beaten would push or call this hand; only for two players."""
    stack = round(min(hand.stacks))
    if len(hand.stacks) > 2 or stack not in STACKS:  # noqa: PLR2004  two players
        return ""
    both = equilibrium(stack)
    share = (both.push if hand.pusher is None else both.call)[hand.kind]
    values = {"hand": NAMES[hand.kind], "percent": round(100 * float(share)), "stack": stack}
    if hand.pusher is None:
        return (
            _("With %(stack)s big blinds, perfect players push %(hand)s %(percent)s %% of the time.") % values
        )
    return (
        _("With %(stack)s big blinds, perfect players call with %(hand)s %(percent)s %% of the time.")
        % values
    )
