"""Read what stands in one cell: places, numbers, dates and times of day, in the notations of many lists."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from functools import lru_cache

CIRCLED = {chr(0x2460 + n): n + 1 for n in range(20)} | {chr(0x3251 + n): n + 21 for n in range(15)}
MEDALS = {"🥇": 1, "🥈": 2, "🥉": 3}
PLACE = re.compile(
    r"(?P<before>t|=)?\s*(?:第|no\.?\s*|#)?\s*(?P<n>\d{1,6})(?:[.,]0+)?\s*(?P<after>st|nd|rd|th|位|着|等|\.|\)|=|t)*",
    re.IGNORECASE,
)
# Written in the place of somebody who has none.
NO_PLACE = {
    "", "-", "–", "—", "?", "x", "n/a", "na", "dnf", "dns", "dnq", "dsq", "dq", "nc", "ex", "wd", "ret", "abs", "欠",
    "欠席", "不参加", "棄権", "失格", "不戦敗", "...", "…", "ー", "－",
}  # fmt: skip
# Codes of those who were not there at all: they have no entry.
ABSENT = {"", "-", "–", "—", "dns", "dnq", "abs", "欠", "欠席", "不参加", "ー", "n/a", "na", "x"}
MINUS = str.maketrans("\u2212▲△–", "----")
CURRENCY = "¥￥$€£円"
GROUPED_BY_COMMA = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
GROUPED_BY_DOT = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
GROUPED_BY_SPACE = re.compile(r"\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?")
PLAIN = re.compile(r"\d+(?:\.\d+)?|\.\d+")
DECIMAL_COMMA = re.compile(r"\d+,\d+")
CLOCK = re.compile(r"(\d{1,2})(?:[:.h]|時)(\d{2})?(?:分|:\d{2})?\s*([ap])?\.?m?\.?", re.IGNORECASE)
MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
    "dec": 12, "mär": 3, "mrz": 3, "mai": 5, "okt": 10, "dez": 12, "févr": 2, "avr": 4, "juin": 6, "juil": 7, "août": 8,
    "déc": 12,
}  # fmt: skip
ERAS = {"令和": 2018, "R": 2018, "平成": 1988, "H": 1988}
FIRST_SERIAL, LAST_SERIAL = 20_000, 80_000  # of Excel: from 1954 to 2119
MOST_KEPT = 20_000  # cells that were read: the same dates and numbers stand in many rows
EPOCH = date(1899, 12, 30)


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
    """Read a place: 3, 3., 3rd, T3, 3=, 3位, ③, 3.0, DNF; None if it is something else."""
    text = text.strip()
    if text in CIRCLED or text in MEDALS:
        return Place((CIRCLED | MEDALS)[text])
    folded = unicodedata.normalize("NFKC", text)
    if folded.casefold().rstrip(".") in NO_PLACE:
        return Place(None, code=folded)
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


@lru_cache(MOST_KEPT)
def clock(text: str) -> tuple[time, bool] | None:
    """Read a time of day: 21:40, 9:40pm, 21時40分; the second value says that it is of the next day (24:30)."""
    match = CLOCK.fullmatch(unicodedata.normalize("NFKC", text).strip())
    if match is None or (match[2] is None and not match[3] and "時" not in text):
        return None
    hours, minutes = int(match[1]), int(match[2] or 0)
    if match[3]:
        if not 1 <= hours <= 12:  # noqa: PLR2004
            return None
        hours = hours % 12 + 12 * (match[3].lower() == "p")
    if hours >= 30 or minutes >= 60:  # noqa: PLR2004
        return None
    return time(hours % 24, minutes), hours >= 24  # noqa: PLR2004


WEEKDAY = re.compile(
    r"\s*\(?(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)[a-z]*[.,)]*\s+"
    r"|\s*[（(][月火水木金土日](?:曜日?)?[)）]\s*",
    re.IGNORECASE,
)
ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
JAPANESE = re.compile(r"(?:(\d{4})|(令和|平成|[RH])\s*(\d{1,2}|元))年\s*(\d{1,2})月\s*(\d{1,2})日")
DAY_FIRST = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4}|\d{2})")
SLASHES = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})")
SHORT = re.compile(r"(\d{2})([-/.])(\d{1,2})\2(\d{2})")  # which may begin with the year: 26/01/13
YEAR_LAST = re.compile(r"\d{1,2}\s*[-/.]\s*\d{1,2}\s*[-/.]\s*\d{4}")
NAMED = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+([^\W\d]{3,})\.?,?[\s-]+(\d{4}|\d{2})")
NAMED_FIRST = re.compile(r"([^\W\d]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")


@lru_cache(MOST_KEPT)
def dates(text: str) -> tuple[date, ...]:
    """Read a date: one, or for 03/04/2026 two, with the day first and with the month first; () if it is none."""
    folded = " ".join(WEEKDAY.sub(" ", unicodedata.normalize("NFKC", text)).split())
    for pattern, read in FORMS:
        if match := pattern.fullmatch(folded):
            return read(match)
    if folded.isdecimal() and folded.isascii() and FIRST_SERIAL <= int(folded[:7]) <= LAST_SERIAL:
        return (EPOCH + timedelta(days=int(folded)),)
    return ()


def year_first(text: str) -> date | None:
    """Read 26/01/13 as 13 January 2026; None for a date with a year of four figures, and for no date."""
    match = SHORT.fullmatch(" ".join(unicodedata.normalize("NFKC", text).split()))
    return next(iter(_real((match[1], match[3], match[4]))), None) if match else None


def _japanese(match: re.Match[str]) -> tuple[date, ...]:
    year = match[1] or ERAS[match[2]] + (1 if match[3] == "元" else int(match[3]))
    return _real((year, match[4], match[5]))


def _named(year: str, month: str, day: str) -> tuple[date, ...]:
    folded = month.casefold()
    number_of_month = next((n for name, n in MONTHS.items() if folded.startswith(name)), None)
    return _real((year, number_of_month, day)) if number_of_month else ()


def _real(*parts: tuple[int | str, int | str, int | str]) -> tuple[date, ...]:
    """Keep the dates that exist, each once."""
    found = []
    for year, month, day in parts:
        whole = int(year) + (2000 if int(year) < 100 else 0)  # noqa: PLR2004
        try:
            found.append(date(whole, int(month), int(day)))
        except ValueError:
            continue
    return tuple(dict.fromkeys(each for each in found if 1900 <= each.year <= 2200))  # noqa: PLR2004


FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[date, ...]]], ...] = (
    (ISO, lambda match: _real((match[1], match[3], match[4]))),
    (JAPANESE, _japanese),
    (DAY_FIRST, lambda match: _real((match[3], match[2], match[1]))),
    (SLASHES, lambda match: _real((match[4], match[3], match[1]), (match[4], match[1], match[3]))),
    (NAMED, lambda match: _named(match[3], match[2], match[1])),
    (NAMED_FIRST, lambda match: _named(match[3], match[1], match[2])),
    (COMPACT, lambda match: _real((match[1], match[2], match[3]))),
)
