"""The words of a club: of its nights and the events at them, of going out and of winning.

They are arguments of messages, `%(event_word)s` for one, which the functions of this module fill in: all others are
left to whoever asked. In templates `{% blocktranslate %}` knows them too, as `{{ event_word }}`.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from django.utils import translation
from django.utils.functional import lazy
from django.utils.text import capfirst
from django.utils.translation import get_language

from league.models import Club, EventWord, NightWord, OutWord

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Noun(NamedTuple):
    """A noun of both languages; Japanese nouns have one form."""

    one: str
    many: str
    ja: str

    @property
    def with_article(self) -> str:
        return f"{'an' if self.one[0] in 'aeiou' else 'a'} {self.one}"


EVENT = Noun("event", "events", "大会")
EVENT_WORDS = {
    EventWord.EVENING: Noun("evening", "evenings", "定例戦"),
    EventWord.NIGHT: Noun("night", "nights", "ナイト"),
    EventWord.TOURNAMENT: Noun("tournament", "tournaments", "トーナメント"),
    EventWord.RACE: Noun("race", "races", "レース"),
    EventWord.GAME: Noun("game", "games", "ゲーム"),
    EventWord.HANCHAN: Noun("hanchan", "hanchan", "半荘"),
    EventWord.MATCH: Noun("match", "matches", "試合"),
    EventWord.ROUND: Noun("round", "rounds", "ラウンド"),
}
NIGHT_WORDS = {
    NightWord.EVENING: Noun("evening", "evenings", "例会"),
    NightWord.NIGHT: Noun("night", "nights", "ナイト"),
    NightWord.MEETING: Noun("meeting", "meetings", "例会"),
    NightWord.WEEKEND: Noun("race weekend", "race weekends", "レースウィーク"),
    NightWord.DAY: Noun("match day", "match days", "開催日"),
}
# Events of which a night has several: what the night is called if the club does not say.
NIGHTS_OF_SEVERAL = {
    EventWord.RACE: NightWord.WEEKEND,
    EventWord.GAME: NightWord.NIGHT,
    EventWord.HANCHAN: NightWord.MEETING,
    EventWord.MATCH: NightWord.DAY,
    EventWord.ROUND: NightWord.DAY,
}
OUT = Noun("bust", "busts", "敗退")
OUT_WORDS = {
    OutWord.ELIMINATION: Noun("elimination", "eliminations", "脱落"),
    OutWord.EXIT: Noun("exit", "exits", "退場"),
    OutWord.DEFEAT: Noun("defeat", "defeats", "敗北"),
}
# The first of a game among several of a night has not won a title.
WIN, FIRST = Noun("win", "wins", "優勝"), Noun("win", "wins", "トップ")
NO_TITLES = {EventWord.GAME, EventWord.HANCHAN}


class Vocabulary(NamedTuple):
    """Name a club's nights and events, those of them that have scores or balances, going out and winning."""

    night: Noun
    event: Noun
    game: Noun
    out: Noun
    win: Noun
    outlasts: str  # what whoever wins does to the others, in English: now and in the past
    outlasted: str

    def words(self, language: str) -> dict[str, str]:
        """List the arguments of messages."""
        nouns = {
            "night": self.night,
            "event": self.event,
            "game": self.game,
            "bust": self.out,
            "win": self.win,
        }
        found = {"outlasts_word": self.outlasts, "outlasted_word": self.outlasted}
        for name, noun in nouns.items():
            is_ja = language.startswith("ja")
            article = "an" if name == "event" else "a"
            forms = {
                f"{name}_word": noun.ja if is_ja else noun.one,
                f"{name}s_word": noun.ja if is_ja else noun.many,
                f"{article}_{name}_word": noun.ja if is_ja else noun.with_article,
            }
            found |= forms | {capfirst(key): capfirst(value) for key, value in forms.items()}
        return found


@cache
def _vocabulary(event_word: str, night_word: str, out_word: str) -> Vocabulary:
    event = EVENT_WORDS.get(EventWord(event_word), EVENT)
    night = NightWord(night_word) or NIGHTS_OF_SEVERAL.get(EventWord(event_word), NightWord.SAME)
    return Vocabulary(
        night=NIGHT_WORDS.get(NightWord(night), event),
        event=event,
        game=event if event_word else EVENT_WORDS[EventWord.GAME],
        out=OUT_WORDS.get(OutWord(out_word), OUT),
        win=FIRST if event_word in NO_TITLES else WIN,
        outlasts="beats" if event_word in NIGHTS_OF_SEVERAL else "outlasts",
        outlasted="beat" if event_word in NIGHTS_OF_SEVERAL else "outlasted",
    )


@cache
def _words(vocabulary: Vocabulary, language: str) -> dict[str, str]:
    return vocabulary.words(language)


USUAL = _vocabulary("", "", "")
_current: ContextVar[Vocabulary] = ContextVar("vocabulary", default=USUAL)
NAMES = frozenset(USUAL.words("en"))
ARGUMENT = re.compile(rf"%\(({'|'.join(sorted(NAMES))})\)s")


@contextmanager
def in_words_of(club: Club) -> Iterator[None]:
    """Use the club's vocabulary inside the block, in whichever language is active."""
    token = _current.set(vocabulary_of(club))
    try:
        yield
    finally:
        _current.reset(token)


def vocabulary_of(club: Club) -> Vocabulary:
    return _vocabulary(club.event_word, club.night_word, club.out_word)


def word(name: str) -> str:
    """Return a word of the current vocabulary in the active language, by the name of its argument."""
    return _words(_current.get(), get_language() or "en")[name]


def _worded(message: str) -> str:
    """Fill the words in; the other arguments of a message stay."""
    return ARGUMENT.sub(lambda found: word(found[1]), message) if "_word)s" in message else message


def gettext(message: str) -> str:
    """Translate a message, with the words of the club."""
    return _worded(translation.gettext(message))


def ngettext(singular: str, plural: str, number: int) -> str:
    """Translate a message of a number, with the words of the club."""
    return _worded(translation.ngettext(singular, plural, number))


gettext_lazy: "Callable[[str], StrPromise]" = lazy(gettext, str)  # type: ignore[assignment]  # is a promise
