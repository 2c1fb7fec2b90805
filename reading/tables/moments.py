"""Read dates and times of day, in the notations of many lists."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache

MOST_KEPT = 20_000  # cells that were read: the same dates stand in many rows
FIRST_SERIAL, LAST_SERIAL = 20_000, 80_000  # of Excel: from 1954 to 2119
EPOCH = date(1899, 12, 30)
LEAP = 2024  # a year that has every day
# A day and a month without a year.
YEARLESS = re.compile(
    r"\d{1,2}\.\s*\d{1,2}\.|\d{1,2}/\d{1,2}|\d{1,2}月\d{1,2}日|\d{1,2}(?:st|nd|rd|th|\.)?\s+[^\W\d]{3,}|[^\W\d]{3,}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?"
)
MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
    "dec": 12, "mär": 3, "mrz": 3, "mai": 5, "okt": 10, "dez": 12, "févr": 2, "avr": 4, "juin": 6, "juil": 7, "août": 8,
    "déc": 12,
}  # fmt: skip
ERAS = {"令和": 2018, "R": 2018, "平成": 1988, "H": 1988}
WEEKDAYS = {
    "mon": 0, "tue": 1, "wed": 2, "thu": 3, "fri": 4, "sat": 5, "sun": 6,
    "montag": 0, "dienstag": 1, "mittwoch": 2, "donnerstag": 3, "freitag": 4, "samstag": 5, "sonnabend": 5,
    "sonntag": 6,
    "mo": 0, "di": 1, "mi": 2, "do": 3, "fr": 4, "sa": 5, "so": 6,
    "月": 0, "火": 1, "水": 2, "木": 3, "金": 4, "土": 5, "日": 6,
}  # fmt: skip
_NAMES = "|".join(sorted(filter(str.isascii, WEEKDAYS), key=len, reverse=True))
WEEKDAY = re.compile(
    rf"(?<![^\W\d])\(?(?P<latin>{_NAMES})(?:day|s|sday|nesday|rsday|urday|r|rs)?(?![^\W\d])[.,)]*"
    r"|[（(](?P<kanji>[月火水木金土日])(?:曜日?)?[)）]",
    re.IGNORECASE,
)
CLOCK = re.compile(
    r"(?P<h>\d{1,2})(?:(?:[:.h]|時)(?P<m>\d{2})?(?:分|:\d{2}(?:[.,]\d+)?)?\s*(?P<half>[ap])?\.?m?\.?|\s*(?P<only>[ap])\.?m\.?)"
    r"(?:\s*(?:uhr|o'clock))?",
    re.IGNORECASE,
)
# A time of day behind a date, with or without a zone: 2026-01-13T19:30:05.120+02:00, 5/6/2024, 7:30 PM.
TAIL = re.compile(
    r"(?P<date>.*?[\w).])(?:\s*,\s*|\s+(?:at|um|@)\s+|\s+|T|(?<=[日)])(?=\d))"
    r"(?P<time>\d{1,2}(?:[:時h]|\.\d{2}(?=\s*uhr))[\d:.,分]*\s*(?:[ap]\.?m\.?|uhr)?|\d{1,2}\s*[ap]\.?m\.?)"
    r"\s*(?P<zone>Z|UTC|GMT|[+-](?:0\d|1[0-4]):?[0-5]\d|[+-](?:0\d|1[0-4]))?",
    re.IGNORECASE,
)
BASIC = re.compile(
    r"(\d{8})T(\d{2})(\d{2})(?:\d{2}(?:[.,]\d+)?)?(Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?", re.IGNORECASE
)
ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
ISO_WEEK = re.compile(r"(\d{4})-?W(\d{2})-?([1-7])")
ORDINAL = re.compile(r"(\d{4})-(\d{3})")
COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
JAPANESE = re.compile(r"(?:(\d{4})|(令和|平成|[RH])\s*(\d{1,2}|元))年\s*(\d{1,2})月\s*(\d{1,2})日")
DAY_FIRST = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4}|\d{2})")
SLASHES = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d{2})")
SHORT = re.compile(r"(\d{2})([-/.])(\d{1,2})\2(\d{2})")  # which may begin with the year: 26/01/13
YEAR_LAST = re.compile(r"\d{1,2}\s*[-/.]\s*\d{1,2}\s*[-/.]\s*\d{4}")
NAMED = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+([^\W\d]{3,})\.?,?[\s-]+(\d{4}|\d{2})")
NAMED_FIRST = re.compile(r"([^\W\d]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")


@dataclass(frozen=True)
class Moment:
    """A date as it is written, without the weekday, the time of day and the zone that stand around it."""

    written: str
    weekday: int | None = None  # Monday is 0
    at: time | None = None
    next_day: bool = False  # the time is written like 24:30
    zone: tzinfo | None = None

    def local(self, day: date, tz: tzinfo) -> tuple[date, time | None]:
        """Convert the written day and time to the club's time zone."""
        if self.at is None:
            return day, None
        written = datetime.combine(day, self.at, tzinfo=self.zone or tz) + timedelta(days=self.next_day)
        there = written.astimezone(tz)
        return there.date(), there.time().replace(second=0, microsecond=0)


