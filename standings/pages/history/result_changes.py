"""Changes of results in words."""

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext_noop

from league import formats
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.pages.history.differences import CurrentName, Summary, from_to, time_text


class EntryRow(NamedTuple):
    """An entry as league.services.events records it."""

    place: int
    name: str
    number: int
    registered_at: str | None
    busted_at: str | None
    knockouts: int | None
    cost: str | None
    score: str | None = None
    balance: str | None = None
    chips: int | None = None
    penalty: str | None = None
    seat: int | None = None


def result_entered(_before: Summary, after: Summary, current_name: CurrentName) -> list[str]:
    return _winners(after, current_name)


def result_deleted(before: Summary, _after: Summary, current_name: CurrentName) -> list[str]:
    return _winners(before, current_name)


def event_moved(before: Summary, after: Summary, _current_name: CurrentName) -> list[str]:
    return [from_to(_("Season"), before["season"], after["season"])]


def _winners(summary: Summary, current_name: CurrentName) -> list[str]:
    rows = summary.get("entries", ())
    winners = formats.listed(current_name(name) for place, name, *_rest in rows if place == 1)
    text = ngettext("%(n)d entry, won by %(names)s", "%(n)d entries, won by %(names)s", len(rows))
    return [text % {"n": len(rows), "names": winners}] if rows else []


def result_corrected(before: Summary, after: Summary, current_name: CurrentName) -> list[str]:
    """Describe a correction: details, entries added and taken out, then moves."""
    old, new = (
        {(row.name, row.number): row for row in entry_rows(summary, current_name)}
        for summary in (before, after)
    )
    stayed = sorted((abs(new[key].place - old[key].place), key) for key in new.keys() & old.keys())
    # The widest move comes first; the others usually follow from it.
    stayed.sort(key=lambda move: (-move[0], new[move[1]].place))
    return [
        *([_("An earlier version was brought back")] if after.get("is_brought_back") else []),
        *_details_changed(before, after),
        *(
            _("%(entry)s added at place %(place)d") % {"entry": _entry(row), "place": row.place}
            for key, row in new.items()
            if key not in old
        ),
        *(
            _("%(entry)s taken out of place %(place)d") % {"entry": _entry(row), "place": row.place}
            for key, row in old.items()
            if key not in new
        ),
        *(line for _distance, key in stayed for line in _entry_changes(old[key], new[key])),
    ]


def _details_changed(before: Summary, after: Summary) -> Iterable[str]:
    if before.get("starts_at") != after.get("starts_at"):
        yield from_to(
            _("Start"), *(time_text(summary["starts_at"], "%Y-%m-%d %H:%M") for summary in (before, after))
        )
    if before.get("name") != after.get("name"):
        yield from_to(_("Name"), before["name"], after["name"])
    if before.get("pool", "") != after.get("pool", ""):
        yield from_to(_("Rated in"), before.get("pool", ""), after.get("pool", ""))


LABELS = {
    "place": gettext_noop("place"),
    "registered_at": gettext_noop("registered at"),
    "busted_at": gettext_noop("out at"),
    "knockouts": gettext_noop("knock-outs"),
    "score": gettext_noop("score"),
    "balance": gettext_noop("balance"),
    "chips": gettext_noop("chips"),
    "penalty": gettext_noop("penalty"),
    "seat": gettext_noop("seat"),
}


def _entry_changes(before: EntryRow, after: EntryRow) -> Iterable[str]:
    for name, label in LABELS.items():
        pair = [getattr(row, name) for row in (before, after)]
        if pair[0] != pair[1]:
            values = map(time_text, pair) if name.endswith("_at") else pair
            yield from_to(_("%(entry)s, %(what)s") % {"entry": _entry(after), "what": _(label)}, *values)
    if before.cost != after.cost:  # what somebody paid is private
        yield _("%(entry)s: another cost") % {"entry": _entry(after)}


def entry_rows(summary: Summary, current_name: CurrentName) -> list[EntryRow]:
    return [EntryRow(*row)._replace(name=current_name(row[1])) for row in summary.get("entries", ())]


def _entry(row: EntryRow) -> str:
    if row.number == 1:
        return row.name
    return _("%(name)s (entry %(n)d)") % {"name": row.name, "n": row.number}
