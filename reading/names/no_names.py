"""Recognise what stands in lists and messages and is nobody's name: totals, links, titles."""

import re

AMOUNT = r"[¥￥$€£]?[\d.,]+"
TOTAL = re.compile(
    r"(?:grand |sub)?(?:totals?|sum|summe|gesamt|average|avg|mean|合計|平均|計|小計|総計|check(?:sum)?|ø)"
    r"(?:\s*(?:scores?|points|pts|得点|点))?\s*(?:[:：(（=/\d].*)?"
    r"|(?:total |prize ?)?(?:pot|pool|prize pool|entries|entrants|players|participants|runners|参加人数|人数|buy-?ins?"
    r"|re-?buys?|add-?ons?|fees?|rake|bount(?:y|ies)|prizes?|payouts?|参加費|賞金)"
    rf"\s*[:：(（=]?\s*(?:{AMOUNT}.*)?"
    r"|[¥￥$€£]\d[\d.,]*\s*(?:pot|prize pool|pool)",
    re.IGNORECASE,
)
LABELLED = re.compile(rf"[^\W\d][^:：]*[:：]\s*{AMOUNT}\s*")
# Lines and signs with which a total is set off.
AROUND = re.compile(r"^[\s|_*=~#.•>–—\[\](){}-]+|[\s|_*=~#.•<–—\[\]{}-]+$")
BRACKETED = re.compile(r"^\((.*)\)$")
LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
# Words of a heading over results; a name may hold one, so only the first and last lines of a text are titles.
TITLE = re.compile(
    r"\b(?:results?|standings?|ranking|leaderboard|poker|mahjong|tournament|tourney|league|championship|season|event"
    r"|game|week|round|table|finishing order|session|ergebnis(?:se)?|turnier|rangliste|liga"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
    r"|結果|成績|大会|順位|例会|リーグ",
    re.IGNORECASE,
)
MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
DATE = re.compile(
    r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}月\d{1,2}日"
    rf"|\b(?:{MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:{MONTH})\b",
    re.IGNORECASE,
)
MOST_WORDS = 6  # of a name: more is a sentence
FEW_WORDS = 3  # of a title that could be a name
LEAST_WORDS = 4  # in small letters, that are no name


def is_total(text: str) -> bool:
    """Tell whether a text labels a total, ignoring signs around it."""
    bare = BRACKETED.sub(r"\1", text.strip())
    return bool(TOTAL.fullmatch(AROUND.sub("", AROUND.sub("", bare))))


def is_no_name(cell: str) -> bool:
    """Tell whether a cell labels a total or a figure below a table, like "Rebuys: 4"."""
    return is_total(cell) or bool(LABELLED.fullmatch(cell))


def is_title(text: str) -> bool:
    """Tell whether a line looks like the title of results: with such a word, a date, or a colon at its end."""
    return bool(TITLE.search(text) or DATE.search(text)) or text.rstrip().endswith((":", "："))


def can_be_name(text: str) -> bool:
    """Tell whether a title could be somebody's name as well: a few words and nothing else."""
    return len(text.split()) <= FEW_WORDS and not any(char.isdigit() or char in ":：,!?" for char in text)


def is_sentence(text: str, *, are_all_small: bool = False) -> bool:
    """Tell whether a text is too long for a name, ends like a sentence or is an all-lowercase sentence."""
    words = text.split()
    ends = len(words) > 1 and text.rstrip().endswith(("!", "?", "。", "！", "？"))
    is_small = len(words) >= LEAST_WORDS and text.isascii() and text.islower() and not are_all_small
    return len(words) > MOST_WORDS or ends or is_small
