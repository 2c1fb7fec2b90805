"""Read a finishing order as an organizer types or pastes it, line by line: one name a line, the winner first.

* `Fenwick = Gaspard`, or a line that begins with `=`: a tie.
* `Bramble x2`: two entries; `Bramble #1`: an earlier entry with a known place.
* `Marlow @21:40`: the time of the bust; `Marlow in 20:15`: the time of a late registration.
* `Fenwick = Gaspard chop`: a tie that was agreed upon, which is saved as a tie.
* `Marlow ko3 cost 60`: three knock-outs and what was paid.
* `Bonner score 45200`, `Bonner balance -12.5`: what a table says that was pasted.
* `Pilcro (new)`: a guest whose name resembles another's.
* `"Ada #1"`: a name that looks like a name with marks.

Places before names and the figures of a pasted table are ignored. Nothing here reads the database.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reading.finishing_order.lines import (
    CHOP,
    NUMBER,
    Finisher,
    Fix,
    Line,
    lines_of,
    replace_mark,
    replace_name,
)
from reading.finishing_order.marks import is_unread_mark, names_within, repair_mark
from reading.finishing_order.messages import read_lines
from reading.finishing_order.times import check_arrivals, check_busts, give_times
from reading.names.keys import name_key
from reading.names.near import Known
from reading.names.understanding import CountEvenings, Understood, no_evenings, understand

MAX_LINES = 5_000
Seen = dict[tuple[str, int | None], Line]  # the line of each name key and entry number (None: the last entry)


@dataclass(frozen=True)
class FinishingOrder:
    lines: tuple[Line, ...]
    error: str = ""  # of the text as a whole
    finishers: tuple[Finisher, ...] = field(default=())
    understood: Understood = field(default_factory=Understood)
    runs_backwards: bool = False  # the list says that the winner stands last

    @property
    def is_ready(self) -> bool:
        is_read = not any(line.error or line.question for line in self.lines)
        return is_read and not (self.error or self.understood.n_open or self.runs_backwards)

    @property
    def shown_lines(self) -> list[Line]:
        return [line for line in self.lines if not line.is_blank]

    @property
    def n_players(self) -> int:
        return sum(finisher.number is None for finisher in self.finishers)

    @property
    def n_entries(self) -> int:
        return sum(n_entries_of(self.finishers).values())


def n_entries_of(finishers: Sequence[Finisher]) -> dict[str, int]:
    """Count entries by name key: the stated number, or one more than the highest earlier entry."""
    counts: dict[str, int] = {}
    for finisher in finishers:
        stated = finisher.n_entries if finisher.number is None else finisher.number + 1
        key = finisher.key
        counts[key] = max(counts.get(key, 1), stated)
    return counts


def read_finishing_order(
    text: str,
    *,
    known: Known,
    starts_at: datetime,
    closes_at: datetime | None = None,
    answers: Mapping[str, str] | None = None,
    count_evenings: CountEvenings = no_evenings,
) -> FinishingOrder:
    """Read a text. `known` gives (player id, name) by name key; `starts_at` is in the club's time zone.

    `closes_at` is when registration closed; `answers` are those to questions about names
    (reading.names.understanding).
    """
    raw_lines = lines_of(text)
    if len(raw_lines) > MAX_LINES:
        error = _("%(lines)d lines are more than an event can have: %(most)d is the most.") % {
            "lines": len(raw_lines),
            "most": MAX_LINES,
        }
        return FinishingOrder(lines=(), error=error)
    lines = [_ask_about_marks(line, known) for line in read_lines(raw_lines, known)]
    runs_backwards = _runs_backwards(lines)
    order = order_of_lines(
        lines if runs_backwards else _ask_about_places(lines),
        known=known,
        starts_at=starts_at,
        closes_at=closes_at,
        answers=answers or {},
        count_evenings=count_evenings,
    )
    return replace(order, runs_backwards=runs_backwards)


def _runs_backwards(lines: Sequence[Line]) -> bool:
    """Tell whether places or words like "Winner:" show that a list ends with the winner."""
    players = [line for line in lines if line.finishers and not line.joins_above]
    places = [line.written_place for line in players if line.written_place]
    if len(players) < 2:  # noqa: PLR2004
        return False
    falls = len(places) > 1 and all(one > other for one, other in pairwise(places))
    is_last_above = any(line.label == "last" for line in players[:-1])
    return falls or is_last_above or players[-1].label == "first"


def turned_round(text: str, known: Mapping[str, object]) -> str:
    """Reverse a list that runs from last to first; keep ties together, move non-player lines to the end."""
    groups: list[list[str]] = []
    others = []
    for line, raw in zip(read_lines(lines_of(text), known), lines_of(text), strict=True):
        if line.left_out or line.is_blank:
            others.append(raw)
        elif line.joins_above and groups:
            groups[-1].append(raw)
        else:
            groups.append([raw])
    return "\n".join([*(raw for group in reversed(groups) for raw in group), *filter(str.strip, others)])


def without_places(text: str, known: Mapping[str, object]) -> str:
    """Write a list without the places and labels before its names, so that the order of the lines counts."""
    lines = read_lines(lines_of(text), known)
    return "\n".join(line.text for line in lines if not line.left_out and not line.is_blank)


def _ask_about_places(lines: Sequence[Line]) -> list[Line]:
    """Ask about a written place that is not the next one: the order of the lines alone would lose a tie or a gap."""
    above, n_above, asked = 0, 0, []
    for line in lines:
        place = line.written_place
        if place is None or line.error or line.question or line.joins_above:
            asked.append(line)
        elif line.label == "first" and n_above:
            asked.append(_ask_about_place(line, _("“%(name)s” is said to have won."), n_above))
        elif place == above:
            asked.append(_ask_about_tie(line, place, n_above))
        elif place < above:
            question = _("Place %(place)d is written below place %(above)d. Here the winner stands first.")
            asked.append(_ask_about_place(line, question, n_above, above=above))
        elif place > max(n_above + 1, above + 1):
            question = _("Place %(place)d is written, but the next one is %(next)d. Is a line missing?")
            asked.append(_ask_about_place(line, question, n_above))
        else:
            asked.append(line)
        above = place or above
        n_above = max(n_above + len(line.finishers), above if place else 0)
    return asked


def _ask_about_tie(line: Line, place: int, n_above: int) -> Line:
    question = _("Place %(place)d is written twice. Is it a tie?") % {"place": place}
    fixes = (
        Fix(_("Tie"), line.number, f"= {line.text}"),
        Fix(_("No"), line.number, f"{n_above + 1}. {line.text}"),
    )
    return replace(line, question=question, fixes=fixes)


def _ask_about_place(line: Line, question: str, n_above: int, **values: int) -> Line:
    """Ask about a place out of sequence; offer a fix that keeps the line where it is."""
    named = {"place": line.written_place, "next": n_above + 1, "name": line.text, **values}
    fix = Fix(_("It stands right"), line.number, f"{n_above + 1}. {line.text}")
    return replace(line, question=question % named, fixes=(fix,))


def order_of_lines(
    lines: Sequence[Line],
    *,
    known: Known,
    starts_at: datetime,
    closes_at: datetime | None,
    answers: Mapping[str, str],
    count_evenings: CountEvenings,
) -> FinishingOrder:
    """Put together the order of lines that have been read: persons, places and times, and what is wrong with them."""
    understood = _understand(lines, known, answers, count_evenings)
    lines = _mark_repeats(_give_people(lines, understood))
    lines = _give_places(lines)
    lines = check_busts(check_arrivals(give_times(lines, starts_at), starts_at, closes_at))
    lines = _mark_chops_without_tie(lines)
    finishers = tuple(finisher for line in lines if not line.error for finisher in line.finishers)
    return FinishingOrder(tuple(lines), _overall_error(lines, finishers), finishers, understood)


def apply_fix(text: str, fix: str) -> str:
    """Replace a line of the text; `fix` is "LINE:NEW TEXT", and an empty new text removes the line."""
    number, _sep, new = fix.partition(":")
    lines = lines_of(text)
    position = int(number) if number.isdecimal() and len(number) < 7 else 0  # noqa: PLR2004  MAX_LINES has four digits
    if not 1 <= position <= len(lines):
        return text
    lines[position - 1 : position] = [new] if new else []
    return "\n".join(lines)


def _overall_error(lines: Sequence[Line], finishers: Sequence[Finisher]) -> str:
    if any(line.error for line in lines):
        return ""
    if not finishers:
        return _("Type at least two names, the winner first.")
    if len({finisher.key for finisher in finishers}) == 1:
        return _("One player alone is no result: type at least two names.")
    return ""


def _mark_repeats(lines: Sequence[Line]) -> list[Line]:
    """Mark repeated names. A player's earlier entries may follow below the last one, written as #1, #2."""
    numbered_1 = {finisher.key for line in lines for finisher in line.finishers if finisher.number == 1}
    seen: Seen = {}
    n_above = 0
    marked = []
    for line in lines:
        marked.append(line if line.error else _mark_line(line, seen, numbered_1, is_first=not n_above))
        n_above += len(line.finishers)
    return marked


