"""One line of a finishing order: the names in it, their marks, and what is wrong with them or doubtful."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from decimal import Decimal

from django.utils.translation import gettext as _

from league.finishing_order.names import (
    CIRCLED,
    FIGURE,
    NUMBERING,
    PLACE,
    TOKENS,
    clean_name,
    name_problem,
    names_within,
)
from league.models.player import name_key

LINE_END = re.compile(r"\r\n|\r|\n")
MAX_ENTRIES_OF_ONE = 20
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@dataclass(frozen=True)
class Fix:
    """A remedy offered beside a line: a label, and what the line becomes (None: it is left out)."""

    label: str
    line: int
    text: str | None


@dataclass(frozen=True)
class Finisher:
    """One name of the text. `number` is set only for an earlier entry with a known place."""

    line: int
    name: str
    n_entries: int = 1
    number: int | None = None
    clock: time | None = None
    knockouts: int | None = None
    cost: Decimal | None = None
    is_new: bool = False
    tokens: str = ""  # what stood behind the name, as typed
    player_id: int | None = None
    place: int = 0
    busted_at: datetime | None = None


@dataclass(frozen=True)
class Line:
    """What the site reads in one line, and what is wrong with it."""

    number: int
    text: str
    finishers: tuple[Finisher, ...] = ()
    joins_above: bool = False
    error: str = ""
    question: str = ""
    fixes: tuple[Fix, ...] = ()

    @property
    def is_blank(self) -> bool:
        return not self.text.strip()


def lines_of(text: str) -> list[str]:
    """Not by splitlines: what it also splits at is invisible inside a name."""
    lines = LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def read_line(number: int, raw: str, known: Mapping[str, object]) -> Line:
    text = unicodedata.normalize("NFKC", CIRCLED.sub("", raw)).strip()
    if not text:
        return Line(number, "")
    if any(_is_invisible(char) for char in text):
        return _invisible(number, text)
    text = _without_place(_name_column(NUMBERING.sub("", text)), known)
    joins_above = text.startswith("=")
    parts = [part.strip() for part in text.removeprefix("=").split("=")]
    finishers = tuple(_read_name(number, part) for part in parts)
    line = Line(number, text, finishers, joins_above)
    wrong = ((it, problem) for it in finishers if (problem := _finisher_problem(it)))
    finisher, problem = next(wrong, (None, ""))
    return replace(line, error=problem, fixes=_remedies(line, finisher)) if finisher else line


def _remedies(line: Line, wrong: Finisher) -> tuple[Fix, ...]:
    """For a name that is missing, or is too long because it is several."""
    if len(several := names_within(wrong.name)) > 1:
        text = retold(line, wrong, "\n".join(several) + wrong.tokens)
        return (Fix(_("One name a line"), line.number, text),)
    if wrong.name or wrong.tokens:
        return ()
    named = " = ".join(f"{it.name}{it.tokens}" for it in line.finishers if it.name or it.tokens)
    if named:
        return (Fix(_("Without ="), line.number, "= " * line.joins_above + named),)
    return (Fix(_("Leave out"), line.number, None),)


def _is_invisible(char: str) -> bool:
    """Of controls, formats and breaks of lines and paragraphs all but the tab."""
    return char != "\t" and unicodedata.category(char) in INVISIBLE


def _invisible(number: int, text: str) -> Line:
    """With two lines as a remedy where the character breaks them elsewhere, as in a word processor."""
    clean = "".join(" " * char.isspace() if _is_invisible(char) else char for char in text)
    fixes = [Fix(_("Remove it"), number, clean.strip() or None)]
    if len(broken := text.splitlines()) > 1:
        fixes.append(Fix(_("Begin a new line"), number, "\n".join(broken)))
    error = _("There is an invisible control character in this line.")
    return Line(number, clean, error=error, fixes=tuple(fixes))


def _name_column(text: str) -> str:
    """A row of a table without its figures (places, points): they are no part of a name."""
    cells = text.split("\t")
    return " ".join(cell for cell in cells if not FIGURE.match(cell.strip())) if len(cells) > 1 else text


def _without_place(text: str, known: Mapping[str, object]) -> str:
    """Unless somebody is called so: a player of the club, or a guest said to be new."""
    own = _read_name(0, text.partition("=")[0])
    return text if own.is_new or name_key(own.name) in known else PLACE.sub("", text)


def _read_name(line: int, text: str) -> Finisher:
    found: dict[str, str] = {}
    name = text
    while match := next(
        ((token, hit) for token, pattern in TOKENS if token not in found and (hit := pattern.search(name))),
        None,
    ):
        token, hit = match
        found[token] = hit[1]
        name = name[: hit.start()]
    return Finisher(
        line,
        clean_name(name),
        n_entries=int(found.get("n_entries", 1)),
        number=int(found["number"]) if "number" in found else None,
        clock=_read_clock(found["clock"]) if "clock" in found else None,
        knockouts=int(found["knockouts"]) if "knockouts" in found else None,
        cost=Decimal(found["cost"]) if "cost" in found else None,
        is_new="is_new" in found,
        tokens=text[len(name) :],
    )


def _read_clock(text: str) -> time | None:
    hours, minutes = map(int, text.split(":"))
    # 24:30 and 25:10 are how an evening past midnight is often written down.
    return time(hours % 24, minutes) if hours < 30 and minutes < 60 else time.max  # noqa: PLR2004


def _finisher_problem(finisher: Finisher) -> str | None:
    if problem := name_problem(finisher.name):
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
    return None


def retold(line: Line, changed: Finisher, text: str) -> str:
    """The line with another text in the place of one of its names and its marks."""
    parts = [text if it is changed else f"{it.name}{it.tokens}" for it in line.finishers]
    return ("= " if line.joins_above else "") + " = ".join(parts)


def renumbered(line: Line, changed: Finisher, mark: str) -> str:
    """The line with another mark, or none, in the place of the # of one of its names."""
    return retold(line, changed, changed.name + re.sub(r"\s*#\d+", mark, changed.tokens))
