"""The state of a night while its log is gone through."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from live.engine.clock import Clock

Choices = Mapping[str, str]  # what the organizer chose, by question
FIRST, SECOND, IGNORE, YES, SET_BACK = "first", "second", "ignore", "yes", "set_back"
SEEN_BY_TWO = 120_000  # ms within which two phones record one fact


@dataclass
class Entry:
    """One buy-in: its id is that of the action that entered it. Sums are in the smallest unit of money."""

    id: str
    name: str
    key: str
    number: int
    player: int | None
    at_ms: int
    stack: int | None
    cost: int
    paid: int
    n_rebuys: int = 0
    n_addons: int = 0
    n_stacks: int = 0  # rebuys and add-ons of as many chips as a starting stack
    more_chips: int = 0  # of those that said how many
    cashed: int | None = None  # what a cash table gave back on leaving
    by: str | None = None  # who put it out
    by_device: str = ""
    seat: tuple[int, int] | None = None
    moved: str | None = None  # the move that brought it to its seat
    has_seen: bool = True  # the player has read the last move

    @property
    def owes(self) -> int:
        return self.cost - self.paid


@dataclass
class Exit:
    """Entries that went out together, who recorded it first, and on which devices it was seen.

    `gone_ms` is how much of the levels had gone then.
    """

    entries: list[str]
    at_ms: int
    action: str
    devices: list[str]
    gone_ms: int = 0


@dataclass(frozen=True)
class Question:
    """Ask what the log does not say by itself. `settled` is the choice of the organizer, or None."""

    id: str
    kind: str
    actions: tuple[str, ...]
    entries: tuple[str, ...]
    choices: tuple[str, ...]
    settled: str | None


@dataclass
class Ask:
    """A player who asks to be checked in, and the entry that came of it."""

    id: str
    name: str
    device: str
    player: int | None
    entry: str | None = None


@dataclass(frozen=True)
class Held:
    """An action that is not part of the log, and why."""

    id: str
    why: str


@dataclass
class Night:
    """Everything that a log says so far."""

    entries: dict[str, Entry] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)  # ids of entries recorded twice
    latest: dict[str, str] = field(
        default_factory=dict
    )  # the last entry of each player, by the key of the name
    numbered: dict[tuple[str, int], str] = field(default_factory=dict)  # entries by key and number
    exits: list[Exit] = field(default_factory=list)  # first out first
    exit_by_entry: dict[str, Exit] = field(default_factory=dict)
    asks: dict[str, Ask] = field(default_factory=dict)
    deal: dict[str, Any] | None = None
    clock: Clock | None = None
    started_at_ms: int | None = None  # when the clock was started first
    setup: dict[str, Any] = field(default_factory=dict)
    levels: list[dict[str, Any]] = field(default_factory=list)
    seed: dict[str, Any] = field(default_factory=dict)  # of the draw: its sha256
    # By table, as somebody said last: the entry, and when.
    big_blinds: dict[int, tuple[str, int]] = field(default_factory=dict)
    stacks: dict[str, int] = field(default_factory=dict)  # counted last, by entry
    envelopes: dict[str, int] = field(default_factory=dict)  # opened ones, by who was put out
    bonuses: list[dict[str, Any]] = field(default_factory=list)
    stage: str | None = None
    questions: list[Question] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    late: frozenset[str] = frozenset()  # touches of the clock that came after a later one was known
    is_cash: bool = False  # a cash table, as the last setup says
    moves: dict[str, Any] = field(default_factory=dict)  # moves of seats, by id
    says_out: dict[str, str] = field(default_factory=dict)  # entries whose players say that they are out

    def find(self, entry_id: str) -> Entry | None:
        return self.entries.get(self.aliases.get(entry_id, entry_id))

    def exit_of(self, entry: Entry) -> Exit | None:
        return self.exit_by_entry.get(entry.id)

    @property
    def still_in(self) -> list[Entry]:
        """List the entries that are in, in the order in which they came."""
        return [entry for entry in self.entries.values() if entry.id not in self.exit_by_entry]

    @property
    def n_in(self) -> int:
        return len(self.entries) - len(self.exit_by_entry)


def person_key(name: str) -> str:
    """Make what two recordings of one name share. JavaScript, which computes it too, has no case folding."""
    words = unicodedata.normalize("NFKC", name).lower().split(" ")
    return " ".join(word for word in words if word)


def ask(
    night: Night,
    kind: str,
    actions: Sequence[str],
    entries: Sequence[str],
    choices: Sequence[str],
    settled: Choices,
) -> str | None:
    """Add a question; return the choice that settled it."""
    name = ":".join([kind, *actions, *entries])
    chosen = settled.get(name)
    answer = chosen if chosen in choices else None
    night.questions.append(Question(name, kind, tuple(actions), tuple(entries), tuple(choices), answer))
    return answer