def _mark_line(line: Line, seen: Seen, numbered_1: set[str], *, is_first: bool) -> Line:
    """Mark a line with the first rule it breaks, and add its names to `seen`."""
    for finisher in line.finishers:
        marked = (
            _mark_repeat(line, finisher, seen)
            or _mark_missing_last(line, finisher, seen)
            or _mark_missing_first(line, finisher, numbered_1)
        )
        if marked:
            return marked
        seen[finisher.key, finisher.number] = line
    return _mark_tie_with_nobody(line) if line.joins_above and is_first else line


def _mark_repeat(line: Line, finisher: Finisher, seen: Seen) -> Line | None:
    if (repeat := seen.get((finisher.key, finisher.number))) is None:
        return None
    error = _("%(name)s already stands in line %(line)d.") % {"name": finisher.name, "line": repeat.number}
    return _wrong(line, error, Fix(_("Leave out"), line.number, None))


def _mark_missing_last(line: Line, finisher: Finisher, seen: Seen) -> Line | None:
    if finisher.number is None or (finisher.key, None) in seen:
        return None
    values = {"name": finisher.name, "n": finisher.number}
    error = _("%(name)s has an entry #%(n)d, but no last entry above it.") % values
    return _wrong(
        line, error, Fix(_("Without #%(n)d") % values, line.number, replace_mark(line, finisher, NUMBER, ""))
    )


