"""A club's own words for an event and for going out: they stand in its pages and mails for those of the site.

They are put into the sentences of the catalog, before any name is filled in, so that what people have typed is never
changed. Sentences are written with the site's words: event, events; bust, busts, 大会, 敗退.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.translation import trans_real

from league.models import Club, EventWord, OutWord


class Word(NamedTuple):
    """A noun of both languages; Japanese nouns have one form."""

    one: str
    many: str
    ja: str


EVENT = Word("event", "events", "大会")
OUT = Word("bust", "busts", "敗退")
EVENT_WORDS = {
    EventWord.EVENING: Word("evening", "evenings", "定例戦"),
    EventWord.NIGHT: Word("night", "nights", "ナイト"),
    EventWord.TOURNAMENT: Word("tournament", "tournaments", "トーナメント"),
    EventWord.RACE: Word("race", "races", "レース"),
    EventWord.GAME: Word("game", "games", "対局"),
    EventWord.HANCHAN: Word("hanchan", "hanchan", "半荘"),
    EventWord.MATCH: Word("match", "matches", "試合"),
    EventWord.ROUND: Word("round", "rounds", "ラウンド"),
}
OUT_WORDS = {
    OutWord.ELIMINATION: Word("elimination", "eliminations", "脱落"),
    OutWord.EXIT: Word("exit", "exits", "退場"),
    OutWord.DEFEAT: Word("defeat", "defeats", "敗北"),
}
# What names are filled into, links and other markup stay as they are.
KEPT = r"%\(\w+\)\w|\{\w*\}|<[^>]*>"


class Replacement:
    """Put a club's words into a sentence of the site."""

    def __init__(self, event: Word, out: Word) -> None:
        self.words = {EVENT.one: event.one, EVENT.many: event.many, OUT.one: out.one, OUT.many: out.many}
        self.japanese = {EVENT.ja: event.ja, OUT.ja: out.ja}
        nouns = "|".join(sorted(self.words, key=len, reverse=True))
        self.pattern = re.compile(
            rf"(?P<kept>{KEPT})|(?:\b(?P<article>an?) )?\b(?P<noun>{nouns})\b|(?P<ja>{'|'.join(self.japanese)})",
            re.IGNORECASE,
        )
        self.sentence = lru_cache(maxsize=8192)(self._sentence)

    def _sentence(self, text: str) -> str:
        return self.pattern.sub(self._word, text)

    def _word(self, found: re.Match[str]) -> str:
        if found["kept"]:
            return found["kept"]
        if found["ja"]:
            return self.japanese[found["ja"]]
        word = _like(found["noun"], self.words[found["noun"].lower()])
        return f"{_article(found['article'], word)} {word}" if found["article"] else word


def _article(written: str, word: str) -> str:
    return _like(written, "an" if word[0].lower() in "aeiou" else "a")


def _like(written: str, word: str) -> str:
    """Write a word with a capital letter where the one it replaces has one."""
    return word.capitalize() if written[0].isupper() else word


class ClubTranslation:
    """Wrap the active catalogue of Django; replace "event" and "bust" by a club's own nouns."""

    def __init__(self, site: Any, club: Club) -> None:
        self.site, self.replacement = site, _replacement(club.event_word, club.out_word)

    def gettext(self, message: str) -> str:
        return self.replacement.sentence(self.site.gettext(message))

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return self.replacement.sentence(self.site.ngettext(singular, plural, number))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.site, name)


@cache
def _replacement(event_word: str, out_word: str) -> Replacement:
    return Replacement(EVENT_WORDS.get(EventWord(event_word), EVENT), OUT_WORDS.get(OutWord(out_word), OUT))


def _active() -> Any:
    """The translation of this thread, as its attribute `value`; Django has no other way to wrap it."""
    return trans_real._active  # type: ignore[attr-defined]


@contextmanager
def in_words_of(club: Club) -> Iterator[None]:
    """Use the club's vocabulary inside the block, in whichever language is active."""
    if not (club.event_word or club.out_word):
        yield
        return
    active = _active()
    site = getattr(active, "value", None) or trans_real.translation(settings.LANGUAGE_CODE)
    active.value = ClubTranslation(site, club)
    try:
        yield
    finally:
        active.value = site
