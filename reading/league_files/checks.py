"""Check a file of a whole league (docs/league-format): its form by the schema, then what the schema cannot say."""

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import available_timezones

from django.utils.translation import gettext as _
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError

from reading.event_files.checks import event_problems
from reading.names.keys import name_key
from reading.names.rules import text_problem
from reading.results import EntryInput, EventDetails

SCHEMA = Path(__file__).with_name("league.schema.json")
MOST_PROBLEMS = 100


class LeagueProblem(NamedTuple):
    """Something that is wrong with a file, and where: `seasons[0].events[2].entries[1].place`."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


def league_problems(text: str) -> list[LeagueProblem]:
    """Find what is wrong with the text of a league file: nothing, or the first hundred problems."""
    try:
        league = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
        return [LeagueProblem("", _("This is no JSON: %(why)s") % {"why": error})]
    problems = [
        LeagueProblem(_path(each.absolute_path), _message(each)) for each in _validator().iter_errors(league)
    ]
    return (problems or list(_contradictions(league)))[:MOST_PROBLEMS]


def _no_number(name: str) -> float:
    raise ValueError(_("%(name)s is no number of JSON") % {"name": name})


@cache
def _validator() -> Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    formats = FormatChecker(formats=("date",))
    formats.checks("date-time", raises=ValueError)(
        lambda text: not isinstance(text, str) or bool(_moment(text))
    )
    return Draft202012Validator(schema, format_checker=formats)


def _path(steps: Iterable[str | int]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def _message(error: ValidationError) -> str:
    """Say what the schema found; of a choice of forms, what is wrong with the one that is not null."""
    inner = [each for each in error.context or () if each.validator_value != "null"]
    return str((inner[0] if inner else error).message)[:300]


class _Names(NamedTuple):
    """The keys of the names that a file has."""

    players: set[str]
    pools: set[str]
    games: set[str]
    events: set[str]


def _contradictions(league: Mapping[str, Any]) -> Iterator[LeagueProblem]:
    """Find what contradicts something else in a file of the right form."""
    names = _Names(
        (yield from _named_once("players", league["players"])),
        (yield from _named_once("pools", league.get("pools", ()))),
        (yield from _named_once("games", league.get("games", ()))),
        set(),
    )
    yield from _named_once("seasons", league["seasons"])
    zone = league["club"].get("time_zone", "UTC")
    if zone not in available_timezones():
        yield LeagueProblem("club.time_zone", _("“%(name)s” is no time zone.") % {"name": zone})
    for i, pool in enumerate(league.get("pools", ())):
        for j, rating in enumerate(pool.get("ratings", ())):
            yield from _known(names.players, rating["player"], f"pools[{i}].ratings[{j}].player")
    for i, game in enumerate(league.get("games", ())):
        yield from _known(names.pools, game.get("pool"), f"games[{i}].pool")
    for i, season in enumerate(league["seasons"]):
        yield from _of_season(f"seasons[{i}]", season, names)


def _of_season(path: str, season: Mapping[str, Any], names: _Names) -> Iterator[LeagueProblem]:
    yield from _known(names.pools, season.get("pool"), f"{path}.pool")
    if season.get("ends_on") and season["ends_on"] < season["starts_on"]:
        yield LeagueProblem(f"{path}.ends_on", _("The last day is before the first day."))
    for i, event in enumerate(season["events"]):
        at = f"{path}.events[{i}]"
        yield from _known(names.pools, event.get("pool"), f"{at}.pool")
        yield from _known(names.games, event.get("game"), f"{at}.game")
        identifier = event.get("event")
        if identifier in names.events:
            yield LeagueProblem(f"{at}.event", _("“%(name)s” stands here twice.") % {"name": identifier})
        names.events.update(filter(None, [identifier]))
        yield from _of_event(at, event, names.players)


def _named_once(path: str, things: Iterable[Mapping[str, Any]]) -> Generator[LeagueProblem, None, set[str]]:
    """Find names that two things have; return the keys of all."""
    keys: set[str] = set()
    for i, thing in enumerate(things):
        for name in [thing["name"], *thing.get("other_names", ())]:
            if problem := text_problem(name):
                yield LeagueProblem(f"{path}[{i}].name", problem)
            key = name_key(name)
            if key in keys:
                yield LeagueProblem(f"{path}[{i}].name", _("“%(name)s” stands here twice.") % {"name": name})
            keys.add(key)
    return keys


def _known(keys: set[str], name: str | None, path: str) -> Iterator[LeagueProblem]:
    if name is not None and name_key(name) not in keys:
        yield LeagueProblem(path, _("“%(name)s” is not in the file.") % {"name": name})


def _of_event(path: str, event: Mapping[str, Any], players: set[str]) -> Iterator[LeagueProblem]:
    """Check a result as that of an event file is checked."""
    for i, entry in enumerate(event["entries"]):
        yield from _known(players, entry["player"], f"{path}.entries[{i}].player")
    title = event.get("event") or event.get("name") or event["starts_at"]
    details = EventDetails(_moment(event["starts_at"]), closes_at=_moment_or_none(event.get("closes_at")))
    for problem in event_problems(title, details, list(enumerate(map(_entry, event["entries"])))):
        yield LeagueProblem(f"{path}.entries[{problem.line}].{problem.column}", problem.message)


def _entry(entry: Mapping[str, Any]) -> EntryInput:
    return EntryInput(
        entry["player"],
        entry["place"],
        entry.get("number", 1),
        registered_at=_moment_or_none(entry.get("registered_at")),
        busted_at=_moment_or_none(entry.get("busted_at")),
        knockouts=entry.get("knockouts"),
    )


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _moment_or_none(text: str | None) -> datetime | None:
    return _moment(text) if text else None