def _mark_missing_first(line: Line, finisher: Finisher, numbered_1: set[str]) -> Line | None:
    if finisher.number in {None, 1} or finisher.key in numbered_1:
        return None
    values = {"name": finisher.name, "n": finisher.number}
    error = _("%(name)s has an entry #%(n)d, but no entry #1.") % values
    return _wrong(line, error, Fix("#1", line.number, replace_mark(line, finisher, NUMBER, " #1")))


def _mark_tie_with_nobody(line: Line) -> Line:
    error = _("There is no line above to share a place with.")
    return _wrong(line, error, Fix(_("Without ="), line.number, line.text.removeprefix("=").strip()))


def _wrong(line: Line, error: str, fix: Fix) -> Line:
    return replace(line, error=error, question="", fixes=(fix,))


def _ask_about_marks(line: Line, known: Known) -> Line:
    """Ask about the first unknown name of a line that looks like a name with marks."""
    for finisher in () if line.error else line.finishers:
        if finisher.is_new or finisher.is_quoted or finisher.key in known:
            continue
        question, replacements = _question(finisher.name)
        if question:
            replacements = [*replacements, (_("New guest"), f"{finisher.name} (new)")]
            fixes = (
                Fix(label, line.number, replace_name(line, finisher, f"{name}{finisher.tokens}"))
                for label, name in replacements
            )
            return replace(line, question=question, fixes=tuple(fixes))
    return line


