"""Read the files of an upload, together: events, whose names they hold, where they belong, and what is unsure."""

from dataclasses import dataclass, replace

from league.problems import Problem
from league.event_files.reader import EventFile, FileEvent, decode, read_event_file
from league.models import ImportDraft
from league.names.understanding import Aliases, Person, Understood, read_answers, understand
from league.queries import count_evenings, players_by_key
from league.questions import Question, by_question
from league.services.import_seasons import choose_seasons


@dataclass(frozen=True)
class DraftRead:
    """What was read of an upload; names are those of the players that are meant."""

    events: tuple[FileEvent, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]
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
    files = _read_files(draft)
    events = [event for file in files for event in file.events]
    names = _understood(draft, events)
    named = [_with_names(event, names) for event in events]
    placed, questions = choose_seasons(draft.season, named, by_question(draft.answers))
    n_people = len({person.player_id or person.name for person in names.people.values()})
    return DraftRead(
        events=tuple(placed),
        problems=tuple(problem for file in files for problem in file.problems),
        warnings=tuple(warning for file in files for warning in file.warnings),
        questions=(*questions, *names.questions),
        guests=tuple(names.guests),
        n_known=n_people - len(names.guests),
        aliases=names.aliases,
    )


def _read_files(draft: ImportDraft) -> list[EventFile]:
    stored = list(draft.files.all())
    tz = draft.season.club.tz
    files = [(file.name, read_event_file(decode(bytes(file.data)), tz=tz)) for file in stored]
    if len(files) == 1:
        return [files[0][1]]
    return [_with_file_name(name, file) for name, file in files]


def _with_file_name(name: str, file: EventFile) -> EventFile:
    """Say in each event, problem and warning which file it is of."""
    return EventFile(
        tuple(replace(event, file=name) for event in file.events),
        tuple(replace(problem, file=name) for problem in file.problems),
        tuple(f"{name}: {warning}" for warning in file.warnings),
    )


def _understood(draft: ImportDraft, events: list[FileEvent]) -> Understood:
    evenings = [[entry.name for entry in event.entries] for event in events]
    return understand(
        (name for evening in evenings for name in evening),
        players_by_key(draft.season.club),
        read_answers(draft.answers),
        evenings=evenings,
        count_evenings=count_evenings,
    )


def _with_names(event: FileEvent, names: Understood) -> FileEvent:
    entries = (replace(entry, name=names.name_of(entry.name)) for entry in event.entries)
    return replace(event, entries=tuple(entries))
