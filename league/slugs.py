"""Addresses of clubs and seasons, as their names suggest them."""

import re
from collections.abc import Collection
from itertools import chain, count
from unicodedata import normalize

import jaconv
from django.utils.text import slugify

# How these are read depends on the word: they are left out, but for the four that most names of seasons contain.
KANJI = re.compile(
    "[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
TIMES_OF_THE_YEAR = {"春": " haru ", "夏": " natsu ", "秋": " aki ", "冬": " fuyu "}
LONG_VOWEL = "ー"


def slug_of(name: str, *, most: int) -> str:
    """Transliterate a name into an ASCII slug; empty if no character can be written."""
    text = normalize("NFKC", name).replace(LONG_VOWEL, "")
    for kanji, reading in TIMES_OF_THE_YEAR.items():
        text = text.replace(kanji, reading)
    kana = jaconv.kata2hira(KANJI.sub(" ", text).replace("・", " "))
    return slugify(jaconv.kana2alphabet(kana))[:most].strip("-_")


def first_free_slug(wanted: str, taken: Collection[str], *, most: int) -> str:
    """Append the first free number to a slug that is taken: 2026, 2026-2, 2026-3."""
    numbers = (f"-{n}" for n in count(2))
    numbered = (wanted[: most - len(number)].rstrip("-_") + number for number in numbers)
    return next(slug for slug in chain([wanted], numbered) if slug not in taken)
