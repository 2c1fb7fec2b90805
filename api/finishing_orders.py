"""Finishing orders as programs send them: entries one by one, or a text that is read like that of the form."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from api.names import name_players
from league.models import Club, Entry
from league.queries import count_evenings, players_by_key
from league.services.plans import SCORE_FIELDS
from reading.event_files.checks import event_problems
from reading.finishing_order.order import FinishingOrder, read_finishing_order
from reading.names.keys import name_key
from reading.names.understanding import NO_ALIASES, Aliases, read_answers
from reading.problems import Problem
from reading.questions import Question
from reading.results import EntryInput, EventDetails, entries_of
from reading.tables.pasted import read_chosen, read_pasted, read_table_answers

# Whatever belongs to an event is no longer before its start and no longer after it than this.
LONG_BEFORE, LONG_AFTER = timedelta(days=366), timedelta(days=31)
OF_ENTRY = ("place", "number", "registered_at", "busted_at", "knockouts", "cost")


class ReadResult(NamedTuple):
    """A result to save, and other names of players to remember."""

    details: EventDetails
    entries: list[EntryInput]
    aliases: Aliases


def read_result(club: Club, data: Mapping[str, Any]) -> ReadResult:
    """Read the validated data of a result; raise ValidationError for whatever is doubtful in it."""
    for name in ("ends_at", "closes_at"):
        if data[name] and data[name] > data["starts_at"] + LONG_AFTER:
            raise ValidationError({name: [_("This is too far from the start.")]})
    if (pool_id := data.get("pool")) and not club.pools.filter(pk=pool_id).exists():
        raise ValidationError({"pool": [_("The club has no such rating pool.")]})
    details = EventDetails(
        data["starts_at"].astimezone(UTC),
        name=data["name"],
        ends_at=_utc(data["ends_at"]),
        closes_at=_utc(data["closes_at"]),
        table_size=data.get("table_size"),
        final_table_size=data.get("final_table_size"),
        pool_id=data.get("pool"),
        game_id=data.get("game"),
    )
    if "text" in data:
        order = _read_text(club, data)
        return ReadResult(details, entries_of(order), order.understood.aliases)
    entries = [dict(entry) for entry in data["entries"]]
    aliases = name_players(club, entries, field="entries", new_players=data["new_players"])
    for i, entry in enumerate(entries):
        entry.setdefault("place", i + 1)
    _number(entries)
    read = [_entry(entry) for entry in entries]
    far = {str(i): _far_times(details.starts_at, entry) for i, entry in enumerate(read)}
    if any(far.values()):
        raise ValidationError({"entries": {i: times for i, times in far.items() if times}})
    if problems := _problems(club, details, read):
        found = {str(each.line): {each.column or "player": [each.message]} for each in reversed(problems)}
        raise ValidationError({"entries": found})
    return ReadResult(details, read, aliases)


def changed_entry(club: Club, stored: Entry, data: Mapping[str, Any]) -> tuple[EntryInput, Aliases]:
    """Put the changes of one entry into what is stored of it."""
    sent = {name: data[name] for name in OF_ENTRY if name in data}
    named = {name: data[name] for name in ("player", "player_id") if name in data}
    aliases = NO_ALIASES
    if named:
        aliases = name_players(club, [named], field="player", new_players=data["new_players"])
    name = named.get("player", stored.player.name)
    if name_key(name) == stored.player.key and None not in sent.values():
        return replace(kept_entry(stored), **sent), aliases
    # Of another player nothing is stored that could stay, and only an entry of a form says that something is removed.
    values = {name: getattr(stored, name) for name in (*OF_ENTRY, *SCORE_FIELDS)}
    return _entry(values | sent | {"player": name}), aliases


def kept_entry(stored: Entry) -> EntryInput:
    """Write a stored entry as one of which everything stays as it is."""
    return EntryInput(stored.player.name, stored.place, stored.number, has_exact_times=True)


def require_possible_change(
    club: Club, details: EventDetails, entries: list[EntryInput], *, is_moved: bool
) -> None:
    """Raise ValidationError for what a change of the first entry has made impossible.

    Times of others are none of it, nor are places, unless the entry `is_moved` to another place or player.
    """
    found = _far_times(details.starts_at, entries[0])
    for problem in _problems(club, details, entries):
        of_order = problem.column in {"place", "number", "player"}
        if (is_moved and of_order) or (problem.line == 0 and not of_order):
            found.setdefault(problem.column, []).append(problem.message)
    if found:
        raise ValidationError(found)


def _far_times(starts_at: datetime, entry: EntryInput) -> dict[str, list[str]]:
    """Name the times of an entry that cannot be about the event."""
    first, last = starts_at - LONG_BEFORE, starts_at + LONG_AFTER
    times = {name: getattr(entry, name) for name in ("registered_at", "busted_at")}
    return {
        name: [_("This is too far from the start.")]
        for name, moment in times.items()
        if moment and not first <= moment <= last
    }


def _problems(club: Club, details: EventDetails, entries: list[EntryInput]) -> list[Problem]:
    """Check a result as one of a file is checked; the lines are positions in the list."""
    title = details.name or f"{details.starts_at.astimezone(club.tz):%Y-%m-%d}"
    return event_problems(title, details, list(enumerate(entries)))


def _entry(values: Mapping[str, Any]) -> EntryInput:
    return EntryInput(
        values["player"],
        values["place"],
        values["number"],
        registered_at=_utc(values["registered_at"]),
        busted_at=_utc(values["busted_at"]),
        from_form=True,
        has_exact_times=True,
        knockouts=values["knockouts"],
        cost=values["cost"],
        **{name: values.get(name) for name in SCORE_FIELDS},
    )


def _number(entries: Iterable[dict[str, Any]]) -> None:
    """Number the entries of each player who has several without numbers: the better the place, the later the entry."""
    by_player: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        by_player.setdefault(name_key(entry["player"]), []).append(entry)
    for own in by_player.values():
        if all(entry["number"] is None for entry in own):
            for number, entry in enumerate(sorted(own, key=lambda entry: -entry["place"]), 1):
                entry["number"] = number
        for entry in own:
            entry["number"] = entry["number"] or 1


def _read_text(club: Club, data: Mapping[str, Any]) -> FinishingOrder:
    """Read a text as the form does, a table or line by line; raise ValidationError if anything is open."""
    given, text = data["answers"], data["text"]
    asked: dict[str, Any] = {
        "known": players_by_key(club),
        "starts_at": data["starts_at"].astimezone(club.tz),
        "closes_at": data["closes_at"],
        "count_evenings": count_evenings,
    }
    names = read_answers(given)
    order = read_pasted(
        text, chosen=read_chosen({}), answers=read_table_answers(given), name_answers=names, **asked
    ) or read_finishing_order(text, answers=names, **asked)
    if not order.is_ready:
        raise ValidationError({"text": list(_open_points(order))})
    return order


def _open_points(order: FinishingOrder) -> Iterable[str]:
    """List what is wrong or asked about a text: its lines, then the questions with the answers there are."""
    if order.error:
        yield order.error
    if order.runs_backwards:
        yield _("The list ends with the winner: send it with the winner first.")
    for line in order.shown_lines:
        if problem := line.error or line.question:
            yield _("Line %(n)d: %(problem)s") % {"n": line.number, "problem": problem}
    questions = [*order.understood.questions, *getattr(order, "questions", ())]
    for question in questions:
        if not question.is_answered:
            yield _asked(question)


def _asked(question: Question) -> str:
    choices = ", ".join(f"{question.id}={choice.value} ({choice.label})" for choice in question.choices)
    return f"{question.text} {choices}"


def _utc(moment: datetime | None) -> datetime | None:
    return moment and moment.astimezone(UTC)
