"""Read one line of a finishing order: its names, their marks, and errors."""

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
# Marks among the tokens after a name.
NUMBER = re.compile(r"\s*#\d+")
CHOP = re.compile(r"\s*(?:chop|チョップ)", re.IGNORECASE)
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@dataclass(frozen=True)
class Fix:
    """A correction offered beside a line: a label, and the new text of the line (None removes the line)."""

    label: str
    line: int
    text: str | None


@dataclass(frozen=True)
class Finisher:
    """One name of a finishing order. `number` is set only for an earlier entry with a known place."""

    line: int
    name: str
    n_entries: int = 1
    number: int | None = None
    clock: time | None = None
    arrival: time | None = None
    is_chop: bool = False
    knockouts: int | None = None
    cost: Decimal | None = None
    is_new: bool = False
    tokens: str = ""  # the marks after the name, as typed
    player_id: int | None = None
    place: int = 0
    busted_at: datetime | None = None
    registered_at: datetime | None = None
    position: int = 0  # in its line, from 0

    @property
    def ref(self) -> str:
        """Address the name in its text: "LINE.POSITION"."""
        return f"{self.line}.{self.position}"

    @property
    def written(self) -> str:
        """Write the name and its marks as they were typed, without a place before it."""
        return self.name + self.tokens


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
    if any(_is_invisible(char) for char in text):
        return _invisible_error(number, text)
    text = _without_place(_name_column(NUMBERING.sub("", text)), known)
    joins_above = text.startswith("=")
    parts = [part.strip() for part in text.removeprefix("=").split("=")]
    finishers = tuple(
        replace(_read_name(number, part), position=position) for position, part in enumerate(parts)
    )
    line = Line(number, text, finishers, joins_above)
    errors = ((finisher, error) for finisher in finishers if (error := _finisher_error(finisher)))
    finisher, error = next(errors, (None, ""))
    return replace(line, error=error, fixes=_fixes(line, finisher)) if finisher else line


def _fixes(line: Line, wrong: Finisher) -> tuple[Fix, ...]:
    """Offer corrections of a name that is missing, or that is too long because it is several."""
    if len(several := names_within(wrong.name)) > 1:
        text = replace_name(line, wrong, "\n".join(several) + wrong.tokens)
        return (Fix(_("One name a line"), line.number, text),)
    if wrong.name or wrong.tokens:
        return ()
    texts = [finisher.written for finisher in line.finishers]
    if named := " = ".join(filter(None, texts)):
        return (Fix(_("Without ="), line.number, "= " * line.joins_above + named),)
    return (Fix(_("Leave out"), line.number, None),)


def _is_invisible(char: str) -> bool:
    """Whether a character is a control, a format or a break of lines or paragraphs, and no tab."""
    return char != "\t" and unicodedata.category(char) in INVISIBLE


def _invisible_error(number: int, text: str) -> Line:
    """Report an invisible character; offer two lines if it is a line break in other programs."""
    clean = "".join(" " * char.isspace() if _is_invisible(char) else char for char in text)
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
    own = _read_name(0, text.partition("=")[0])
    return text if own.is_new or name_key(own.name) in known else PLACE.sub("", text)


def _read_name(line: int, text: str) -> Finisher:
    values: dict[str, str] = {}
    name = text
    while match := next(
        ((token, hit) for token, pattern in TOKENS if token not in values and (hit := pattern.search(name))),
        None,
    ):
        token, hit = match
        values[token] = hit[1]
        name = name[: hit.start()]
    return Finisher(
        line,
        clean_name(name),
        n_entries=int(values.get("n_entries", 1)),
        number=int(values["number"]) if "number" in values else None,
        clock=_read_clock(values["clock"]) if "clock" in values else None,
        arrival=_read_clock(values["arrival"]) if "arrival" in values else None,
        is_chop="is_chop" in values,
        knockouts=int(values["knockouts"]) if "knockouts" in values else None,
        cost=Decimal(values["cost"]) if "cost" in values else None,
        is_new="is_new" in values,
        tokens=text[len(name) :],
    )


def _read_clock(text: str) -> time | None:
    hours, minutes = map(int, text.split(":"))
    # Times after midnight are often written as 24:30 or 25:10.
    return time(hours % 24, minutes) if hours < 30 and minutes < 60 else time.max  # noqa: PLR2004


def _finisher_error(finisher: Finisher) -> str | None:
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
    if finisher.arrival == time.max:
        return _("The time after “in” is no time of day: write it like in 20:15.")
    return None


def replace_name(line: Line, changed: Finisher, text: str) -> str:
    """Write the line with another text in place of one name and its marks."""
    parts = [text if finisher is changed else finisher.written for finisher in line.finishers]
    return ("= " if line.joins_above else "") + " = ".join(parts)


def replace_mark(line: Line, changed: Finisher, mark: re.Pattern[str], new: str) -> str:
    """Write the line with another mark, or none, in place of one mark of a name."""
    return replace_name(
        line, changed, changed.written.removesuffix(changed.tokens) + mark.sub(new, changed.tokens)
    )
