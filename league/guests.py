"""New guests of a result, in a sentence."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.formats import listed

MOST_NAMED = 12


class Guest(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def like(self) -> str: ...


def guests_text(guests: Sequence[Guest]) -> str:
    """List the new guests in a sentence; empty if there are none."""
    if not guests:
        return ""
    text = ngettext("%(n)d new guest: %(names)s.", "%(n)d new guests: %(names)s.", len(guests))
    return text % {"n": len(guests), "names": listed(_named(guests))}


def _named(guests: Sequence[Guest]) -> Iterable[str]:
    for guest in guests[:MOST_NAMED]:
        like = _("%(name)s (like %(like)s)") % {"name": guest.name, "like": guest.like}
        yield like if guest.like else guest.name
    if (n := len(guests) - MOST_NAMED) > 0:
        yield ngettext("%(n)d more", "%(n)d more", n) % {"n": n}
