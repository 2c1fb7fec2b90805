"""Read the files of an upload, together: events, whose names they hold, where they belong, and what is unsure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.event_files.reader import FileEvent
from league.models import ImportDraft, ImportFile
from league.names.near import Known
from league.names.understanding import Aliases, Person, Understood, read_answers, understand
from league.problems import Problem
from league.queries import count_evenings, players_by_key
from league.questions import Choice, Question, by_question
from league.services.import_seasons import choose_seasons
from league.tables.columns import CHOSEN
from league.tables.meanings import Meaning, heading_key
from league.tables.reading import FileRead, read_file

MEANING, CELL, ROW = "meaning:", "cell:", "row:"


@dataclass(frozen=True)
class ReadFile:
    """A file of an upload; answers about it begin with its prefix, which the first file has not."""

    name: str
    prefix: str
    read: FileRead

    def index_of(self, column: str) -> int | None:
        """Find the column that a problem is about, in a file of one table."""
        if len(self.read.tables) != 1:
            return None
        return next((c.index for c in self.read.tables[0].layout.columns if c.meaning == column), None)

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

    @property
    def n_entries(self) -> int:
        return sum(len(event.entries) for event in self.events)

    @property
    def n_open(self) -> int:
        """How many questions wait for an answer."""
        return sum(not question.answer for question in self.questions)


def read_draft(draft: ImportDraft) -> DraftRead:
    """Read the files of a draft, which was read with season and club, by the answers stored with it."""
    known = players_by_key(draft.season.club)
    files = _read_files(draft, known)
    events = [event for file in files for event in file.read.events]
    names = _understood(draft, events, known)
    named = [_with_names(event, names) for event in events]
    placed, questions = choose_seasons(draft.season, named, by_question(draft.answers))
    n_people = len({person.player_id or person.name for person in names.people.values()})
    return DraftRead(
        files=tuple(files),
        events=tuple(placed),
        problems=tuple(problem for file in files for problem in file.read.problems),
        questions=(*_of_files(files), *questions, *names.questions, *_mended(draft.answers)),
        guests=tuple(names.guests),
        n_known=n_people - len(names.guests),
        aliases=names.aliases,
    )


def _read_files(draft: ImportDraft, known: Known) -> list[ReadFile]:
    stored = list(draft.files.all())
    remembered = _remembered(draft)
    answers = by_question(draft.answers)
    files = []
    for number, file in enumerate(stored, start=1):
        prefix = f"{number}#" if number > 1 else ""
        read = _read(file, draft, known, remembered, _answers_of(answers, prefix))
        files.append(ReadFile(file.name, prefix, _with_name(file.name, read) if len(stored) > 1 else read))
    return files


def _answers_of(answers: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {
        question.removeprefix(prefix): value
        for question, value in answers.items()
        if question.startswith(prefix)
    }


def _read(
    file: ImportFile,
    draft: ImportDraft,
    known: Known,
    remembered: Mapping[str, Meaning],
    answers: Mapping[str, str],
) -> FileRead:
    chosen = {
        int(question.removeprefix(MEANING)): Meaning(value)
        for question, value in answers.items()
        if question.startswith(MEANING)
        and question.removeprefix(MEANING).isdecimal()
        and value in set(Meaning)
    }
    return read_file(
        bytes(file.data),
        file.name,
        tz=draft.season.club.tz,
        answers=answers,
        chosen=chosen,
        remembered=remembered,
        known=known,
    )


def _remembered(draft: ImportDraft) -> dict[str, Meaning]:
    rows = draft.season.club.column_meanings.values_list("heading", "meaning")
    return {heading: Meaning(meaning) for heading, meaning in rows if meaning in set(Meaning)}


def _with_name(name: str, read: FileRead) -> FileRead:
    """Say in each event, problem and warning which file it is of."""
    return replace(
        read,
        events=tuple(replace(event, file=name) for event in read.events),
        problems=tuple(replace(problem, file=name) for problem in read.problems),
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
        kind, _colon, where = question.rpartition("#")[2].partition(":")
        line = where.partition(":")[0]
        if f"{kind}:" == CELL:
            questions.append(_answered(question, _("Line %(line)s, mended:") % {"line": line}, value, value))
        elif f"{kind}:" == ROW:
            questions.append(_answered(question, _("Line %(line)s:") % {"line": line}, value, _("left out")))
    return questions


def _answered(question: str, text: str, value: str, label: str) -> Question:
    return Question(question, text, "", (Choice(value, label),), value)


def _understood(draft: ImportDraft, events: list[FileEvent], known: Known) -> Understood:
    evenings = [[entry.name for entry in event.entries] for event in events]
    return understand(
        (name for evening in evenings for name in evening),
        known,
        read_answers(draft.answers),
        evenings=evenings,
        count_evenings=count_evenings,
    )


def _with_names(event: FileEvent, names: Understood) -> FileEvent:
    entries = (replace(entry, name=names.name_of(entry.name)) for entry in event.entries)
    return replace(event, entries=tuple(entries))
