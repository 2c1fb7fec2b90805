"""Texts in the fonts of this folder: each letter in the first font that has it."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FOLDER = Path(__file__).parent / "fonts"
JAPANESE = "NotoSansJP-Bold.otf"
Family = tuple[str, ...]  # files of fonts, in the order in which they are asked for a letter
SERIF: Family = ("NotoSerif-Bold.ttf", JAPANESE)
SANS: Family = ("NotoSans-SemiBold.ttf", JAPANESE)
NO_LETTER = "\uffff"  # fonts draw it as they draw every letter that they lack
PROBE = 24  # pixels
CUT = "…"
# What stays together on a line: a word up to its hyphen or the spaces after it, or a Japanese letter with the marks
# that end it.
PIECE = re.compile(r"[^\s\-\u2e80-\uffef]+-?\s*|.[、。，．・：！？」』）ー々っッ]*", re.DOTALL)


@lru_cache(maxsize=128)
def font(file: str, size: int) -> ImageFont.FreeTypeFont:
    """Open a font. The basic layout is the same on every machine; the other one needs a library of the system."""
    return ImageFont.truetype(FOLDER / file, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=20_000)
def _has(file: str, letter: str) -> bool:
    return _drawn(file, letter) != _drawn(file, NO_LETTER)


def _drawn(file: str, letter: str) -> bytes:
    paper = Image.new("L", (2 * PROBE, 2 * PROBE))
    ImageDraw.Draw(paper).text((PROBE // 2, 0), letter, fill=255, font=font(file, PROBE))
    return paper.tobytes()


def _file_of(letter: str, family: Family) -> str:
    return next((file for file in family if _has(file, letter)), "")


def runs(text: str, family: Family) -> list[tuple[str, str]]:
    """Split a text into parts of one font each: files and parts.

    Letters that no font has are left out; of a text that has no others, the signs for missing letters are drawn.
    """
    text = unicodedata.normalize("NFC", text)
    files = [(_file_of(letter, family), letter) for letter in text]
    parts = [
        (file, "".join(letter for _file, letter in letters))
        for file, letters in groupby(files, key=lambda each: each[0])
    ]
    known = [(file, part) for file, part in parts if file]
    return (
        known if "".join(part for _file, part in known).strip() or not text.strip() else [(family[0], text)]
    )


def width_of(text: str, family: Family, size: int) -> float:
    return sum(font(file, size).getlength(part) for file, part in runs(text, family))


def write(
    draw: ImageDraw.ImageDraw, where: tuple[float, float], text: str, family: Family, size: int, ink: str
) -> None:
    """Write a text from a point on its base line."""
    x, y = where
    for file, part in runs(text, family):
        draw.text((x, y), part, fill=ink, font=font(file, size), anchor="ls")
        x += font(file, size).getlength(part)


def shortened(text: str, family: Family, size: int, width: float) -> str:
    """Cut a text that is wider than its place, and end it with dots."""
    if width_of(text, family, size) <= width:
        return text
    while text and width_of(text + CUT, family, size) > width:
        text = text[:-1]
    return text.rstrip() + CUT


def lines_of(text: str, family: Family, size: int, width: float) -> list[str]:
    """Break a text into lines: between words, between Japanese letters, and within a word wider than a line."""
    lines, line = [], ""
    for piece in PIECE.findall(text):
        if line and width_of((line + piece).rstrip(), family, size) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
        while width_of(line.rstrip(), family, size) > width:
            first = _fitting(line, family, size, width)
            lines.append(line[:first])
            line = line[first:]
    return [*lines, line.rstrip()] if line.strip() else lines


def _fitting(text: str, family: Family, size: int, width: float) -> int:
    """Count the letters from the beginning that fit, at least one."""
    n = 1
    while width_of(text[: n + 1], family, size) <= width:
        n += 1
    return n


def fitted(text: str, family: Family, width: float, sizes: Mapping[int, int]) -> tuple[int, list[str]]:
    """Choose the largest size in which a text fits on as many lines as it allows; in the last its end is cut off."""
    for size, most in sizes.items():
        lines = lines_of(text, family, size, width)
        if len(lines) <= most:
            return size, lines
    rest = "".join(text.partition(lines[most - 1])[1:])
    return size, [*lines[: most - 1], shortened(rest, family, size, width)]
