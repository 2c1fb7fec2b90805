"""Marks around the names of a finishing order: places before them, marks after them, and quotes."""

import re

# Numbers before a name.
NUMBERING = re.compile(r"^\d{1,4}(?:[.)]\s+|\s*\t\s*)")
# Places in other notations, which a name may also begin with: "1st Ada", "1位 トム", "1.Ada", "(1) Ada".
PLACE = re.compile(
    r"^(?:\(\d{1,4}\)\s*|第?\s*\d{1,4}\s?位[.:]?\s*|\d{1,4}(?:st|nd|rd|th)[.:]?\s+|\d{1,4}[.)])(?=[^\W\d]|[\"“”„])",
    re.IGNORECASE,
)
CIRCLED = re.compile(r"^\s*[①-⑳㉑-㉟㊱-㊿]\s*")  # removed before NFKC turns it into plain digits
FIGURE = re.compile(r"^[-+−]?[¥￥$€£]?\d[\d.,]*\s?%?$")  # a cell of a table without a name
TOKENS = (
    ("n_entries", re.compile(r"(?:^|\s+)[x×](\d{1,3})$", re.IGNORECASE)),
    ("number", re.compile(r"(?:^|\s+)#(\d{1,3})$")),
    ("knockouts", re.compile(r"(?:^|\s+)ko\s?(\d{1,3})$", re.IGNORECASE)),
    ("cost", re.compile(r"(?:^|\s+)cost\s?(\d{1,9}(?:\.\d{1,3})?)$", re.IGNORECASE)),
    ("score", re.compile(r"(?:^|\s+)score\s([-+−]?\d{1,10}(?:\.\d)?)$", re.IGNORECASE)),
    ("balance", re.compile(r"(?:^|\s+)balance\s([-+−]?\d{1,10}(?:\.\d{1,3})?)$", re.IGNORECASE)),
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
# What is in quotes is a name, whatever it looks like; a straight quote within is written twice.
QUOTES = '"“”„'
QUOTED = re.compile(r'\s*(?:"(?:[^"]|"")++"|[“”„][^“”„]++[“”])')


def quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text[1:-1]


def split_ties(text: str) -> list[str]:
    """Split a line at the signs of a tie; such a sign in quotes is part of a name."""
    parts: list[str] = []
    start = 0
    while True:
        name = QUOTED.match(text, start)
        end = text.find("=", name.end() if name else start)
        if end < 0:
            return [*parts, text[start:].strip()]
        parts.append(text[start:end].strip())
        start = end + 1


def is_unread_mark(name: str) -> bool:
    """Tell whether an unknown name looks like a name with a mark that was not understood."""
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
