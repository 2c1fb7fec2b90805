"""Read one line of a finishing order: its names, their marks, and errors."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from decimal import Decimal
from functools import cached_property

from django.utils.translation import gettext as _

from reading.amounts import Amounts
from reading.finishing_order.marks import (
    CIRCLED,
    FIGURE,
    NUMBERING,
    PLACE,
    QUOTED,
    QUOTES,
    TOKENS,
    names_within,
    quoted,
    split_ties,
    unquoted,
)
from reading.names.keys import name_key
from reading.names.rules import clean_name, invisible_at, name_problem

LINE_END = re.compile(r"\r\n|\r|\n")
MAX_ENTRIES_OF_ONE = 20
# Marks among the tokens after a name.
NUMBER = re.compile(r"\s*#\d+")
CHOP = re.compile(r"\s*(?:chop|チョップ)", re.IGNORECASE)


@dataclass(frozen=True)
class Fix:
    """A correction offered beside a line: a label, and the new text of the line (None removes the line)."""

    label: str
    line: int
    text: str | None


@dataclass(frozen=True)
class Finisher:
    """One name of a finishing order. `number` is set only for an earlier entry with a known place.

    `typed` is the name as it was typed, `spelt` the same with its quotes; `name` is that of the player meant.
    """

    line: int
    name: str
    typed: str = ""
    spelt: str = ""
    n_entries: int = 1
    number: int | None = None
    clock: time | None = None
    arrival: time | None = None
    is_chop: bool = False
    knockouts: int | None = None
    cost: Decimal | None = None
    score: Decimal | None = None
    balance: Decimal | None = None
    amounts: Amounts | None = None
    is_new: bool = False
    tokens: str = ""  # the marks after the name, as typed
    player_id: int | None = None
    is_asked: bool = False  # whose name it is
    place: int = 0
    busted_at: datetime | None = None
    registered_at: datetime | None = None
    position: int = 0  # in its line, from 0

    @property
    def ref(self) -> str:
        """Address the name in its text: "LINE.POSITION"."""
        return f"{self.line}.{self.position}"

    @cached_property
    def key(self) -> str:
        """The key of the name."""
        return name_key(self.name)

    @property
    def is_renamed(self) -> bool:
        """Tell whether another name of the player was typed."""
        return self.key != name_key(self.typed)

    @property
    def is_quoted(self) -> bool:
        return self.typed != self.spelt

    @property
    def written(self) -> str:
        """Write the name and its marks as they were typed, without a place before it."""
        return self.spelt + self.tokens


@dataclass(frozen=True)
class Line:
    """One line as the site reads it, with its error or question."""

    number: int
    text: str
    finishers: tuple[Finisher, ...] = ()
    joins_above: bool = False
    error: str = ""
    question: str = ""
    fixes: tuple[Fix, ...] = ()
    written_place: int | None = None  # the number before the name, which is not part of it
    asks_first: bool = False  # its question is about the line itself, which no tool may change before
    left_out: str = ""  # why the line is no player
    label: str = ""  # what stood before the name: "first" or "last" out
    remark: str = ""  # what stood beside the name and is not used

    @property
    def is_asked(self) -> bool:
        return any(finisher.is_asked for finisher in self.finishers)

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


def lines_of(text: str) -> list[str]:
    """Split a text at line ends only; splitlines also splits at characters that are invisible inside a name."""
    lines = LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def read_line(number: int, raw: str, known: Mapping[str, object]) -> Line:
    text = unicodedata.normalize("NFKC", CIRCLED.sub("", raw)).strip()
    if not text:
        return Line(number, "")
    if invisible := _invisible_at(text):
        return _invisible_error(number, text, invisible)
    numbered = _name_column(text)
    text = _without_place(numbered, known)
    joins_above = text.startswith("=")
    finishers = _read_names(number, text.removeprefix("=").strip(), known)
    line = Line(number, text, finishers, joins_above, written_place=_written_place(raw, numbered, text))
    errors = ((finisher, error) for finisher in finishers if (error := _finisher_error(finisher, known)))
    finisher, error = next(errors, (None, ""))
    return replace(line, error=error, fixes=_fixes(line, finisher)) if finisher else line


def as_written(name: str) -> str:
    """Write a name so that it is read as it is: in quotes if it looks like marks or several names."""
    lines = (read_line(0, f"{name}{mark}", {}) for mark in ("", " x2"))
    read = [
        [finisher.typed for finisher in line.finishers]
        for line in lines
        if not (line.error or line.joins_above)
    ]
    return name if read == [[name], [name]] else quoted(name)


def _fixes(line: Line, wrong: Finisher) -> tuple[Fix, ...]:
    """Offer corrections of a name that is missing, not closed by its quote, or too long because it is several."""
    if _is_quote_open(wrong):
        text = f"{wrong.spelt}{wrong.tokens}{wrong.spelt[0]}"
        return (Fix(_("Close it"), line.number, replace_name(line, wrong, text)),)
    if len(several := names_within(wrong.name)) > 1:
        text = replace_name(line, wrong, "\n".join(several) + wrong.tokens)
        return (Fix(_("One name a line"), line.number, text),)
    if wrong.name:
        return ()
    if wrong.tokens:
        text = replace_name(line, wrong, quoted(wrong.tokens.strip()))
        return (Fix(_("It is a name"), line.number, text),)
    texts = [finisher.written for finisher in line.finishers]
    if named := " = ".join(filter(None, texts)):
        return (Fix(_("Without ="), line.number, "= " * line.joins_above + named),)
    return (Fix(_("Leave out"), line.number, None),)


def _invisible_at(text: str) -> list[int]:
    return [i for i in invisible_at(text) if text[i] != "\t"]


def _invisible_error(number: int, text: str, invisible: Sequence[int]) -> Line:
    """Report an invisible character; offer two lines if it is a line break in other programs."""
    clean = "".join(" " * char.isspace() if i in invisible else char for i, char in enumerate(text))
    fixes = [Fix(_("Remove it"), number, clean.strip() or None)]
    if len(parts := text.splitlines()) > 1:
        fixes.append(Fix(_("Begin a new line"), number, "\n".join(parts)))
    error = _("There is an invisible control character in this line.")
    return Line(number, clean, error=error, fixes=tuple(fixes))


def _name_column(text: str) -> str:
    """Remove the cells with figures (places, points) from a row of a pasted table."""
    cells = text.split("\t")
    return " ".join(cell for cell in cells if not FIGURE.match(cell.strip())) if len(cells) > 1 else text


def _without_place(text: str, known: Mapping[str, object]) -> str:
    """Remove a place before the name, unless it is part of the name of a known player or a guest marked new."""
    for place in (NUMBERING, PLACE):
        own = _read_name(0, split_ties(text)[0], known)
        if own.is_new or name_key(own.name) in known:
            return text
        text = place.sub("", text)
    return text


def _written_place(raw: str, numbered: str, text: str) -> int | None:
    """Find the place that was written before a name and left out of it; None if there was none."""
    if circled := CIRCLED.match(raw):
        return int(unicodedata.numeric(circled[0].strip()))
    digits = re.search(r"\d{1,4}", numbered.removesuffix(text)) if numbered != text else None
    return int(digits[0]) if digits else None


def _read_names(line: int, text: str, known: Mapping[str, object]) -> tuple[Finisher, ...]:
    """Read the names of a line; a known player's name may have the sign of a tie in it."""
    whole = _read_name(line, text, known)
    if "=" in whole.name and name_key(whole.name) in known:
        return (whole,)
    return tuple(
        replace(_read_name(line, part, known), position=position)
        for position, part in enumerate(split_ties(text))
    )


