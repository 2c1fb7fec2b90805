"""Read the lines of a message: which of them are players, and what stands around their names.

A result in a chat has a title, a link or a total, places behind the names, prizes, knock-outs. What is understood is
written as the marks of a finishing order; what is left out is shown with the reason, and quotes make it a name again.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from reading.finishing_order.lines import Fix, Line, read_line
from reading.finishing_order.marks import QUOTED, quoted
from reading.names.keys import name_key
from reading.names.no_names import (
    LINK,
    MOST_WORDS,
    can_be_name,
    is_sentence,
    is_title,
    is_total,
)

MONEY = (
    r"[¥￥$€£]\s?\d[\d.,]*k?|\d[\d.,]*\s?[¥￥$€£円]|(?:EUR|USD|GBP|JPY|CHF)\s?\d[\d.,]*"
    r"|\d[\d.,]*\s?(?:euros?|dollars?|yen|EUR|USD|GBP|JPY|points?|pts)"
)
PRIZE = re.compile(
    rf"(?<!cost)(?:^|[\s,;:–—-]+)[(\[]?(?:wins?|won|for)?\s*[+-]?(?:{MONEY})[)\]]?$", re.IGNORECASE
)
KNOCKOUTS = re.compile(
    r"[\s,;:–—-]+[(\[]?(\d{1,2})\s?x?\s?(?:kos?|knock-?outs?|bount(?:y|ies)|hits?|kills?)[)\]]?$",
    re.IGNORECASE,
)
REENTRIES = re.compile(r"[\s,;:–—-]+[(\[]?(\d{1,2})\s?x?\s?re-?entr(?:y|ies)[)\]]?$", re.IGNORECASE)
REBUYS = re.compile(r"[\s,;:–—-]+[(\[]?(?:(\d{1,2})\s?x?\s?re-?buys?|(R{1,3}))[)\]]?$")
CHOP = re.compile(r"[\s,;:–—-]+[(\[]?(?:chop|split|deal|チョップ)[)\]]?$", re.IGNORECASE)
TOGETHER = re.compile(r"\s+(?:&|\+|and|und)\s+|\s*＆\s*")
BEHIND = re.compile(r"[\s,;:–—-]+[(\[]?(\d{1,3})(?:st|nd|rd|th|位)(?: place)?[)\]]?$", re.IGNORECASE)
IN_FRONT = re.compile(
    r"^[(\[#]?(\d{1,3})(?:st|nd|rd|th|位|着)?(?: place)?(?:\s*[-–—:.)\]]+\s*|\s+(?=[^\d\s]))", re.IGNORECASE
)
MARKED = re.compile(r"^(?:(🥇|🥈|🥉)|(\d)\ufe0f?\u20e3)\s*")
MEDALS = {"🥇": 1, "🥈": 2, "🥉": 3}
FIRST = re.compile(
    r"^(?:(?:the )?winner|champion|1st(?: place)?|first(?: place)?|sieger)\s*[:：–—-]\s*|^優勝\s*[:：]?\s*",
    re.IGNORECASE,
)
SECOND = re.compile(r"^(?:runner-?up|second)\s*[:：–—-]\s*|^準優勝\s*[:：]?\s*", re.IGNORECASE)
THIRD = re.compile(r"^third\s*[:：–—-]\s*", re.IGNORECASE)
OUT_FIRST = re.compile(r"^(?:out first|first out|first to go|first bust|last)\s*[:：–—-]\s*", re.IGNORECASE)
# What an entry brought, as our own texts write it: "(+62.3, 3 points)".
GAINS = re.compile(
    r"\s*[(（][+\-−▲]?\d[\d.,/]*\s?(?:points?|pts?|ポイント|点)?"
    r"(?:\s*(?:,|、|and|と)\s*\d[\d.,/]*\s?(?:points?|pts?|ポイント|点))?[)）]$",
    re.IGNORECASE,
)
ENTRIES = re.compile(r"[\s,;:–—-]*[(\[](\d{1,2})\s?(?:x|entries|bullets|buy-?ins)[)\]]$", re.IGNORECASE)
EMPHASIS = re.compile(r"(\*{1,2}|_{1,2}|~{1,2})(?=\S)(.+?)(?<=\S)\1")
MORE = re.compile(r"(?:and|und|\+) ?(\d+) more|他\s?(\d+)\s?[人名]", re.IGNORECASE)
FEW_WORDS = 2  # beside a name in a line without a place
LEAST_NUMBERED = 2  # lines with a place that make a list a numbered one
Known = Mapping[str, object]


@dataclass(frozen=True)
class Shape:
    """What the lines of a text have in common."""

    is_numbered: bool  # places stand before the names
    is_placed_behind: bool  # places stand behind them
    last: int  # the number of the last filled line
    placed: frozenset[str]  # the keys of known names in lines with places
    are_all_small: bool  # no line has a capital letter

    @property
    def has_places(self) -> bool:
        return self.is_numbered or self.is_placed_behind


def read_lines(raw_lines: Sequence[str], known: Known) -> list[Line]:
    """Read the lines of a text, typed or pasted."""
    raw_lines = [_unwrapped(raw, known) for raw in raw_lines]
    plain = [read_line(number, raw, known) for number, raw in enumerate(raw_lines, start=1)]
    shape = _shape(plain, raw_lines, known)
    lines = [_read(line, raw, shape, known) for line, raw in zip(plain, raw_lines, strict=True)]
    return _with_ties(lines) if _says_ties(lines) else lines


def _unwrapped(raw: str, known: Known) -> str:
    """Remove chat markup (bold, italic, struck out), unless it is part of a known name."""
    match = EMPHASIS.fullmatch(raw.strip())
    return match[2] if match and name_key(raw) not in known else raw


def _shape(lines: Sequence[Line], raw_lines: Sequence[str], known: Known) -> Shape:
    filled = [(line, raw) for line, raw in zip(lines, raw_lines, strict=True) if not line.is_blank]
    n_front = sum(_is_numbered(line, raw, known) for line, raw in filled)
    others = [_folded(raw) for line, raw in filled if not _is_clear(line, known)]
    behind = [int(match[1]) for text in others if (match := BEHIND.search(text))]
    is_behind = len(behind) >= LEAST_NUMBERED and len(behind) * 2 > len(filled) and min(behind) == 1
    is_numbered = n_front >= LEAST_NUMBERED and n_front * 2 >= len(filled)
    placed = frozenset(
        _known_within(_folded(raw), known) for line, raw in filled if _is_numbered(line, raw, known)
    )
    last = filled[-1][0].number if filled else 0
    are_all_small = not any(map(str.isupper, "".join(raw for _line, raw in filled)))
    return Shape(is_numbered, is_behind, last, placed, are_all_small)


def _folded(raw: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", raw).split())


def _is_clear(line: Line, known: Known) -> bool:
    """Tell whether the line holds nothing but known names and marks."""
    are_known = all(one.key in known or one.is_new for one in line.finishers)
    return not line.error and bool(line.finishers) and are_known


def _is_numbered(line: Line, raw: str, known: Known) -> bool:
    """Tell whether a place stands before a name, and is not a part of it."""
    if line.written_place is not None:
        return True
    has_number = MARKED.match(raw.strip()) or IN_FRONT.match(_folded(raw))
    return bool(has_number) and not _is_clear(line, known)


def _has_front(line: Line, raw: str, known: Known) -> bool:
    """Tell whether a place or a word for one stands before a name."""
    is_named = any(pattern.match(_folded(raw)) for pattern in (FIRST, SECOND, THIRD, OUT_FIRST))
    return _is_numbered(line, raw, known) or (is_named and not _is_clear(line, known))


def _read(line: Line, raw: str, shape: Shape, known: Known) -> Line:
    text = _folded(raw)
    if line.is_blank or "\t" in raw or QUOTED.match(text) or line.joins_above:
        return line
    if more := MORE.fullmatch(text):
        error = _("%(n)s players are missing: type their names, or leave them out.") % {
            "n": more[1] or more[2]
        }
        return Line(line.number, text, error=error, fixes=(Fix(_("Leave out"), line.number, None),))
    has_place = _has_front(line, raw, known) or bool(shape.is_placed_behind and BEHIND.search(text))
    lacks_place = shape.has_places and not has_place
    named = _known_within(text, known)
    is_whole = bool(named) and len(text.split()) - len(named.split()) <= FEW_WORDS
    if lacks_place and named and (is_whole or named not in shape.placed):
        return _asked_without_place(line)
    can_be = has_place or (bool(named) and not lacks_place)
    if not can_be and (reason := _reason_to_leave_out(line, text, shape)):
        if not shape.has_places and is_title(text) and not is_total(text) and can_be_name(text):
            return _asked(line, _("Is “%(name)s” a player?") % {"name": line.text})
        fix = Fix(_("A player"), line.number, quoted(text))
        return Line(line.number, text, left_out=reason, fixes=(fix,))
    return line if _is_clear(line, known) else _read_player(line, raw, shape, known)


def _asked_without_place(line: Line) -> Line:
    return _asked(line, _("“%(name)s” has no number: a player?") % {"name": line.text})


def _asked(line: Line, question: str) -> Line:
    fixes = (Fix(_("Yes"), line.number, quoted(line.text)), Fix(_("No"), line.number, None))
    return replace(line, question=question, fixes=fixes, asks_first=True)


def _reason_to_leave_out(line: Line, text: str, shape: Shape) -> str:
    """Say why a line without a place or a known name is no player; empty if it can be one."""
    if not LINK.sub("", text).strip(" :–—-"):
        return _("a link")
    if is_total(text):
        return _("a total")
    if shape.has_places:
        return _("a line without a place")
    if line.error or len(line.finishers) > 1 or any(finisher.tokens for finisher in line.finishers):
        return ""
    if line.number in {1, shape.last} and is_title(text):
        return _("a title")
    return _("a sentence") if is_sentence(text, are_all_small=shape.are_all_small) else ""


def _known_within(text: str, known: Known) -> str:
    """Find the longest known name that stands whole in a text, as its key; empty without one."""
    words = [word.strip(".,;:!?()*_") for word in name_key(text).split()]
    found = (
        key
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + MOST_WORDS) + 1)
        if (key := " ".join(words[start:end])) in known
    )
    return max(found, key=len, default="")


def _read_player(line: Line, raw: str, shape: Shape, known: Known) -> Line:
    """Read a name with what stands before and behind it."""
    text = _folded(raw)
    place, label, rest = _without_front(raw, text, is_numbered=shape.is_numbered)
    written, remark, question, fixes = _marks(line.number, rest, shape, known)
    if written == text:
        return line
    read = read_line(line.number, written, known)
    behind = BEHIND.search(text) if shape.is_placed_behind else None
    written_place = place or read.written_place or line.written_place or (int(behind[1]) if behind else None)
    read = replace(read, written_place=written_place, label=label, remark=remark)
    asks = bool(question) and not read.error
    return replace(read, question=question, fixes=fixes, asks_first=True) if asks else read


def _without_front(raw: str, text: str, *, is_numbered: bool) -> tuple[int | None, str, str]:
    """Strip what precedes a name; return its place, its label and the rest."""
    if match := MARKED.match(raw.strip()):
        place = MEDALS[match[1]] if match[1] else int(match[2])
        return place, "", _folded(raw.strip()[match.end() :])
    for pattern, first, label in (
        (FIRST, 1, "first"),
        (SECOND, 2, ""),
        (THIRD, 3, ""),
        (OUT_FIRST, None, "last"),
    ):
        if match := pattern.match(text):
            return first, label, text[match.end() :]
    match = IN_FRONT.match(text)
    if is_numbered and match and text[match.end() : match.end() + 1].isalpha():
        return int(match[1]), "", text[match.end() :]
    return None, "", text


def _marks(number: int, text: str, shape: Shape, known: Known) -> tuple[str, str, str, tuple[Fix, ...]]:
    """Write what stands behind a name as marks; return also what is left out, and a question with its answers."""
    remarks: list[str] = []
    marks, question = "", ""
    more = 0
    while name_key(text) not in known:
        if match := LINK.search(text) or _gains(text) or PRIZE.search(text):
            remarks.insert(0, match[0].strip(" ,;:–—-"))
            text = (text[: match.start()] + text[match.end() :]).strip()
        elif match := KNOCKOUTS.search(text):
            marks, text = f" ko{match[1]}{marks}", text[: match.start()]
        elif match := ENTRIES.search(text):
            marks, text = f" x{match[1]}{marks}", text[: match.start()]
        elif match := REENTRIES.search(text):
            marks, text = f" x{int(match[1]) + 1}{marks}", text[: match.start()]
        elif (match := CHOP.search(text)) and len(names := TOGETHER.split(text[: match.start()])) > 1:
            return " = ".join(f"{name} chop" for name in names), " ".join(remarks), "", ()
        elif shape.is_placed_behind and (match := BEHIND.search(text)):
            text = text[: match.start()]
        elif not more and (match := _rebuys(text, known)):
            more = int(match[1]) if match[1] else len(match[2])
            question = _("Is “%(text)s” an entry of its own each time?") % {
                "text": match[0].strip(" ,;:–—-()")
            }
            text = text[: match.start()]
        else:
            break
    fixes: tuple[Fix, ...] = ()
    if question:
        fixes = (
            Fix(_("Yes, %(n)d entries") % {"n": more + 1}, number, f"{text} x{more + 1}{marks}"),
            Fix(_("No, more chips"), number, f"{text}{marks}"),
        )
    return f"{text}{marks}", " ".join(remarks), question, fixes


def _gains(text: str) -> re.Match[str] | None:
    """Find the points in brackets after a name, unless the text states the number of entries."""
    return None if ENTRIES.search(text) else GAINS.search(text)


def _rebuys(text: str, known: Known) -> re.Match[str] | None:
    """Find rebuys behind a name; a letter R means them only behind a member's whole name."""
    match = REBUYS.search(text)
    return match if match and (match[1] or name_key(text[: match.start()]) in known) else None


def _says_ties(lines: Sequence[Line]) -> bool:
    """Tell whether the written places contain ties: equal ones before a gap (1, 2, 2, 4)."""
    players = [line for line in lines if line.finishers]
    if any(line.written_place is None or line.joins_above or line.error for line in players):
        return False
    n_above, above, skips = 0, 0, False
    for line in players:
        place = line.written_place or 0
        if place not in {above, n_above + 1}:
            return False
        skips = skips or above + 1 < place
        n_above += len(line.finishers)
        above = place
    return skips


def _with_ties(lines: Sequence[Line]) -> list[Line]:
    above, tied = 0, []
    for line in lines:
        tied.append(
            replace(line, joins_above=True) if line.finishers and line.written_place == above else line
        )
        above = line.written_place or above
    return tied
