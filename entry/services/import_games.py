"""Choose the game of scores in a file that names none, and find the unit in which they are written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, tzinfo
from decimal import Decimal

from league.models import Club, EntryForm, Game
from league.queries import games_by_key
from league.vocabulary import gettext as _
from reading.event_files.reader import FileEvent
from reading.names.keys import name_key
from reading.questions import Choice, Question
from scores.rules import ScoreRules

GAME, START = "game", "start"
UNITS = (Decimal(1), Decimal(100), Decimal(1000))  # points, hundreds, thousands


def choose_games(
    club: Club, events: Sequence[FileEvent], answers: Mapping[str, str]
) -> tuple[list[FileEvent], list[Question], list[str]]:
    """Give events with scores their game, and their scores in points.

    A club with one game of tables with scores takes that; of several, those that as many play as sat at the tables are
    asked about once.

    Returns
    -------
    tuple of events, questions and sentences
        The sentences say what was understood and not written.
    """
    nameless = [event for event in events if _has_scores(event) and not event.game]
    games = games_by_key(club)
    open_games = [game for game in games.values() if game.entry_form == EntryForm.SCORES and not game.is_shut]
    sizes = {len(event.entries) for event in nameless}
    fitting = [game for game in open_games if {_rules(game).n_players} == sizes] or open_games
    questions: list[Question] = []
    chosen = fitting[0].name if len(fitting) == 1 else ""
    if nameless and len(fitting) > 1:
        questions.append(_question(fitting, answers.get(GAME, "")))
        chosen = questions[0].answer or fitting[0].name
    named = [replace(event, game=chosen) if event in nameless else event for event in events]
    in_points, unit = _in_points(named, games)
    told = [_in_unit(unit)] if unit != 1 else []
    if chosen and not questions:
        told.insert(0, _("The game is %(game)s: the file names none.") % {"game": chosen})
    return in_points, questions, told


def _has_scores(event: FileEvent) -> bool:
    return any(entry.score is not None for entry in event.entries)


def _rules(game: Game) -> ScoreRules:
    return ScoreRules.from_dict(game.scoring)


def _question(games: Iterable[Game], answer: str) -> Question:
    choices = tuple(Choice(game.name, game.name) for game in games)
    return Question(
        GAME,
        _("Which game was played?"),
        _("The file names none, and the club has several with scores."),
        choices,
        answer if answer in {choice.value for choice in choices} else "",
    )


def _in_points(events: list[FileEvent], games: Mapping[str, Game]) -> tuple[list[FileEvent], Decimal]:
    """Scale the scores of a file to points by the unit in which every table has the right sum."""
    scored = [event for event in events if _has_scores(event)]
    totals = [
        (sum((entry.score or Decimal(0) for entry in event.entries), Decimal(0)), _rules(game).total)
        for event in scored
        if (game := games.get(name_key(event.game))) and game.entry_form == EntryForm.SCORES
    ]
    if not totals or len(totals) < len(scored):
        return events, Decimal(1)
    unit = next((unit for unit in UNITS if all(found * unit == right for found, right in totals)), Decimal(1))
    return ([_times(event, unit) for event in events] if unit != 1 else events), unit


def _times(event: FileEvent, unit: Decimal) -> FileEvent:
    entries = (
        entry if entry.score is None else replace(entry, score=entry.score * unit) for entry in event.entries
    )
    return replace(event, entries=tuple(entries))


def _in_unit(unit: Decimal) -> str:
    return _("Scores are multiplied by %(unit)d: only then does each table add up.") % {"unit": unit}


def with_start(events: Sequence[FileEvent], start: time | None, tz: tzinfo) -> list[FileEvent]:
    """Set the typed start time on all events that have no time of day."""
    return [_starting(event, start, tz) if start and is_timeless(event, tz) else event for event in events]


def is_timeless(event: FileEvent, tz: tzinfo) -> bool:
    """Tell whether an event of a file has a day but no times."""
    has_times = any(entry.registered_at or entry.busted_at for entry in event.entries)
    return not has_times and event.details.starts_at.astimezone(tz).time() == time()


def _starting(event: FileEvent, start: time, tz: tzinfo) -> FileEvent:
    day = event.details.starts_at.astimezone(tz).date()
    details = replace(event.details, starts_at=datetime.combine(day, start, tzinfo=tz).astimezone(UTC))
    return replace(event, details=details)
