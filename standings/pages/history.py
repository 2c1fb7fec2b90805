"""What a change changed, in words. Players have the names of today: nobody reads one that was taken back."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Model
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from league import formats
from league.models import Change, Club, Season, name_key
from league.queries import Rename
from payouts.models import EventTerms, SeasonRules
from payouts.words import rules_in_words
from ratings.parameters import changed_parameters
from standings.models import AwardKind

NOTHING = "–"
MOST_SAID = 40
N_DIGITS = 12  # of a checksum, enough to compare by eye
Names = Callable[[str], str]


class ChangeLine(NamedTuple):
    """A line of the history: the change, what it was about unless that has a page, and what was changed."""

    change: Change
    subject: str
    said: list[str]


class _Row(NamedTuple):
    """An entry as league.services.events writes it down."""

    place: int
    name: str
    number: int
    registered_at: str | None
    busted_at: str | None
    knockouts: int | None
    cost: str | None


def change_lines(changes: Iterable[Change], renames: Sequence[Rename]) -> list[ChangeLine]:
    return [change_line(change, renames) for change in changes]


def change_line(change: Change, renames: Sequence[Rename]) -> ChangeLine:
    later = [
        (name_key(it.before), it.after)
        for it in renames
        if it.pool_id == change.pool_id and it.version > change.version
    ]

    def today(name: str) -> str:
        if later:
            key = name_key(name)
            for before, after in later:
                if key == before:
                    name, key = after, name_key(after)
        return name

    said = WORDS[Change.Kind(change.kind)](change.before, change.after, today)
    return ChangeLine(change, _subject(change, today), _cut(said))


def _cut(said: list[str]) -> list[str]:
    """A name that was forgotten at the top of a thousand moves them all."""
    if (n := len(said) - MOST_SAID) <= 0:
        return said
    return [*said[:MOST_SAID], ngettext("%(n)d change more", "%(n)d changes more", n) % {"n": n}]


def _subject(change: Change, today: Names) -> str:
    if change.kind == Change.Kind.PLAYER_RENAMED:
        return today(change.after["name"])
    return str(change.before.get("event") or change.season or change.after.get("name", ""))


def _entered(_before: Mapping[str, Any], after: Mapping[str, Any], today: Names) -> list[str]:
    return _evening(after, today)


def _deleted(before: Mapping[str, Any], _after: Mapping[str, Any], today: Names) -> list[str]:
    return _evening(before, today)


def _evening(summary: Mapping[str, Any], today: Names) -> list[str]:
    rows = summary.get("entries", ())
    winners = formats.listed(today(name) for place, name, *_rest in rows if place == 1)
    text = ngettext("%(n)d entry, won by %(names)s", "%(n)d entries, won by %(names)s", len(rows))
    return [text % {"n": len(rows), "names": winners}] if rows else []


def _corrected(before: Mapping[str, Any], after: Mapping[str, Any], today: Names) -> list[str]:
    """Who came and went, then the widest moves first: those a line makes room for move by one place each."""
    old, new = ({(row.name, row.number): row for row in _rows(it, today)} for it in (before, after))
    stayed = sorted((abs(new[it].place - old[it].place), it) for it in new.keys() & old.keys())
    stayed.sort(key=lambda it: (-it[0], new[it[1]].place))
    return [
        *_details(before, after),
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


def _details(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[str]:
    if before.get("starts_at") != after.get("starts_at"):
        yield _moved(_("Start"), *(_time(it["starts_at"], "%Y-%m-%d %H:%M") for it in (before, after)))
    if before.get("name") != after.get("name"):
        yield _moved(_("Name"), before["name"], after["name"])


LABELS = {
    "place": gettext_noop("place"),
    "registered_at": gettext_noop("registered at"),
    "busted_at": gettext_noop("out at"),
    "knockouts": gettext_noop("knock-outs"),
}


def _entry_changes(before: _Row, after: _Row) -> Iterable[str]:
    for name, label in LABELS.items():
        pair = [getattr(it, name) for it in (before, after)]
        if pair[0] != pair[1]:
            shown = map(_time, pair) if name.endswith("_at") else pair
            yield _moved(_("%(entry)s, %(what)s") % {"entry": _entry(after), "what": _(label)}, *shown)
    if before.cost != after.cost:  # what somebody paid is nobody else's business
        yield _("%(entry)s: another cost") % {"entry": _entry(after)}


def _rows(summary: Mapping[str, Any], today: Names) -> list[_Row]:
    return [_Row(*row)._replace(name=today(row[1])) for row in summary.get("entries", ())]


def _entry(row: _Row) -> str:
    if row.number == 1:
        return row.name
    return _("%(name)s (entry %(n)d)") % {"name": row.name, "n": row.number}


def _time(moment: str | None, written: str = "%H:%M") -> str:
    return f"{timezone.localtime(datetime.fromisoformat(moment)):{written}}" if moment else NOTHING


def _moved(label: str, before: object, after: object) -> str:
    return _("%(label)s: %(before)s → %(after)s") % {
        "label": label,
        "before": _shown(before),
        "after": _shown(after),
    }


def _shown(value: object) -> str:
    """A value as it was written down, some of them as the text of a Python object."""
    text = str(value)
    if re.fullmatch(r"\d+\.\d+", text):
        return text.rstrip("0").rstrip(".")
    return {"None": NOTHING, "": NOTHING, "True": _("yes"), "False": _("no")}.get(text, text)


def _fields(model: type[Model]) -> Callable[[Mapping[str, Any], Mapping[str, Any], Names], list[str]]:
    """Words for changes of a model's fields."""

    def say(before: Mapping[str, Any], after: Mapping[str, Any], _today: Names) -> list[str]:
        return [
            _moved(capfirst(str(field.verbose_name)), before.get(field.name), after[field.name])
            for field in model._meta.fields  # in this order: PostgreSQL keeps none in a JSON object
            if field.name in after and _shown(after[field.name]) != _shown(before.get(field.name))
        ]

    return say