def _question(name: str) -> tuple[str, list[tuple[str, str]]]:
    """Ask about a doubtful name; offer replacements, each a label and the new name."""
    if is_unread_mark(name):
        question = _("Is “%(typed)s” a name? Marks are written like x2, #1, @21:40, ko3, cost 12.50.")
        return question % {"typed": name}, []
    if meant := repair_mark(name):
        return _("%(meant)s, written “%(typed)s”?") % {"meant": meant, "typed": name}, [(_("Yes"), meant)]
    if len(several := names_within(name)) > 1:
        return _("Is “%(typed)s” one name?") % {"typed": name}, [(_("One name a line"), "\n".join(several))]
    return "", []


def _understand(
    lines: Iterable[Line], known: Known, answers: Mapping[str, str], count_evenings: CountEvenings
) -> Understood:
    """Find whose names stand in the lines; a line with another question has its turn after it."""
    finishers = [
        finisher for line in lines if not line.error and not line.question for finisher in line.finishers
    ]
    names = [finisher.typed for finisher in finishers]
    sure = {name_key(finisher.typed) for finisher in finishers if finisher.is_new}
    return understand(names, known, answers, sure=sure, count_evenings=count_evenings)


def _give_people(lines: Iterable[Line], understood: Understood) -> list[Line]:
    """Give the names the players that are meant."""
    asked = understood.open_keys

    def given(finisher: Finisher) -> Finisher:
        key = name_key(finisher.typed)
        person = understood.people.get(key)
        if person and (person.player_id or name_key(person.name) != key):
            return replace(finisher, player_id=person.player_id, name=person.name)
        return replace(finisher, is_asked=key in asked)

    return [replace(line, finishers=tuple(map(given, line.finishers))) for line in lines]


def _give_places(lines: Sequence[Line]) -> list[Line]:
    """Set the places: tied players share one, and the next is skipped (1, 2, 2, 4)."""
    place, n_above = 0, 0
    placed = []
    for line in lines:
        if line.error or line.is_blank or line.left_out:
            placed.append(line)
            continue
        if not line.joins_above:
            place = n_above + 1
        n_above += len(line.finishers)
        finishers = tuple(replace(finisher, place=place) for finisher in line.finishers)
        placed.append(replace(line, finishers=finishers))
    return placed


def _mark_chops_without_tie(lines: Sequence[Line]) -> list[Line]:
    """Mark each chop of a player who is tied with nobody: sharing prizes requires a shared place."""
    tied = Counter(finisher.place for line in lines if not line.error for finisher in line.finishers)
    return [_mark_chop(line) if _chops_alone(line, tied) else line for line in lines]


def _chops_alone(line: Line, tied: Mapping[int, int]) -> bool:
    return not line.error and any(
        finisher.is_chop and tied[finisher.place] == 1 for finisher in line.finishers
    )


def _mark_chop(line: Line) -> Line:
    [finisher] = line.finishers
    error = _("A chop is a tie of two or more: write Lark = Drake chop.")
    fix = Fix(_("Without chop"), line.number, replace_mark(line, finisher, CHOP, ""))
    return replace(line, error=error, fixes=(fix,))


def describe(order: FinishingOrder) -> str:
    """Count players and entries in a sentence for the foot of the form."""
    n_players, n_entries = order.n_players, order.n_entries
    players = ngettext("%(n)d player", "%(n)d players", n_players) % {"n": n_players}
    entries = ngettext("%(n)d entry", "%(n)d entries", n_entries) % {"n": n_entries}
    return _("%(players)s, %(entries)s.") % {"players": players, "entries": entries}
