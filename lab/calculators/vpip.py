"""What the page of VPIP shows: the table, the chart of one table size, a sentence."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy

from lab.calculators.charts import NARROW, WIDE, bar_chart
from lab.calculators.forms import VpipForm
from lab.calculators.numbers import percent
from league.formats import listed, number
from ratings.engine.vpip import (
    LEAST_SEATS,
    MOST_SEATS,
    POSITIONS,
    TableVpip,
    VpipParams,
    limped_in,
)

SIZES = range(LEAST_SEATS, MOST_SEATS + 1)
POSITION_NAMES: Mapping[str, Any] = {
    "UTG": gettext_lazy("under the gun"),
    "EP1": gettext_lazy("early"),
    "EP2": gettext_lazy("early"),
    "MP": gettext_lazy("middle"),
    "LJ": gettext_lazy("lojack"),
    "HJ": gettext_lazy("hijack"),
    "CO": gettext_lazy("cutoff"),
    "BTN": gettext_lazy("button"),
    "SB": gettext_lazy("small blind"),
    "BB": gettext_lazy("big blind"),
}
SMALL_BLIND_SIZES = (10, 6)  # of the sentence about hands that all fold to the small blind


class Line(NamedTuple):
    """A line of the table: a position, or the average, with a share for each table size that has it."""

    label: str
    name: str
    shares: list[tuple[str, bool]]  # with whether the column is the chosen one


class Cut(NamedTuple):
    """The share that lies farthest outside 0 to 100 percent."""

    name: str
    seats: int
    share: str


def vpip_context(form: VpipForm) -> dict[str, Any]:
    """Build the template context of the VPIP page from a valid form."""
    tables = {seats: form.table(form.params, seats) for seats in SIZES}
    chosen = tables[form.chosen_seats]
    shares = dict(zip(chosen.positions, chosen.vpip.tolist(), strict=True))
    return {
        "seats": chosen.seats,
        "sizes": [(seats, seats == chosen.seats) for seats in SIZES],
        "lines": _lines(tables, chosen.seats),
        "averages": [(number(table.average, 1), table is chosen) for table in tables.values()],
        "average": percent(chosen.average, 1),
        "first": percent(shares[chosen.positions[0]], 1),
        "button": percent(shares.get("BTN", 0.0), 1),
        "blinds": [percent(shares[name], 1) for name in ("SB", "BB")],
        "heads_up": percent(tables[LEAST_SEATS].average, 1),
        "charts": [
            bar_chart(chosen.positions, list(shares.values()), chosen.average, size, width)
            for size, width in (("narrow", NARROW), ("wide", WIDE))
        ],
        "listed": listed(f"{name} {number(share, 1)}" for name, share in shares.items()),
        "cut": _cut(tables),
        "folded": [percent(tables[seats].folded_to_small_blind) for seats in SMALL_BLIND_SIZES],
        "is_limping": form["limp"].value() == "1",
        "limped": [number(limped_in(form.params, seats)) for seats in SMALL_BLIND_SIZES],
        "params": _params(form.params),
        **{
            name: _ranges(form.moved[of])
            for name, of in (("given", "ranges"), ("moved", "moved"))
            if form.moved
        },
    }


def _lines(tables: Mapping[int, TableVpip], chosen: int) -> list[Line]:
    shares = {
        (position, seats): number(share, 1)
        for seats, table in tables.items()
        for position, share in zip(table.positions, table.vpip.tolist(), strict=True)
    }
    return [
        Line(
            position,
            str(POSITION_NAMES[position]),
            [(shares.get((position, seats), ""), seats == chosen) for seats in tables],
        )
        for position in POSITIONS
    ]


def _cut(tables: Mapping[int, TableVpip]) -> Cut | None:
    """Find the share that lies farthest outside 0 to 100 percent, if one does."""
    beyond, share, position, seats = max(
        (max(share - 100.0, -share), share, position, table.seats)
        for table in tables.values()
        for position, share in zip(table.positions, table.unbounded.tolist(), strict=True)
    )
    return Cut(str(POSITION_NAMES[position]), seats, percent(share)) if beyond > 0.0 else None


def _ranges(shares: list[float]) -> str:
    return listed(percent(share, 2) for share in shares)


def _params(params: VpipParams) -> dict[str, str]:
    return {name: f"{value:g}".replace("-", "−") for name, value in vars(params).items()}