def _ruled(before: Mapping[str, Any], after: Mapping[str, Any], _today: Names) -> list[str]:
    """The sentences of the rules that are there no longer, and those that are new."""
    old, new = (
        rules_in_words(SeasonRules(**{name: it[name] for name in before if name in it}))
        for it in (before, after)
    )
    said = [_("No longer: %(rule)s") % {"rule": rule} for rule in old if rule not in new]
    said += [_("Now: %(rule)s") % {"rule": rule} for rule in new if rule not in old]
    return [*said, _("Also for the events before.")] if after.get("settle_again") else said


def _rated(before: Mapping[str, Any], after: Mapping[str, Any], _today: Names) -> list[str]:
    return [_moved(*it) for it in changed_parameters(before, after)]


def _brought_forward(before: Mapping[str, Any], after: Mapping[str, Any], _today: Names) -> list[str]:
    return [_moved(_("Players"), len(before.get("totals", ())), len(after.get("totals", ())))]


def _met(before: Mapping[str, Any], after: Mapping[str, Any], _today: Names) -> list[str]:
    if not after:
        return [_("%(meet)s: dissolved") % {"meet": before["name"]}]
    return [_("%(meet)s: %(events)s") % {"meet": after["name"], "events": formats.listed(after["events"])}]


def _awarded(before: Mapping[str, Any], after: Mapping[str, Any], _today: Names) -> list[str]:
    old, new = ({_title(row): row for row in it["awards"]} for it in (before, after))
    return [
        *(_("%(award)s: added") % {"award": title} for title in new if title not in old),
        *(_("%(award)s: taken away") % {"award": title} for title in old if title not in new),
        *(
            _("%(award)s: changed") % {"award": title}
            for title, row in new.items()
            if old.get(title, row) != row
        ),
        *([_("another order")] if set(old) == set(new) and list(old) != list(new) else []),
    ]


def _title(row: Sequence[Any]) -> str:
    kind, title, *_rest = row
    return title or str(AwardKind(kind).label)


def _renamed(before: Mapping[str, Any], after: Mapping[str, Any], _today: Names) -> list[str]:
    if before["is_guest"] == after["is_guest"]:
        return []
    return [_("a guest now") if after["is_guest"] else _("no longer a guest")]


def _sealed(before: Mapping[str, Any], after: Mapping[str, Any], _today: Names) -> list[str]:
    return [_("Checksum %(digits)s…") % {"digits": (after or before)["sha256"][:N_DIGITS]}]


WORDS: dict[Change.Kind, Callable[[Mapping[str, Any], Mapping[str, Any], Names], list[str]]] = {
    Change.Kind.RESULT_ENTERED: _entered,
    Change.Kind.RESULT_CORRECTED: _corrected,
    Change.Kind.RESULT_DELETED: _deleted,
    Change.Kind.RULES_CHANGED: _ruled,
    Change.Kind.TERMS_CHANGED: _fields(EventTerms),
    Change.Kind.TOTALS_BROUGHT: _brought_forward,
    Change.Kind.RATINGS_CHANGED: _rated,
    Change.Kind.SEASON_CHANGED: _fields(Season),
    Change.Kind.SEASON_SEALED: _sealed,
    Change.Kind.SEASON_UNSEALED: _sealed,
    Change.Kind.MEET_CHANGED: _met,
    Change.Kind.AWARDS_CHANGED: _awarded,
    Change.Kind.PLAYER_RENAMED: _renamed,
    Change.Kind.CLUB_CHANGED: _fields(Club),
}
