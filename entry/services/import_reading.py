"""Read the files of an upload, together: events, whose names they hold, where they belong, and what is unsure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from entry.services.import_games import START, choose_games, is_timeless, with_start
from entry.services.import_seasons import choose_seasons
from entry.services.import_twice import ask_about_duplicates
from league.models import Club, ImportDraft, Season
from league.queries import count_evenings, players_by_key
from league.vocabulary import gettext as _
from reading.event_files.reader import MAX_EVENTS, MAX_ROWS, FileEvent
from reading.names.keys import name_key
from reading.names.near import Known
from reading.names.understanding import Aliases, Person, Understood, read_answers, understand
from reading.problems import Problem
from reading.questions import Choice, Question, by_question
from reading.tables.asked import NOBODY
from reading.tables.days import DAY
from reading.tables.grids import Grid
from reading.tables.layouts import CHOSEN
from reading.tables.meanings import Meaning, heading_key
from reading.tables.moments import clock
from reading.tables.reading import FileRead, TableRead, read_file, rows_of_file
from reading.tables.sheets import CELL, OUT, ROW, answers_about, prefix_of


@dataclass(frozen=True)
class ReadFile:
    """A file of an upload; answers about it begin with its prefix, which the first file has not."""

    name: str
    prefix: str
    read: FileRead

    def fields_of(self, problem: Problem) -> tuple[str, str]:
        """Name the fields of the form that mend a problem: the cell, and the row; empty where there is none."""
        if not problem.line:
            table = self._table_of(problem)
            is_day = problem.column == Meaning.DATE and table is not None
            return (f"{self.prefix}{table.prefix}{DAY}", "") if is_day and table else ("", "")
        prefix, columns = self.prefix, list(self.read.header)
        if table := self._table_of(problem):
            prefix += table.prefix
            columns = [column.meaning.value for column in table.layout.columns]
        row = f"{prefix}{ROW}{problem.line}={OUT}"
        if columns.count(problem.column) != 1:
            return "", row
        return f"{prefix}{CELL}{problem.line}:{columns.index(problem.column)}", row

    def _table_of(self, problem: Problem) -> TableRead | None:
        """Find the table that a problem is about."""
        tables = self.read.tables
        if len(tables) == 1:
            return tables[0]
        sheet = problem.file.removeprefix(f"{self.name}, ")
        return next((table for table in tables if table.grid.name == sheet), None)

    @property
    def chosen_meanings(self) -> dict[str, Meaning]:
        """Map the headings of columns to the meanings that were chosen for them."""
        return {
            heading_key(column.heading): column.meaning
            for table in self.read.tables
            for column in table.layout.columns
            if column.reason == CHOSEN and column.heading
        }


@dataclass(frozen=True)
class DraftRead:
    """What was read of an upload; names are those of the players that are meant."""

    files: tuple[ReadFile, ...]
    events: tuple[FileEvent, ...]
    problems: tuple[Problem, ...]
    questions: tuple[Question, ...]
    guests: tuple[Person, ...]
    n_known: int
    aliases: Aliases
    told: tuple[str, ...] = ()  # what was understood and not written
    lacks_start: bool = False  # events of which only the day is said
    start: str = ""  # as it was typed for all of them

    @property
    def n_entries(self) -> int:
        return sum(len(event.entries) for event in self.events)

    @property
    def n_open(self) -> int:
        """Count the questions that wait for an answer."""
        return sum(not question.is_answered for question in self.questions)


@dataclass(frozen=True)
class Upload:
    """Files for a season, by name and content, with the answers to the questions about them.

    Unknown names are asked about if they resemble others, unless all `are_new`.
    """

    season: Season
    files: Sequence[tuple[str, bytes]]
    answers: Sequence[str] = ()
    are_new: bool = False
    most_rows: int = MAX_ROWS
    most_events: int = MAX_EVENTS


def read_draft(draft: ImportDraft) -> DraftRead:
    """Read the files of a draft, which was read with season and club, by the answers stored with it."""
    files = [(file.name, bytes(file.data)) for file in draft.files.all()]
    return read_upload(Upload(draft.season, files, draft.answers))


def read_upload(upload: Upload) -> DraftRead:
    """Read files together."""
    known = players_by_key(upload.season.club)
    files = _read_files(upload, known)
    events = [event for file in files for event in file.read.events]
    names = _understood(upload, events, known)
    named = _with_names(events, names)
    answers = by_question(upload.answers)
    placed, of_seasons = choose_seasons(upload.season, named, answers)
    in_points, of_games, told = choose_games(upload.season.club, placed, answers)
    start = clock(answers.get(START, ""))
    timed = with_start(in_points, start[0] if start else None, upload.season.club.tz)
    kept, of_twice = ask_about_duplicates(upload.season, timed, answers)
    if any(entry.amounts for event in kept for entry in event.entries):
        told = [
            *told,
            _(
                "Fees, add-ons, bounties and prizes go to the money of the %(events_word)s, unless they have some."
            ),
        ]
    n_people = len({person.player_id or person.name for person in names.people.values()})
    return DraftRead(
        files=tuple(files),
        events=tuple(kept),
        problems=tuple(problem for file in files for problem in file.read.problems),
        questions=(
            *_of_files(files),
            *of_seasons,
            *of_games,
            *of_twice,
            *names.questions,
            *_mended(upload.answers),
        ),
        guests=tuple(names.guests),
        n_known=n_people - len(names.guests),
        aliases=names.aliases,
        told=tuple(told),
        lacks_start=any(is_timeless(event, upload.season.club.tz) for event in kept),
        start=answers.get(START, ""),
    )


def rows_of_draft(draft: ImportDraft, number: int, sheet: int) -> tuple[str, Grid] | None:
    """Read a table of a draft as it stands: the prefix of its fields, and its rows; None if there is none."""
    file = next(iter(draft.files.all()[number - 1 : number]), None) if number > 0 else None
    if file is None:
        return None
    prefix = f"{number}#" if number > 1 else ""
    answers = answers_about(by_question(draft.answers), prefix)
    grid = rows_of_file(bytes(file.data), file.name, answers).get(prefix_of(sheet))
    return (prefix + prefix_of(sheet), grid) if grid else None


def _read_files(upload: Upload, known: Known) -> list[ReadFile]:
    remembered = _remembered(upload.season.club)
    answers = by_question(upload.answers)
    files = []
    for number, (name, data) in enumerate(upload.files, start=1):
        prefix = f"{number}#" if number > 1 else ""
        read = read_file(
            data,
            name,
            tz=upload.season.club.tz,
            answers=answers_about(answers, prefix),
            remembered=remembered,
            known=known,
            most_rows=upload.most_rows,
            most_events=upload.most_events,
        )
        files.append(ReadFile(name, prefix, _with_name(name, read) if len(upload.files) > 1 else read))
    return files


def _remembered(club: Club) -> dict[str, Meaning]:
    rows = club.column_meanings.values_list("heading", "meaning")
    return {heading: Meaning(meaning) for heading, meaning in rows if meaning in set(Meaning)}


def _with_name(name: str, read: FileRead) -> FileRead:
    """Say in each event, problem and warning which file it is of, beside its sheet."""

    def place(sheet: str) -> str:
        return f"{name}, {sheet}" if sheet else name

    return replace(
        read,
        events=tuple(replace(event, file=place(event.file)) for event in read.events),
        problems=tuple(replace(problem, file=place(problem.file)) for problem in read.problems),
        warnings=tuple(f"{name}: {warning}" for warning in read.warnings),
    )


def _of_files(files: Iterable[ReadFile]) -> list[Question]:
    return [
        replace(question, id=f"{file.prefix}{question.id}")
        for file in files
        for question in file.read.questions
    ]


def _mended(answers: Iterable[str]) -> list[Question]:
    """List the cells that were mended and the rows that were left out, as answered questions."""
    questions = []
    for question, value in by_question(answers).items():
        kind, _colon, where = re.sub(r"^(\d+#)?(\d+!)?", "", question).partition(":")
        line = where.partition(":")[0]
        if f"{kind}:" == CELL:
            questions.append(_answered(question, _("Line %(line)s, mended:") % {"line": line}, value, value))
        elif f"{kind}:" == ROW:
            questions.append(_answered(question, _("Line %(line)s:") % {"line": line}, value, _("left out")))
        elif f"{kind}:" == NOBODY:
            questions.append(_answered(question, f"“{where}”:", value, _("not a player")))
    return questions


def _answered(question: str, text: str, value: str, label: str) -> Question:
    return Question(question, text, "", (Choice(value, label or _("empty")),), value, is_settled=True)


def _understood(upload: Upload, events: Sequence[FileEvent], known: Known) -> Understood:
    evenings = [[entry.name for entry in event.entries] for event in events]
    names = dict.fromkeys(name for evening in evenings for name in evening)
    return understand(
        names,
        known,
        read_answers(upload.answers),
        sure={name_key(name) for name in names} if upload.are_new else (),
        evenings=evenings,
        count_evenings=count_evenings,
    )


def _with_names(events: Iterable[FileEvent], names: Understood) -> list[FileEvent]:
    """Replace the typed names of entries by the names of the players whom they mean."""
    typed = {entry.name for event in events for entry in event.entries}
    other = {name: meant for name in typed if (meant := names.name_of(name)) != name}
    return [_renamed(event, other) for event in events] if other else list(events)


def _renamed(event: FileEvent, other: Mapping[str, str]) -> FileEvent:
    entries = (replace(entry, name=other.get(entry.name, entry.name)) for entry in event.entries)
    return replace(event, entries=tuple(entries))