@lru_cache(MOST_KEPT)
def moment(text: str) -> Moment:
    """Divide a text into date, weekday, time of day and zone; what is no date stays as it is."""
    folded = " ".join(unicodedata.normalize("NFKC", text).split())
    if (match := BASIC.fullmatch(folded)) and _is_time(match):
        return Moment(match[1], at=time(int(match[2]), int(match[3])), zone=_zone(match[4]))
    weekday, rest = _without_weekday(folded)
    match = TAIL.fullmatch(rest)
    at = clock(match["time"]) if match else None
    if match is None or at is None:
        return Moment(rest, weekday)
    return Moment(match["date"].rstrip(" ,"), weekday, *at, zone=_zone(match["zone"]))


def _is_time(match: re.Match[str]) -> bool:
    return int(match[2]) < 24 and int(match[3]) < 60  # noqa: PLR2004


def _without_weekday(text: str) -> tuple[int | None, str]:
    """Split the weekday off a date; return None and the unchanged text if there is none."""
    match = WEEKDAY.search(text)
    rest = (
        " ".join((text[: match.start()] + " " + text[match.end() :]).split()).strip(" ,") if match else text
    )
    if match is None or not any(map(str.isdigit, rest)):
        return None, text
    return WEEKDAYS[(match["latin"] or match["kanji"]).casefold()], rest


def _zone(text: str | None) -> tzinfo | None:
    if not text:
        return None
    if text[0] not in "+-":
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset) if offset < timedelta(days=1) else None


@lru_cache(MOST_KEPT)
def clock(text: str) -> tuple[time, bool] | None:
    """Read a time of day: 21:40, 9:40pm, 21時40分; the second value says that it is of the next day (24:30)."""
    folded = unicodedata.normalize("NFKC", text).strip()
    match = CLOCK.fullmatch(folded)
    half = match and (match["half"] or match["only"])
    if match is None or (match["m"] is None and not half and "時" not in folded):
        return None
    hours, minutes = int(match["h"]), int(match["m"] or 0)
    if half:
        if not 1 <= hours <= 12:  # noqa: PLR2004
            return None
        hours = hours % 12 + 12 * (half.lower() == "p")
    if hours >= 30 or minutes >= 60:  # noqa: PLR2004
        return None
    return time(hours % 24, minutes), hours >= 24  # noqa: PLR2004


@lru_cache(MOST_KEPT)
def dates(text: str) -> tuple[date, ...]:
    """Read a date: one, or for 03/04/2026 two, with the day first and with the month first; () if it is none.

    A weekday and a time of day may stand beside it.
    """
    read = moment(text)
    found = _dates(read.written)
    if read.weekday is not None and len(found) > 1:
        found = tuple(day for day in found if day.weekday() == read.weekday) or found
    return found


def _dates(text: str) -> tuple[date, ...]:
    for pattern, read in FORMS:
        if match := pattern.fullmatch(text):
            return read(match)
    if text.isdecimal() and text.isascii() and FIRST_SERIAL <= int(text[:7]) <= LAST_SERIAL:
        return (EPOCH + timedelta(days=int(text)),)
    return ()


def year_first(text: str) -> date | None:
    """Read 26/01/13 as 13 January 2026; None for a date with a year of four figures, and for no date."""
    match = SHORT.fullmatch(moment(text).written)
    return next(iter(_real((match[1], match[3], match[4]))), None) if match else None


def with_year(text: str, year: int) -> str:
    """Add the year to a date that is written without one (10 Feb, 10.2., 2/10, 2月10日); other texts stay."""
    read = moment(text)
    if _dates(read.written):
        return text
    tries = (
        f"{read.written} {year}",
        f"{read.written}{year}",
        f"{read.written}/{year}",
        f"{year}年{read.written}",
    )
    full = next((each for each in tries if YEARLESS.fullmatch(read.written) and _dates(each)), "")
    return text.replace(read.written, full, 1) if full else text


def lacks_year(text: str) -> bool:
    """Tell whether a text is a date but for its year."""
    return with_year(text, LEAP) != text


def contradicts_weekday(text: str) -> bool:
    """Tell whether a date stands beside a weekday on which it cannot fall."""
    weekday, found = moment(text).weekday, dates(text)
    return weekday is not None and bool(found) and all(day.weekday() != weekday for day in found)


def _japanese(match: re.Match[str]) -> tuple[date, ...]:
    year = match[1] or ERAS[match[2]] + (1 if match[3] == "元" else int(match[3]))
    return _real((year, match[4], match[5]))


def _named(year: str, month: str, day: str) -> tuple[date, ...]:
    folded = month.casefold()
    number_of_month = next((n for name, n in MONTHS.items() if folded.startswith(name)), None)
    return _real((year, number_of_month, day)) if number_of_month else ()


def _of_week(match: re.Match[str]) -> tuple[date, ...]:
    try:
        return (date.fromisocalendar(int(match[1]), int(match[2]), int(match[3])),)
    except ValueError:
        return ()


def _ordinal(match: re.Match[str]) -> tuple[date, ...]:
    if not 1900 <= int(match[1]) <= 2200 or not 1 <= int(match[2]) <= 366:  # noqa: PLR2004
        return ()
    day = date(int(match[1]), 1, 1) + timedelta(days=int(match[2]) - 1)
    return (day,) if day.year == int(match[1]) else ()


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
    (ISO_WEEK, _of_week),
    (ORDINAL, _ordinal),
)
