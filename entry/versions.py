"""Versions of an event for merging: from the text of a finishing order, and back to one."""

from collections.abc import Mapping
from itertools import groupby

from entry.merging import Key, Marks, Version
from reading.finishing_order.lines import Finisher, as_written
from reading.finishing_order.order import FinishingOrder


def key_of(finisher: Finisher) -> Key:
    return finisher.key, finisher.number


def version_of(fields: Mapping[str, str], order: FinishingOrder) -> Version:
    """Build a version of the fields of a form and its order as it was read."""
    groups = groupby(order.finishers, key=lambda finisher: finisher.place)
    return Version(
        fields,
        tuple(tuple(map(key_of, finishers)) for _place, finishers in groups),
        {key_of(finisher): _marks_of(finisher) for finisher in order.finishers},
    )


def _marks_of(finisher: Finisher) -> Marks:
    return {
        "entries": str(finisher.n_entries) if finisher.n_entries > 1 else "",
        "knockouts": "" if finisher.knockouts is None else str(finisher.knockouts),
        "cost": "" if finisher.cost is None else f"{finisher.cost.normalize():f}",
        "score": "" if finisher.score is None else f"{finisher.score.normalize():f}",
        "balance": "" if finisher.balance is None else f"{finisher.balance.normalize():f}",
        "in": f"{finisher.arrival:%H:%M}" if finisher.arrival else "",
        "out": f"{finisher.clock:%H:%M}" if finisher.clock else "",
    }


SIGNS = {
    "entries": " x",
    "knockouts": " ko",
    "cost": " cost ",
    "score": " score ",
    "balance": " balance ",
    "in": " in ",
    "out": " @",
}


def text_from(version: Version, names: Mapping[Key, str]) -> str:
    """Write the finishing order of a version as text."""
    return "\n".join(
        " = ".join(as_written(names[key]) + marks_text(key, version.marks[key]) for key in group)
        for group in version.groups
    )


def marks_text(key: Key, marks: Marks) -> str:
    _name, number = key
    earlier = f" #{number}" if number else ""
    return earlier + "".join(sign + marks[mark] for mark, sign in SIGNS.items() if marks.get(mark))
