"""Read places and numbers, in the notations of many lists."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

CIRCLED = {chr(0x2460 + n): n + 1 for n in range(20)} | {chr(0x3251 + n): n + 21 for n in range(15)}
MEDALS = {"🥇": 1, "🥈": 2, "🥉": 3}
PLACE = re.compile(
    r"(?P<before>t|=)?\s*(?:第|no\.?\s*|#|\()?\s*(?P<n>\d{1,6})(?:[.,]0+)?\s*"
    r"(?:st|nd|rd|th|er|[eè]re|[eè]me|e|位|着|等|place|platz|\.|\)|=|t|\s)*",
    re.IGNORECASE,
)
# Places that are shared, by the first and the last of them: 2-3.
SHARED = re.compile(
    r"(?:t|=)?\s*(?P<n>\d{1,6})\s*(?:[-–—~〜]|to|bis)\s*(?P<last>\d{1,6})(?:st|nd|rd|th|位|\.)?",
    re.IGNORECASE,
)
ORDINAL_SIGNS = str.maketrans("", "", "ºª°")  # 1º, which NFKC would make "1o"
# Places in words.
WORDS = {
    "winner": 1, "champion": 1, "first": 1, "first place": 1, "sieger": 1, "gewinner": 1, "優勝": 1,
    "runner-up": 2, "runner up": 2, "runnerup": 2, "second": 2, "second place": 2, "準優勝": 2,
    "third": 3, "third place": 3,
}  # fmt: skip
# Written in the place of somebody who has none.
NO_PLACE = {
    "", "-", "–", "—", "?", "x", "n/a", "na", "dnf", "dns", "dnp", "dnq", "dsq", "dq", "nc", "ex", "wd", "ret", "abs",
    "欠", "欠席", "不参加", "棄権", "失格", "不戦敗", "...", "…", "ー", "－",
}  # fmt: skip
# Codes of those who were not there at all: they have no entry.
ABSENT = {"", "-", "–", "—", "dns", "dnp", "dnq", "abs", "欠", "欠席", "不参加", "ー", "n/a", "na", "x"}
MINUS = str.maketrans("\u2212▲△–", "----")
CURRENCY = "¥￥$€£円"
GROUPED_BY_COMMA = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
GROUPED_BY_DOT = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
GROUPED_BY_SPACE = re.compile(r"\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?")
PLAIN = re.compile(r"\d+(?:\.\d+)?|\.\d+")
DECIMAL_COMMA = re.compile(r"\d+,\d+")
MOST_KEPT = 20_000  # cells that were read: the same numbers stand in many rows


@dataclass(frozen=True)
class Place:
    """A place as it is written. `number` is None for a code like DNF or an empty cell."""

    number: int | None
    is_tie: bool = False
    code: str = ""

    @property
    def is_absent(self) -> bool:
        return self.number is None and self.code.casefold() in ABSENT


@lru_cache(MOST_KEPT)
def place(text: str) -> Place | None:
    """Read a place: 3, 3., 3rd, T3, 3=, 3º, 3位, ③, 3.0, 3-4, winner, DNF; None if it is something else."""
    text = text.strip()
    if text in CIRCLED or text in MEDALS:
        return Place((CIRCLED | MEDALS)[text])
    folded = unicodedata.normalize("NFKC", text.translate(ORDINAL_SIGNS))
    if folded.casefold().rstrip(".") in NO_PLACE:
        return Place(None, code=folded)
    if folded.casefold() in WORDS:
        return Place(WORDS[folded.casefold()])
    if (shared := SHARED.fullmatch(folded)) and 0 < int(shared["n"]) < int(shared["last"]):
        return Place(int(shared["n"]), is_tie=True)
    match = PLACE.fullmatch(folded)
    if match is None or int(match["n"]) == 0:
        return None
    is_tie = bool(match["before"]) or (folded[-1] in "=tT" and not folded.lower().endswith("st"))
    return Place(int(match["n"]), is_tie)


@lru_cache(MOST_KEPT)
def number(text: str, *, decimal_mark: str = ".") -> Decimal | None:
    """Read a number with groups, signs and currency.

    `decimal_mark` decides what 10.500 and 10,500 are; 12,5 has a decimal and 1,234,567 has groups anyway.
    """
    folded = unicodedata.normalize("NFKC", text).translate(MINUS).strip().strip(CURRENCY + " 点")
    sign = -1 if folded.startswith("-") else 1
    digits = folded.removeprefix("-").removeprefix("+").strip().strip(CURRENCY)
    if GROUPED_BY_SPACE.fullmatch(digits):
        digits = re.sub(r"[\s'’]", "", digits).replace(",", ".")
    elif GROUPED_BY_COMMA.fullmatch(digits) and (
        decimal_mark == "." or digits.count(",") > 1 or "." in digits
    ):
        digits = digits.replace(",", "")
    elif GROUPED_BY_DOT.fullmatch(digits) and (decimal_mark == "," or digits.count(".") > 1 or "," in digits):
        digits = digits.replace(".", "").replace(",", ".")
    elif DECIMAL_COMMA.fullmatch(digits):
        digits = digits.replace(",", ".")
    return sign * Decimal(digits) if PLAIN.fullmatch(digits) and len(digits) <= 15 else None  # noqa: PLR2004


def decimal_mark_of(texts: Iterable[str]) -> str:
    """Find the decimal mark of a column: "." or ","; "" if 10.500 could mean either."""
    doubtful = False
    for text in texts:
        digits = unicodedata.normalize("NFKC", text).translate(MINUS).strip("+- " + CURRENCY)
        has_both = "." in digits and "," in digits
        if has_both:
            return "," if digits.rfind(",") > digits.rfind(".") else "."
        if digits.count(",") > 1 or (
            DECIMAL_COMMA.fullmatch(digits) and not GROUPED_BY_COMMA.fullmatch(digits)
        ):
            return "." if digits.count(",") > 1 else ","
        if digits.count(".") > 1:
            return ","
        if PLAIN.fullmatch(digits) and "." in digits:
            if not GROUPED_BY_DOT.fullmatch(digits):
                return "."
            doubtful = True
    return "" if doubtful else "."
