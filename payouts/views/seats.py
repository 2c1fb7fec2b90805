"""Pages of the seat table to print before an event; for a formula, of its points by place."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, season_view
from league.downloads import csv_attachment, csv_text
from payouts.engine.exact import exact_text
from payouts.engine.structures.structure import PointsStructure
from payouts.previews import points_table
from payouts.previews import seat_table as seats_by_place
from payouts.queries import rules_of
from payouts.sentences import structure_in_words

DEFAULT_SEATS, MOST_SEATS = 60, 300
SIZES = (10, 15, 20, 24, 30, 40)
FORMULA_SIZES = (5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)
N_FORMULA_ROWS = 30


@require_safe
@season_view(related=("rules",))
def seat_table(request: ClubRequest) -> HttpResponse:
    structure = rules_of(request.season).points_structure
    n_seats = _n_seats(request, structure)
    context: dict[str, Any] = {
        "structure": structure_in_words(structure),
        "ties": structure.ties,
        "most": MOST_SEATS,
        "section": "season",
    }
    if structure.is_dhondt:
        sizes = [size for size in SIZES if size <= n_seats] or [n_seats]
        context |= {"table": seats_by_place(structure, n_seats), "worked": points_table(structure, sizes)}
    else:
        context["worked"] = points_table(structure, FORMULA_SIZES, most=N_FORMULA_ROWS)
    return render(request, "payouts/seat_table.html", context)


@require_safe
@season_view(related=("rules",))
def seat_file(request: ClubRequest) -> HttpResponse:
    structure = rules_of(request.season).points_structure
    if structure.is_dhondt:
        rows = structure.seat_table(_n_seats(request, structure))
        text = csv_text(
            ("place", "kth_point", "seat"), [(row.place, row.kth_point, row.seat) for row in rows]
        )
    else:
        table = points_table(structure, FORMULA_SIZES)
        head = ("place", *(f"points_of_{size}" for size in table.sizes))
        cells = [
            (place, *(None if value is None else exact_text(value) for value in row))
            for place, row in table.rows
        ]
        text = csv_text(head, cells)
    return csv_attachment(request, text, "seats")


def _n_seats(request: ClubRequest, structure: PointsStructure) -> int:
    """Read the number of seats from the address, limited to what is possible; `DEFAULT_SEATS` if it is no number."""
    typed = request.GET.get("seats", "")
    is_number = typed.isascii() and typed.isdecimal() and len(typed) < 9  # noqa: PLR2004  no table is longer
    n_seats = int(typed) if is_number else DEFAULT_SEATS
    return max(1, min(n_seats, MOST_SEATS, structure.cap or MOST_SEATS))
