"""Clean and check typed names, and match them with the names of a club's players."""

import re
import unicodedata
from collections.abc import Mapping

from django.utils.translation import gettext as _
from rapidfuzz import fuzz, process

from league.models.player import MAX_NAME_LENGTH, name_key

# Numbers before a name and marks after it in a finishing order (league.finishing_order.lines).
NUMBERING = re.compile(r"^\d{1,4}(?:[.)]\s+|\s*\t\s*)")
# Places in other notations, which a name may also begin with: "1st Ada", "1位 トム", "1.Ada", "(1) Ada".
PLACE = re.compile(
    r"^(?:\(\d{1,4}\)\s*|第?\s*\d{1,4}\s?位[.:]?\s*|\d{1,4}(?:st|nd|rd|th)[.:]?\s+|\d{1,4}[.)])(?=[^\W\d])",
    re.IGNORECASE,
)
CIRCLED = re.compile(r"^\s*[①-⑳㉑-㉟㊱-㊿]\s*")  # removed before NFKC turns it into plain digits
FIGURE = re.compile(r"^[-+−]?[¥￥$€£]?\d[\d.,]*\s?%?$")  # a cell of a table without a name
TOKENS = (
    ("n_entries", re.compile(r"(?:^|\s+)[x×](\d{1,3})$", re.IGNORECASE)),
    ("number", re.compile(r"(?:^|\s+)#(\d{1,3})$")),
    ("knockouts", re.compile(r"(?:^|\s+)ko\s?(\d{1,3})$", re.IGNORECASE)),
    ("cost", re.compile(r"(?:^|\s+)cost\s?(\d{1,9}(?:\.\d{1,3})?)$", re.IGNORECASE)),
    ("clock", re.compile(r"\s*@\s?(\d{1,2}:\d{2})$")),
    ("arrival", re.compile(r"(?:^|\s+)in\s?(\d{1,2}:\d{2})$", re.IGNORECASE)),
    ("is_chop", re.compile(r"(?:^|\s+)(chop|チョップ)$", re.IGNORECASE)),
    ("is_new", re.compile(r"\s*\((new|新規)\)$", re.IGNORECASE)),
)
# An unknown name that begins or ends like a mark ("Hugo ko", "Ada cost 12,50", "x2 Dieter") or is only a figure.
UNREAD = re.compile(
    r"^[x×]\s?\d+\s|^[1-9]\d{0,3}位?$|^\d{1,2}:\d{2}\s|\sin\s*\d[\d.:]*$|\s(?:[x×]|ko|#|@|cost)\s*[-+¥￥$€£]?[\d.,:e]*$",
    re.IGNORECASE,
)
# Marks in other notations, and the replacement: "Tom 21:40", "Tom 2x", "Tom*2", "4 Tom", "- Tom".
REPAIRS = (
    (re.compile(r"\s*\*\s?(\d{1,2})$"), r" x\1"),
    (re.compile(r"\s+(\d{1,2})\s?[x×]$", re.IGNORECASE), r" x\1"),
    (re.compile(r"\s+(\d{1,2}:\d{2})$"), r" @\1"),
    (re.compile(r"^(?:#?\d{1,4}(?:\s*[-–:.)]|\s)|[-–•*・])\s*(?=[^\W\d])"), ""),
)
SEVERAL = re.compile(r"\s*[,;、]\s*|\s+[/>]\s+")  # separators between names in one line
NEAR_MISS = 82  # percent of rapidfuzz's ratio; "Pilcro" to "Pilcrow" is 92, "Hale" to "Hale B" is 80


def clean_name(text: str) -> str:
    """Normalize a name for storage: full-width characters become narrow, outer and double spaces go."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def name_problem(name: str, *, most: int = MAX_NAME_LENGTH) -> str | None:
    """Explain why a text cannot be a name; None if it can."""
    if not name_key(name):
        return _("A name is missing.")
    if len(name) > most:
        return _("This name has %(length)d characters; %(most)d is the most.") % {
            "length": len(name),
            "most": most,
        }
    if any(unicodedata.category(char)[0] == "C" for char in name):
        return _("This name has an invisible control character in it. Type it again.")
    if "=" in name or NUMBERING.match(name) or any(pattern.search(name) for _token, pattern in TOKENS):
        return _(
            "“%(name)s” holds a mark of the finishing order (=, x2, #1, ko3, cost 60, @21:40, a number in front)."
        ) % {"name": name}
    return None


def is_unread_mark(name: str) -> bool:
    """Whether an unknown name looks like a name with a mark that was not understood."""
    return UNREAD.search(name) is not None


def repair_mark(name: str) -> str | None:
    """Rewrite the mark of an unknown name in the right notation; None if the name has no such mark."""
    for pattern, mark in REPAIRS:
        if pattern.search(name):
            return pattern.sub(mark, name)
    return None


def names_within(name: str) -> list[str]:
    """Split a line with several names at the separators; an ordinary name stays alone."""
    return [part for part in SEVERAL.split(name) if part]


def near_miss(name: str, known: Mapping[str, str]) -> str | None:
    """Find the known name that an unknown one may be a misspelling of; `known` gives names by their keys."""
    match = process.extractOne(name_key(name), known.keys(), scorer=fuzz.ratio, score_cutoff=NEAR_MISS)
    return None if match is None else known[match[0]]
