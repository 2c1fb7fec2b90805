"""Names as people type them: cleaned, compared, and matched with the names a club knows."""

import re
import unicodedata
from collections.abc import Mapping

from django.utils.translation import gettext as _
from rapidfuzz import fuzz, process

from league.models.player import MAX_NAME_LENGTH, name_key

# How a finishing order marks what stands around a name (league.finishing_order).
NUMBERING = re.compile(r"^\d{1,4}(?:[.)]\s+|\s*\t\s*)")
TOKENS = (
    ("n_entries", re.compile(r"(?:^|\s+)[x×](\d{1,3})$", re.IGNORECASE)),
    ("number", re.compile(r"(?:^|\s+)#(\d{1,3})$")),
    ("knockouts", re.compile(r"(?:^|\s+)ko\s?(\d{1,3})$", re.IGNORECASE)),
    ("cost", re.compile(r"(?:^|\s+)cost\s?(\d{1,9}(?:\.\d{1,3})?)$", re.IGNORECASE)),
    ("clock", re.compile(r"\s*@\s?(\d{1,2}:\d{2})$")),
    ("is_new", re.compile(r"\s*\((new|新規)\)$", re.IGNORECASE)),
)
# What begins or ends an unknown name like a mark that was not read: "Hugo ko", "Ada cost 12,50", "x2 Dieter".
UNREAD = re.compile(r"^[x×]\s?\d+\s|\s(?:[x×]|ko|#|@|cost)\s*[-+¥￥$€£]?[\d.,:e]*$", re.IGNORECASE)
NEAR_MISS = 82  # percent of rapidfuzz's ratio; "Pilcro" to "Pilcrow" is 92, "Hale" to "Hale B" is 80


def clean_name(text: str) -> str:
    """The name as it is stored: full-width signs narrow, no outer or double spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def name_problem(name: str, *, most: int = MAX_NAME_LENGTH) -> str | None:
    """Why this cannot be a name; None if it can."""
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


def near_miss(name: str, known: Mapping[str, str]) -> str | None:
    """The known name (by its key) that an unknown one was perhaps meant to be."""
    found = process.extractOne(name_key(name), known.keys(), scorer=fuzz.ratio, score_cutoff=NEAR_MISS)
    return None if found is None else known[found[0]]
