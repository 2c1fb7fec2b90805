"""Reduce a name to what a person is called: without pictures, titles, remarks and accents."""

import re
import unicodedata
from functools import lru_cache

ACCENTS = re.compile("[\u0300-\u036f]")
REMARKS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|【[^【】]*】|<[^<>]*>|〈[^〈〉]*〉")
# Between Japanese, Chinese or Korean letters a space is a matter of style.
EAST_ASIAN = "[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003fffd]"
STYLED_SPACE = re.compile(f"(?<={EAST_ASIAN}) (?={EAST_ASIAN})")
TITLES_BEFORE = {"mr", "mrs", "ms", "miss", "dr", "prof", "herr", "frau", "sir"}
TITLES_AFTER = {"san", "sama", "kun", "chan", "sensei"}
HONORIFIC = re.compile(r"(?<=.)\s*(?:さん|さま|様|くん|君|ちゃん|氏|先生|殿)$")
TO_HIRAGANA = {katakana: katakana - 0x60 for katakana in range(0x30A1, 0x30F7)}
SPACES = {"Pd", "Pc", "Zs"}


@lru_cache(maxsize=2**16)
def bare(key: str) -> str:
    """Make the form that spellings of one name share from its key; empty if nothing but pictures and signs is left."""
    text = REMARKS.sub(" ", key)
    words = _letters(text if text.strip() else key).split()
    while len(words) > 1 and words[0] in TITLES_BEFORE:
        del words[0]
    while len(words) > 1 and words[-1] in TITLES_AFTER:
        del words[-1]
    return HONORIFIC.sub("", STYLED_SPACE.sub("", " ".join(words)))


def in_any_order(form: str) -> str:
    """Sort the words of a name: family name and given name stand in either order."""
    return " ".join(sorted(form.split()))


def _letters(text: str) -> str:
    """Keep letters and figures; dashes and commas become spaces, all other signs go."""
    plain = unicodedata.normalize("NFC", ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return "".join(map(_letter, plain.translate(TO_HIRAGANA)))


def _letter(char: str) -> str:
    if char.isalnum():
        return char
    category = unicodedata.category(char)
    if category in SPACES or char in ",;/、":
        return " "
    return char if category in {"Mc", "Mn"} and not "\ufe00" <= char <= "\ufe0f" else ""
