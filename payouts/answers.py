"""Results of `seats` and `points`, shared by the command line and the API."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from payouts.engine.exact import exact_number, exact_text
from payouts.engine.structures.facts import EventFacts
from payouts.engine.structures.settings import STRUCTURE_SETTINGS
from payouts.engine.structures.structure import PointsStructure


class Answer(NamedTuple):
    """A table and the options it was made for. Of points, whole numbers are numbers and others exact texts."""

    head: dict[str, object]
    columns: tuple[str, ...]
    rows: list[tuple[int | str | float, ...]]

    def as_json(self) -> dict[str, object]:
        return {**self.head, "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows]}


def seats_answer(options: Mapping[str, Any]) -> Answer:
    """List which seat is the k-th point of a place; EngineError names an invalid option."""
    structure, seats = structure_of(options), options["seats"]
    rows: list[tuple[int | str | float, ...]] = [
        (row.place, row.kth_point, row.seat) for row in structure.seat_table(seats)
    ]
    return Answer(_head(structure, seats=seats), ("place", "kth_point", "seat"), rows)


def points_answer(options: Mapping[str, Any]) -> Answer:
    """List the points of each place of a field; EngineError names an invalid option."""
    structure, entries = structure_of(options), options["entries"]
    facts = EventFacts(exact_number("buy_in", options["buy_in"]), options["paid"])
    total = options.get("total")
    points = structure.points(
        entries, total=None if total is None else exact_number("total", total), facts=facts
    )
    rows: list[tuple[int | str | float, ...]] = [
        (place, exact_json(value)) for place, value in enumerate(points, 1)
    ]
    return Answer(_head(structure, entries=entries), ("place", "points"), rows)


def structure_of(options: Mapping[str, Any]) -> PointsStructure:
    """Build and check the structure that the options describe; EngineError names an invalid setting."""
    settings = {name: options.get(name) for name in STRUCTURE_SETTINGS}
    structure = PointsStructure.from_dict({"name": options["structure"], **settings})
    structure.check()
    return structure


def exact_json(value: Fraction) -> int | str:
    """Return whole numbers as numbers, others as exact text, because JSON readers would round them."""
    return value.numerator if value.denominator == 1 else exact_text(value)


def _head(structure: PointsStructure, **others: int) -> dict[str, object]:
    settings = structure.to_dict()
    return {"structure": settings.pop("name"), **others, **settings}
