"""Checks of one event of a file as a whole, once all its cells are read."""

from itertools import pairwise

from django.utils.translation import gettext as _

from reading.names.keys import name_key
from reading.problems import Problem
from reading.results import (
    EntryInput,
    EventDetails,
    is_out_before_start,
    out_after_better,
    re_entries_below,
    registers_after_close,
)


def event_problems(key: str, details: EventDetails, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    """Check entries given with their lines. Times come last: a wrong number or place makes right times look wrong."""
    return _entry_problems(key, entries) or _time_problems(key, details, entries)


def _entry_problems(key: str, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    problems = []
    numbers: dict[str, set[int]] = {}
    for line, entry in entries:
        seen = numbers.setdefault(name_key(entry.name), set())
        if entry.number in seen:
            message = _("%(name)s has entry %(n)d twice in the event %(event)s") % {
                "name": entry.name, "n": entry.number, "event": key,
            }  # fmt: skip
            problems.append(Problem(line, "player", message))
        seen.add(entry.number)
    for line, entry in entries:
        if entry.number > 1 and entry.number - 1 not in numbers[name_key(entry.name)]:
            message = _("%(name)s has entry %(n)d, but no entry %(before)d in the event %(event)s") % {
                "name": entry.name, "n": entry.number, "before": entry.number - 1, "event": key,
            }  # fmt: skip
            problems.append(Problem(line, "number", message))
    return problems or _place_problems(key, entries) or _order_problems(key, entries)


def _time_problems(key: str, details: EventDetails, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    problems = []
    for line, entry in entries:
        if registers_after_close(entry, details):
            message = _("%(name)s registered after registration closed in the event %(event)s") % {
                "name": entry.name, "event": key,
            }  # fmt: skip
            problems.append(Problem(line, "registered_at", message))
        if is_out_before_start(entry, details):
            message = _("%(name)s is out before the event %(event)s starts") % {
                "name": entry.name, "event": key,
            }  # fmt: skip
            problems.append(Problem(line, "busted_at", message))
    return problems or _bust_problems(key, entries)


def _bust_problems(key: str, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    lines = {(entry.name, entry.number): line for line, entry in entries}
    return [
        Problem(
            lines[late.name, late.number],
            "busted_at",
            _("%(name)s is out later than %(better)s, who finished above, in the event %(event)s")
            % {"name": late.name, "better": better.name, "event": key},
        )
        for late, better in out_after_better(entry for _line, entry in entries)
    ]


def _order_problems(key: str, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    lines = {(entry.name, entry.number): line for line, entry in entries}
    return [
        Problem(
            lines[entry.name, entry.number],
            "place",
            _("entry %(n)d of %(name)s finishes below entry %(before)d in the event %(event)s")
            % {"n": entry.number, "name": entry.name, "before": entry.number - 1, "event": key},
        )
        for entry in re_entries_below(entry for _line, entry in entries)
    ]


def _place_problems(key: str, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    """Check that places run from 1 to n; tied players share one and the next are skipped (1-2-2-4)."""
    in_order = sorted(entries, key=lambda item: item[1].place)
    if in_order[0][1].place != 1:
        return [Problem(in_order[0][0], "place", _("the event %(event)s has no place 1") % {"event": key})]
    if len({name_key(entry.name) for _line, entry in entries}) == 1:
        return [
            Problem(in_order[0][0], "player", _("the event %(event)s has one player only") % {"event": key})
        ]
    for position, ((_l, above), (line, entry)) in enumerate(pairwise(in_order), start=2):
        if entry.place not in {above.place, position}:
            message = _("place %(place)d should be %(right)d in the event %(event)s") % {
                "place": entry.place, "right": position, "event": key,
            }  # fmt: skip
            return [Problem(line, "place", message)]
    return []