def _read_name(line: int, text: str, known: Mapping[str, object]) -> Finisher:
    """Read a name with its marks. A known player's name may look like another name with marks."""
    if opening := QUOTED.match(text):
        rest = _read_marks(line, text[opening.end() :], {})
        if not rest.name:
            name = clean_name(unquoted(opening[0].strip()))
            return replace(rest, name=name, typed=name, spelt=opening[0], tokens=text[opening.end() :])
    finisher = _read_marks(line, text, {})
    return finisher if finisher.key in known else _read_marks(line, text, known)


def _read_marks(line: int, text: str, known: Mapping[str, object]) -> Finisher:
    """Take off the marks at the end until a known name is left, or none is left."""
    values: dict[str, str] = {}
    name = text
    while name_key(name) not in known and (match := _last_mark(name, values)):
        token, hit = match
        values[token] = hit[1]
        name = name[: hit.start()]
    return Finisher(
        line,
        clean_name(name),
        typed=clean_name(name),
        spelt=clean_name(name),
        n_entries=int(values.get("n_entries", 1)),
        number=int(values["number"]) if "number" in values else None,
        clock=_read_clock(values["clock"]) if "clock" in values else None,
        arrival=_read_clock(values["arrival"]) if "arrival" in values else None,
        is_chop="is_chop" in values,
        knockouts=int(values["knockouts"]) if "knockouts" in values else None,
        cost=Decimal(values["cost"]) if "cost" in values else None,
        score=_read_signed(values["score"]) if "score" in values else None,
        balance=_read_signed(values["balance"]) if "balance" in values else None,
        is_new="is_new" in values,
        tokens=text[len(name) :],
    )


