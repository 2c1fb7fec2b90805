"""Refuse passwords that are guessed first: made of the site's own words, or in a list of leaked ones."""

import hashlib
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.utils.translation import gettext as _

# What whoever guesses passwords of this site tries first; the labels of its host names are added to them.
WORDS = (
    "tierboard", "tier", "board", "leaderboard", "league", "club", "season", "tournament", "poker", "holdem", "mahjong",
    "riichi", "player", "organizer", "admin", "password", "welcome",
)  # fmt: skip
SHORTEST_LABEL = 4  # of a host name that counts as a word
MOST_LETTERS = 100  # nobody tries longer ones first
HASH_LETTERS = 40
MOST_OF_LINE = 1_000


class SiteWordsValidator:
    """Refuse passwords whose letters are words of the site, whatever digits and signs are between them."""

    def validate(self, password: str, _user: User | None = None) -> None:
        letters = re.sub(r"[\W\d_]", "", password.lower())
        labels = (label for host in settings.ALLOWED_HOSTS for label in host.lower().split("."))
        words = {*WORDS, *(label for label in labels if len(label) >= SHORTEST_LABEL and label.isalpha())}
        if 0 < len(letters) <= MOST_LETTERS and is_made_of(letters, words):
            raise ValidationError(
                _("This password is made of words of the site alone: others try them first."),
                code="password_site_words",
            )

    def get_help_text(self) -> str:
        return _("Your password can’t be made of words of the site alone.")


def is_made_of(letters: str, words: Collection[str]) -> bool:
    """Tell whether a text is words alone, one after the other, in as many steps as it has letters for each word.

    A regular expression would try each of the ways to divide it, whose number doubles with each word.
    """
    ends = [True, *[False] * len(letters)]  # whether words end there
    for i in range(1, len(ends)):
        ends[i] = any(
            len(word) <= i and ends[i - len(word)] and letters.endswith(word, 0, i) for word in words
        )
    return ends[-1]


class LeakedPasswordValidator:
    """Refuse passwords of the operator's list: lines HASH:COUNT, SHA-1, in order, as Have I Been Pwned has them."""

    def __init__(self, file: str) -> None:
        self.file = Path(file)
        with self.file.open("rb") as lines:
            if not re.match(rb"[0-9A-Fa-f]{40}\b", lines.readline(MOST_OF_LINE)):
                raise ImproperlyConfigured(f"{file} does not begin with a line HASH:COUNT of SHA-1")

    def validate(self, password: str, _user: User | None = None) -> None:
        with self.file.open("rb") as lines:
            if is_listed(lines, password):
                text = _("This password was in a leak of another site: others try it.")
                raise ValidationError(text, code="password_leaked")

    def get_help_text(self) -> str:
        return _("Your password can’t be one that has leaked from another site.")


def is_listed(lines: BinaryIO, password: str) -> bool:
    """Search an ordered list of hashes by halving it, so that one of 40 GB takes 36 looks."""
    wanted = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper().encode()
    low, high = 0, lines.seek(0, os.SEEK_END)
    while low < high:  # the line of the hash, if there is one, begins in [low, high)
        middle = (low + high) // 2
        lines.seek(max(0, middle - 1))
        if middle:
            lines.readline()  # the rest of a line that began before
        found = _next_line(lines)[:HASH_LETTERS].upper()
        if found == wanted:
            return True
        if found and found < wanted:
            low = middle + 1
        else:
            high = middle
    return False


def _next_line(lines: BinaryIO) -> bytes:
    """Read the next line that is not empty."""
    while (line := lines.readline()) and not line.strip():
        pass
    return line
