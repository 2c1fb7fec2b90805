"""Turn the bytes of a file into text: the encodings that are possible, the likely one first."""

import re
import unicodedata
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

UTF_8, UTF_16, SHIFT_JIS, EUC_JP, WESTERN = "utf-8", "utf-16", "cp932", "euc_jp", "cp1252"
LABELS = {
    UTF_8: gettext_lazy("Unicode (UTF-8)"),
    UTF_16: gettext_lazy("Unicode (UTF-16)"),
    SHIFT_JIS: gettext_lazy("Japanese (Shift-JIS)"),
    EUC_JP: gettext_lazy("Japanese (EUC-JP)"),
    WESTERN: gettext_lazy("Western European (Windows-1252)"),
}
SIGNATURES = (
    (b"%PDF", gettext_lazy("a PDF")),
    (b"\x89PNG", gettext_lazy("a picture")),
    (b"\xff\xd8\xff", gettext_lazy("a picture")),
    (b"GIF8", gettext_lazy("a picture")),
    (b"\xd0\xcf\x11\xe0", gettext_lazy("an old Office file (XLS)")),
)
CELL = re.compile(r"[^,;\t\n\"|]+")
N_SAMPLES = 4
USUAL_SIGNS = set("’‘“”–—…€°·•„‚«»ªº§´`½¼¾²³×")
NON_ASCII = re.compile(r"[^\x00-\x7f]+")


class Unreadable(ValueError):
    """A file that is no text; the message is a sentence for its owner."""


@dataclass(frozen=True)
class Decoded:
    """The text in one encoding; `samples` are cells that differ between encodings."""

    encoding: str
    label: str
    text: str
    samples: tuple[str, ...]


def candidates(data: bytes) -> tuple[Decoded, ...]:
    """Decode in every encoding that is possible without an error, the likely one first.

    Windows-1252 and Shift-JIS can decode nearly anything. What decides is what would be odd: single kanji between
    Latin letters, half-width kana, and rows of accents or signs.

    Raises
    ------
    Unreadable
        If no encoding is possible, or the file is no text.
    """
    _require_text(data)
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return _decoded(data, [UTF_16])
    if data.startswith(b"\xef\xbb\xbf"):
        return _decoded(data, [UTF_8])
    if wide := _utf_16_without_mark(data):
        return _decoded(data, [wide])
    if data.isascii():
        return _decoded(data, [UTF_8])
    others = sorted((SHIFT_JIS, EUC_JP, WESTERN), key=lambda encoding: _oddness(data, encoding))
    return _decoded(data, [UTF_8, *others])


def _require_text(data: bytes) -> None:
    for signature, what in SIGNATURES:
        if data.startswith(signature):
            raise Unreadable(
                _("This is no table but %(what)s. Save the table as CSV or XLSX, or copy and paste it.")
                % {"what": what}
            )


def _utf_16_without_mark(data: bytes) -> str:
    """Recognise UTF-16 by its zero bytes, which stand in every second place of Latin text."""
    sample = data[:2000]
    if len(sample) < 4 or b"\0" not in sample:  # noqa: PLR2004
        return ""
    return "utf-16-le" if sample[1::2].count(0) >= sample[0::2].count(0) else "utf-16-be"


def _decoded(data: bytes, encodings: list[str]) -> tuple[Decoded, ...]:
    found = []
    for encoding in encodings:
        text = _text(data, encoding)
        if text is not None:
            label = LABELS[UTF_16 if encoding.startswith(UTF_16) else encoding]
            found.append(Decoded(encoding, str(label), text, _samples(text)))
    if not found:
        raise Unreadable(
            _("This is no text in a known encoding. Save the table as “CSV UTF-8” or XLSX and try again.")
        )
    return tuple(found)


def _text(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode("utf-8-sig" if encoding == UTF_8 else encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text.removeprefix("\ufeff")


def _samples(text: str) -> tuple[str, ...]:
    """Choose the first cells with letters beyond ASCII: names by which a person sees whether the encoding is right."""
    found = dict.fromkeys(
        cell.strip() for match in CELL.finditer(text) if not (cell := match[0]).isascii() and cell.strip()
    )
    return tuple(list(found)[:N_SAMPLES])


def _oddness(data: bytes, encoding: str) -> float:
    """Measure which share of the characters beyond ASCII would be odd in this encoding."""
    text = _text(data[:200_000], encoding) or _text(data, encoding)
    if text is None:
        return 2.0
    parts = list(NON_ASCII.finditer(text))
    total = sum(len(part[0]) for part in parts)
    odd = sum(_odd_western(part[0]) if encoding == WESTERN else _odd_japanese(text, part) for part in parts)
    return odd / max(1, total)


def _odd_western(part: str) -> float:
    """Count signs, and letters in a row of three and more: accents stand alone or in pairs."""
    signs = sum(unicodedata.category(char)[0] != "L" and char not in USUAL_SIGNS for char in part)
    return max(signs, len(part) if len(part) > 2 else 0)  # noqa: PLR2004


def _odd_japanese(text: str, part: re.Match[str]) -> float:
    """Count half-width kana, and what touches Latin letters on a side: Japanese names stand apart from them."""
    kana = sum("\uff61" <= char <= "\uff9f" for char in part[0])
    before, after = text[part.start() - 1 : part.start()], text[part.end() : part.end() + 1]
    touches = (before + after).isalpha() and (before + after).isascii() and len(part[0]) <= 2  # noqa: PLR2004
    return max(kana, len(part[0]) if touches else 0)
