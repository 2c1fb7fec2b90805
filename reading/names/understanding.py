"""Say whose names a text holds: those of known players, those of new ones, and those that are asked about."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import unquote

from reading.names.keys import name_key
from reading.names.near import Doubt, Known, Suggestion, doubts
from reading.names.sentences import NEW, OTHER, PREFIX, question_about
from reading.questions import Question

Aliases = Mapping[str, int | str]  # by typed name: the id of a player, or the name of a new one
NO_ALIASES: Aliases = MappingProxyType({})
CountEvenings = Callable[[Collection[int]], Mapping[int, int]]  # of players, by id


@dataclass(frozen=True)
class Person:
    """Whose name was typed. A new person has no id, and may have a name like another's."""

    player_id: int | None
    name: str
    like: str = ""

    @property
    def key(self) -> str:
        return name_key(self.name)


@dataclass(frozen=True)
class Understood:
    """The persons by the keys of the typed names, and the questions about them, answered ones included."""

    people: Mapping[str, Person] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    aliases: Aliases = field(default_factory=dict)

    @property
    def n_open(self) -> int:
        return sum(not question.is_answered for question in self.questions)

    @property
    def open_keys(self) -> set[str]:
        """The keys of the typed names that wait for an answer."""
        ids = (question.id for question in self.questions if not question.is_answered)
        return {name_key(question_id.removeprefix(PREFIX)) for question_id in ids}

    @property
    def guests(self) -> list[Person]:
        """The new persons, each once."""
        new = {name_key(person.name): person for person in self.people.values() if person.player_id is None}
        return list(new.values())

    def name_of(self, typed: str) -> str:
        """Find the name of the person that a typed name means."""
        person = self.people.get(name_key(typed))
        return person.name if person else typed


def no_evenings(_player_ids: Collection[int]) -> Mapping[int, int]:
    return {}


def read_answers(fields: Iterable[str]) -> dict[str, str]:
    """Map the keys of typed names to what was answered about them; the last answer counts."""
    pairs = (answer.removeprefix(PREFIX).rpartition("=") for answer in fields if answer.startswith(PREFIX))
    return {name_key(typed): value for typed, _sign, value in pairs}


def understand(
    typed: Iterable[str],
    known: Known,
    answers: Mapping[str, str],
    *,
    sure: Collection[str] = (),
    evenings: Iterable[Collection[str]] = (),
    count_evenings: CountEvenings = no_evenings,
) -> Understood:
    """Find whose names were typed. `sure` are keys of names that are new for certain and not asked about.

    `evenings` are the names of each event of a file; without them, all names are of one evening.
    """
    names: dict[str, str] = {}
    for name in typed:
        names.setdefault(name_key(name), name)
    doubted = {doubt.key: doubt for doubt in doubts(list(names.values()), known, evenings=evenings)}
    asked = {key: doubt for key, doubt in doubted.items() if key not in sure}
    reading = _Reading(names, known, count_evenings(_suggested(asked.values())))
    for key in names:
        reading.read(key, asked.get(key), "" if key in sure else answers.get(key, ""))
    return Understood(reading.people, tuple(reading.questions), reading.aliases)


def _suggested(doubted: Iterable[Doubt]) -> set[int]:
    found = (suggestion.player_id for doubt in doubted for suggestion in doubt.suggestions)
    return {player_id for player_id in found if player_id is not None}


class _Reading:
    """What is understood of a text so far."""

    def __init__(self, names: Mapping[str, str], known: Known, n_evenings: Mapping[int, int]) -> None:
        self.names, self.known, self.n_evenings = names, known, n_evenings
        self.name_of_player = dict(known.values())
        self.people: dict[str, Person] = {}
        self.questions: list[Question] = []
        self.aliases: dict[str, int | str] = {}

    def read(self, key: str, doubt: Doubt | None, answer: str) -> None:
        """Find the person of a typed name; the names above it have been read."""
        typed = self.names[key]
        if key in self.known:
            self.people[key] = Person(*self.known[key])
            return
        like = doubt.suggestions[0].name if doubt else ""
        chosen = self._chosen(answer)
        self.people[key] = chosen or Person(None, typed, like)
        if chosen and _is_remembered(chosen, doubt):
            self.aliases[typed] = chosen.player_id or chosen.name
        if doubt or chosen:
            given = answer if chosen or answer == NEW else ""
            suggestions = self._offered(doubt, given)
            self.questions.append(question_about(typed, suggestions, given, self.n_evenings))

    def _chosen(self, answer: str) -> Person | None:
        """Find the person that was chosen: a player, or the person of a name that stands above."""
        if _is_player(answer) and int(answer) in self.name_of_player:
            return Person(int(answer), self.name_of_player[int(answer)])
        return self.people.get(name_key(_other(answer)))

    def _offered(self, doubt: Doubt | None, answer: str) -> tuple[Suggestion, ...]:
        """List what was suggested, and what was chosen though nobody had suggested it."""
        suggestions = doubt.suggestions if doubt else ()
        chosen = Suggestion(None, _other(answer), "")
        if _is_player(answer):
            chosen = Suggestion(int(answer), self.name_of_player[int(answer)], "")
        offered = {(suggestion.player_id, name_key(suggestion.name)) for suggestion in suggestions}
        is_new = chosen.name and (chosen.player_id, name_key(chosen.name)) not in offered
        return (*suggestions, chosen) if is_new else suggestions


def _is_remembered(chosen: Person, doubt: Doubt | None) -> bool:
    suggestions = doubt.suggestions if doubt else ()
    return all(one.is_remembered for one in suggestions if one.player_id == chosen.player_id)


def _is_player(answer: str) -> bool:
    return answer.isascii() and answer.isdigit()


def _other(answer: str) -> str:
    """Read which other name of the text was chosen; empty if none was."""
    return unquote(answer.removeprefix(OTHER)) if answer.startswith(OTHER) else ""
