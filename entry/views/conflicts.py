"""The page of two versions: somebody else has saved an event while it was corrected."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect, render

from entry.forms.results import EventForm, event_initial
from entry.merging import BASE, MINE, ORDER, THEIRS, Conflict, Key, Merged, Version, merge
from entry.versions import key_of, marks_text, text_from, version_of
from entry.views.event_page import EntryFormState, bound_form, fields_of, read_order, signed_fields
from league.access import ClubRequest
from league.models import Event
from league.queries import players_by_key
from league.stored_results import text_of
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from reading.finishing_order.order import FinishingOrder, read_finishing_order

MOST_NAMED = 8
MARKS = {
    "entries": gettext_lazy("Entries"),
    "knockouts": gettext_lazy("Knock-outs"),
    "cost": gettext_lazy("Cost"),
    "score": gettext_lazy("Score"),
    "balance": gettext_lazy("Balance"),
    "in": gettext_lazy("In at"),
    "out": gettext_lazy("Out at"),
}


class Option(NamedTuple):
    value: str
    text: str
    is_chosen: bool


class Choice(NamedTuple):
    """A conflict with the value of each side."""

    name: str
    legend: str
    options: list[Option]


class Row(NamedTuple):
    """A place or a field in both versions; `kind` says who has changed it."""

    label: str
    theirs: str
    mine: str
    kind: str


@dataclass(frozen=True)
class BothVersions:
    """Two versions of an event, their common base, and their merge."""

    now: Event
    base: Version | None
    theirs: Version
    mine: Version
    merged: Merged
    names: Mapping[Key, str]
    labels: Mapping[str, str]

    @property
    def versions(self) -> dict[str, Version]:
        known = {BASE: self.base} if self.base else {}
        return {THEIRS: self.theirs, MINE: self.mine} | known


def find_conflict(request: ClubRequest, page: EntryFormState, now: Event) -> BothVersions:
    """Merge what was typed with what is stored by now."""
    form = EventForm(season=now.season, initial=event_initial(now, text_of(now)))
    begun, stored = _opened_fields(request), text_of(now, with_scores=True)
    sides = {
        BASE: (begun, _read(request, begun)),
        THEIRS: (fields_of(form.initial), _read(request, {**fields_of(form.initial), "order": stored})),
        MINE: (
            fields_of({**page.form.initial, **page.form.cleaned_data, "into": page.form.season}),
            page.order,
        ),
    }
    versions = {name: version_of(_details(fields), order) for name, (fields, order) in sides.items()}
    choices = {
        name.removeprefix("pick-"): request.POST[name] for name in request.POST if name.startswith("pick-")
    }
    return BothVersions(
        now,
        versions[BASE] if begun else None,
        versions[THEIRS],
        versions[MINE],
        merge(versions[BASE], versions[THEIRS], versions[MINE], choices),
        {
            key_of(finisher): finisher.name
            for _fields, order in sides.values()
            for finisher in order.finishers
        },
        {name: str(field.label) for name, field in form.fields.items()},
    )


def _opened_fields(request: ClubRequest) -> dict[str, str]:
    """Read the signed initial fields of the form; empty if the signature is missing or wrong."""
    try:
        fields: dict[str, str] = signing.Signer(salt="event-base").unsign_object(request.POST.get("base", ""))
    except signing.BadSignature:
        return {}
    return fields


def _details(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if name != "order"}


def _read(request: ClubRequest, fields: Mapping[str, str]) -> FinishingOrder:
    day_and_start = f"{fields.get('day') or '2000-01-01'}T{fields.get('start') or '00:00'}"
    starts_at = datetime.fromisoformat(day_and_start).replace(tzinfo=request.club.tz)
    known = players_by_key(request.club)
    return read_finishing_order(fields.get("order", ""), known=known, starts_at=starts_at)


def merged_page(request: ClubRequest, page: EntryFormState, now: Event) -> EntryFormState:
    """Put the merged version into the form, as a correction of what is stored by now."""
    both = find_conflict(request, page, now)
    version = both.merged.version
    fields = {
        **page.form.data,
        **version.fields,
        "order": text_from(version, both.names),
        "version": str(now.version),
    }
    opened = EventForm(season=now.season, initial=event_initial(now, text_of(now)))
    stays = version.fields["into"] == str(page.form.season.pk)
    form = bound_form(page.form.season if stays else now.season, fields, page.form.initial)
    order = read_order(request, form, form.starts_at, page.known)
    return replace(page, form=form, order=order, base=signed_fields(opened))


def show_conflict(request: ClubRequest, page: EntryFormState, now: Event) -> HttpResponse:
    """Show both versions side by side, and ask what collides."""
    both = find_conflict(request, page, now)
    change = now.changes.select_related("actor").first()
    context = {
        "event": now,
        "form": page.form,
        "text": page.form.data.get("order", ""),
        "hidden": list(_hidden_fields(request, now)),
        "who": str(change.actor) if change and change.actor else _("Somebody else"),
        "at": change.at if change else None,
        "choices": [_choice(both, conflict) for conflict in both.merged.conflicts],
        "rows": list(_rows(both)),
        "merged_text": text_from(both.merged.version, both.names),
    }
    return render(request, "entry/conflict.html", context)


def _hidden_fields(request: ClubRequest, now: Event) -> Iterator[tuple[str, str]]:
    """List the fields of the form that was sent, for sending it again."""
    for name, values in request.POST.lists():
        if name in {"csrfmiddlewaretoken", "save", "merge", "mend", "against"} or name.startswith("pick-"):
            continue
        for value in values:
            yield name, str(value)
    yield "against", str(now.version)


def _choice(both: BothVersions, conflict: Conflict) -> Choice:
    options = [
        Option(name, _value(both, version, conflict), name == THEIRS)
        for name, version in both.versions.items()
    ]
    return Choice(f"pick-{conflict.id}", _legend(both, conflict), options)


def _legend(both: BothVersions, conflict: Conflict) -> str:
    if conflict.what == ORDER:
        return _("Who finished where?")
    if not conflict.keys:
        return both.labels.get(conflict.what, conflict.what)
    name = both.names[conflict.keys[0]]
    if conflict.what == "entry":
        return _("%(name)s: in or out?") % {"name": name}
    return f"{name}: {MARKS[conflict.what]}"


def _value(both: BothVersions, version: Version, conflict: Conflict) -> str:
    if conflict.what == ORDER:
        return _order_text(both, version, conflict.keys)
    if not conflict.keys:
        return _field_text(both, conflict.what, version.fields.get(conflict.what, ""))
    key = conflict.keys[0]
    if key not in version.ranks:
        return _("not in the result")
    if conflict.what == "entry":
        return _order_text(both, version, (key,)) + marks_text(key, version.marks[key])
    return version.marks[key].get(conflict.what) or "–"


def _order_text(both: BothVersions, version: Version, keys: tuple[Key, ...]) -> str:
    """Write the places of some entries: 2. Lark, 3. Finch."""
    places = _places(version)
    there = sorted((places[key], both.names[key]) for key in keys if key in places)
    parts = [f"{place}. {name}" for place, name in there[:MOST_NAMED]]
    return ", ".join(parts + ["…"] * (len(there) > MOST_NAMED)) or _("not in the result")


def _places(version: Version) -> dict[Key, int]:
    places: dict[Key, int] = {}
    for group in version.groups:
        places |= dict.fromkeys(group, len(places) + 1)
    return places


def _field_text(both: BothVersions, name: str, value: str) -> str:
    """Write a value for readers: a pool or a season by its name."""
    if name in {"pool", "into"} and value:
        related = both.now.season.club.pools if name == "pool" else both.now.season.club.seasons
        return str(related.filter(pk=value).first() or "–")
    return value or "–"


def _rows(both: BothVersions) -> Iterator[Row]:
    cells = {name: _cells(both, version) for name, version in both.versions.items()}
    n_same = 0
    for place in range(1, max(max(cell, default=0) for cell in cells.values()) + 1):
        row = _row(str(place), *(cells.get(name, {}).get(place, "") for name in (BASE, THEIRS, MINE)))
        if row.kind != "same":
            if n_same:
                yield _same(place, n_same)
            yield row
        n_same = n_same + 1 if row.kind == "same" else 0
    if n_same:
        yield _same(place + 1, n_same)
    base = both.base.fields if both.base else {}
    for name, theirs in both.theirs.fields.items():
        values = (base.get(name, ""), theirs, both.mine.fields.get(name, ""))
        texts = (_field_text(both, name, value) for value in values)
        row = _row(both.labels.get(name, name), *texts)
        if row.kind != "same":
            yield row


def _cells(both: BothVersions, version: Version) -> dict[int, str]:
    """Map places to the entries that share them."""
    places = _places(version)
    return {
        places[group[0]]: " = ".join(both.names[key] + marks_text(key, version.marks[key]) for key in group)
        for group in version.groups
    }


def _row(label: str, base: str, theirs: str, mine: str) -> Row:
    if theirs == mine:
        return Row(label, theirs, mine, "same")
    kind = "theirs" if mine == base else "mine" if theirs == base else "both"
    return Row(label, theirs, mine, kind)


def _same(end: int, n: int) -> Row:
    label = str(end - n) if n == 1 else f"{end - n}–{end - 1}"
    return Row(label, _("the same"), _("the same"), "same")


def discard_mine(request: ClubRequest, event: Event) -> HttpResponse:
    """Keep the stored version, and redirect to its event."""
    messages.success(
        request,
        _(
            "The saved version stands. What you typed is kept in this browser for a day: correct the result to see it."
        ),
    )
    return redirect(event)
