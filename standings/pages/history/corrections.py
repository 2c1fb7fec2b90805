"""Corrections of results in one sentence, as everybody reads them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from league import formats
from league.models import Change
from league.queries import Rename
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.pages.history.changes import ChangeLine, change_line, current_names
from standings.pages.history.result_changes import EntryRow, entry_rows

MOST_NAMED = 3
Places = dict[tuple[str, int], EntryRow]


class PlaceLine(NamedTuple):
    """A place before and after a correction; `until` ends a run of places that stay."""

    place: int
    until: int
    before: str
    after: str
    is_same: bool


def correction_in_brief(change: Change, renames: Sequence[Rename]) -> str:
    """Say what a correction changed: who was swapped, added or taken out, or how many places."""
    old, new = _sides(change, renames)
    moved = [key for key in new.keys() & old.keys() if new[key].place != old[key].place]
    added, gone = [key for key in new if key not in old], [key for key in old if key not in new]
    if not (added or gone) and len(moved) == 2 and _are_swapped(moved, old, new):  # noqa: PLR2004  a pair
        one, other = sorted(moved, key=lambda key: new[key].place)
        return _("%(one)s and %(other)s swapped") % {"one": one[0], "other": other[0]}
    if len(added) == len(gone) == 1 and new[added[0]].place == old[gone[0]].place:
        return _("%(new)s instead of %(old)s") % {"new": added[0][0], "old": gone[0][0]}
    parts = [
        *([_("%(names)s added") % {"names": _names(added)}] if added else []),
        *([_("%(names)s taken out") % {"names": _names(gone)}] if gone else []),
        *(
            [ngettext("%(n)d place changed", "%(n)d places changed", len(moved)) % {"n": len(moved)}]
            if moved
            else []
        ),
    ]
    return formats.listed(parts or list(_details(change.before, change.after)))


def changes_in_brief(changes: Sequence[Change], renames: Sequence[Rename]) -> str:
    """Say what a correction of several events changed, each by its name; of one event, what changed in it."""
    if len(changes) == 1 and changes[0].kind == Change.Kind.RESULT_CORRECTED:
        return correction_in_brief(changes[0], renames)
    lines = [change_line(change, renames) for change in changes]
    return formats.listed(
        _("%(event)s: %(what)s") % {"event": line.subject, "what": _what(line, renames)} for line in lines
    )


def _what(line: ChangeLine, renames: Sequence[Rename]) -> str:
    if line.change.kind == Change.Kind.RESULT_CORRECTED and isinstance(line.change, Change):
        return correction_in_brief(line.change, renames)
    return line.kind


def _sides(change: Change, renames: Sequence[Rename]) -> tuple[Places, Places]:
    current_name = current_names(change, renames)
    old, new = (
        {(row.name, row.number): row for row in entry_rows(summary, current_name)}
        for summary in (change.before, change.after)
    )
    return old, new


def _are_swapped(moved: list[tuple[str, int]], old: Places, new: Places) -> bool:
    one, other = moved
    return old[one].place == new[other].place and old[other].place == new[one].place


def _names(keys: list[tuple[str, int]]) -> str:
    names = list(dict.fromkeys(name for name, _number in keys))
    if len(names) <= MOST_NAMED:
        return formats.together(names)
    return ngettext("%(n)d player", "%(n)d players", len(names)) % {"n": len(names)}


def _details(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[str]:
    if before.get("starts_at") != after.get("starts_at"):
        yield _("another start")
    if before.get("name") != after.get("name"):
        yield _("another name")
    if before.get("pool") != after.get("pool"):
        yield _("rated in another pool")
    if before.get("entries") != after.get("entries"):
        yield _("times, scores or other marks")


def place_lines(change: Change, renames: Sequence[Rename]) -> list[PlaceLine]:
    """Lay both orders side by side; places that stay are one line for each run of them."""
    before, after = (_by_place(side) for side in _sides(change, renames))
    lines: list[PlaceLine] = []
    for place in sorted({*before, *after}):
        one, other = before.get(place, ""), after.get(place, "")
        if one == other and lines and lines[-1].is_same:
            last = lines[-1]
            lines[-1] = last._replace(until=place, before=formats.listed([last.before, one]))
        else:
            lines.append(PlaceLine(place, place, one, other, one == other))
    return lines


def _by_place(side: Places) -> dict[int, str]:
    names: dict[int, list[str]] = {}
    for (name, _number), row in side.items():
        names.setdefault(row.place, []).append(name)
    return {place: " = ".join(sorted(tied)) for place, tied in names.items()}