def _last_mark(text: str, found: Collection[str]) -> tuple[str, re.Match[str]] | None:
    marks = ((token, pattern.search(text)) for token, pattern in TOKENS if token not in found)
    return next(((token, hit) for token, hit in marks if hit), None)


def _is_quote_open(finisher: Finisher) -> bool:
    spelt = finisher.spelt
    return bool(spelt) and spelt[0] in QUOTES and not any(sign in QUOTES for sign in spelt[1:])


def _read_signed(text: str) -> Decimal:
    return Decimal(text.replace("−", "-"))


def _read_clock(text: str) -> time | None:
    hours, minutes = map(int, text.split(":"))
    # Times after midnight are often written as 24:30 or 25:10.
    return time(hours % 24, minutes) if hours < 30 and minutes < 60 else time.max  # noqa: PLR2004


def _name_error(finisher: Finisher, known: Collection[str]) -> str | None:
    if finisher.key in known:
        return None
    is_open = _is_quote_open(finisher)
    return _("The quote before the name is not closed.") if is_open else name_problem(finisher.name)


def _finisher_error(finisher: Finisher, known: Collection[str]) -> str | None:
    if problem := _name_error(finisher, known):
        return problem
    if not 1 <= finisher.n_entries <= MAX_ENTRIES_OF_ONE:
        return _("%(n)d entries: write x1 to x%(most)d.") % {
            "n": finisher.n_entries,
            "most": MAX_ENTRIES_OF_ONE,
        }
    if finisher.number is not None and not 1 <= finisher.number < MAX_ENTRIES_OF_ONE:
        return _("#%(n)d is no entry number: write #1 for the first entry.") % {"n": finisher.number}
    if finisher.clock == time.max:
        return _("The time after @ is no time of day: write it like @21:40.")
    if finisher.arrival == time.max:
        return _("The time after “in” is no time of day: write it like in 20:15.")
    return None


def replace_name(line: Line, changed: Finisher, text: str) -> str:
    """Write the line with another text in place of one name and its marks."""
    parts = [text if finisher is changed else finisher.written for finisher in line.finishers]
    return ("= " if line.joins_above else "") + " = ".join(parts)


def replace_mark(line: Line, changed: Finisher, mark: re.Pattern[str], new: str) -> str:
    """Write the line with another mark, or none, in place of one mark of a name."""
    return replace_name(line, changed, changed.spelt + mark.sub(new, changed.tokens))
