"""Labels of charts: how wide they are, and what of them has room."""

from unicodedata import east_asian_width

WIDE_LETTER, LETTER = 11.0, 6.6  # widths in a label at 11 px, rounded up
LEAST_LETTERS = 3  # a name cut to fewer is left out


def text_width(text: str) -> float:
    """The estimated width of a label, in units of the drawing."""
    return sum(WIDE_LETTER if east_asian_width(letter) in "WF" else LETTER for letter in text)


def shortened(text: str, room: float) -> str:
    """The text if there is room for it, else its beginning, else nothing."""
    if text_width(text) <= room:
        return text
    letters = max(i for i in range(len(text)) if i == 0 or text_width(text[:i] + "…") <= room)
    return text[:letters].rstrip() + "…" if letters >= LEAST_LETTERS else ""
