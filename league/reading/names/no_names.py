"""Recognise what stands in lists and messages and is nobody's name: totals, links, titles."""

import re

TOTAL = re.compile(
    r"(?:grand |sub)?(?:total|totals|sum|summe|gesamt|average|avg|mean|合計|平均|計|小計|総計)\s*(?:[:：(（=\d].*)?"
    r"|(?:total |prize ?)?(?:pot|pool|prize pool|entries|entrants|players|participants|runners|参加人数|人数|buy-?ins?"
    r"|re-?buys?|add-?ons?|fees?|rake|bount(?:y|ies)|prizes?|payouts?|参加費|賞金)"
    r"\s*[:：(（=]?\s*(?:[¥￥$€£]?[\d.,]+.*)?",
    re.IGNORECASE,
)
LABELLED = re.compile(r"[^\W\d][^:：]*[:：]\s*[¥￥$€£]?[\d.,]+\s*")
AROUND = re.compile(r"^[\s|_*=~#.•>–—-]+|[\s|_*=~#.•<–—-]+$")  # lines and signs with which a total is set off
LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
# Words of a heading over results; a name may hold one, so only the first and last lines of a text are titles.
TITLE = re.compile(
    r"\b(?:results?|standings?|ranking|leaderboard|poker|mahjong|tournament|tourney|league|championship|season|event"
    r"|ergebnis(?:se)?|turnier|rangliste|liga|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
    r"|結果|成績|大会|順位|例会|リーグ",
    re.IGNORECASE,
)
DATE = re.compile(
    r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}月\d{1,2}日"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b"
    r"|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b",
    re.IGNORECASE,
)
MOST_WORDS = 6  # of a name: more is a sentence
LEAST_WORDS = 4  # in small letters, that are no name


def is_total(text: str) -> bool:
    """Whether a text is the label of a total and no name, whatever signs stand around it."""
    return bool(TOTAL.fullmatch(AROUND.sub("", AROUND.sub("", text))))


def is_no_name(cell: str) -> bool:
    """Whether a cell is that of a total, or a label with a number, like "Rebuys: 4", which stands below tables."""
    return is_total(cell) or bool(LABELLED.fullmatch(cell))


def is_title(text: str) -> bool:
    """Whether a line looks like the title of results: with such a word, a date, or a colon at its end."""
    return bool(TITLE.search(text) or DATE.search(text)) or text.rstrip().endswith((":", "："))


def is_sentence(text: str) -> bool:
    """Whether a text is too long for a name, ends like a sentence, or is one in small letters."""
    words = text.split()
    ends = len(words) > 1 and text.rstrip().endswith(("!", "?", "。", "！", "？"))
    is_small = len(words) >= LEAST_WORDS and text.isascii() and text.islower()
    return len(words) > MOST_WORDS or ends or is_small
