"""The result of an event as plain text for chats, in the language and words of its club."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from django.utils import translation

from league import formats
from league.models import Event
from league.vocabulary import in_words_of, ngettext
from sharing.cards import event_title
from standings.event_story.entries import EventPage, EventRow
from standings.event_story.facts import Story
from standings.pages.headlines import event_kicker

MOST_LINES = 40  # more places would fill the chat


def result_text(event: Event, page: EventPage, story: Story, address: str) -> str:
    """Write who finished where. The event was read with its season and club; `address` is that of its page."""
    club = event.season.club
    with ExitStack() as spoken:
        if club.language:
            spoken.enter_context(translation.override(club.language))
        spoken.enter_context(in_words_of(club))
        return "\n".join(_lines(event, page, story, address))


def _lines(event: Event, page: EventPage, story: Story, address: str) -> Iterator[str]:
    yield event.season.club.name
    yield event_kicker(event)
    yield ""
    yield event_title(event, page, story)
    yield ""
    yield from _places([row for row in page.rows if row.is_last], page.n_players)
    yield ""
    yield address


def _places(rows: Sequence[EventRow], n_players: int) -> Iterator[str]:
    for row in rows[:MOST_LINES]:
        gains = formats.listed(_gains(row))
        yield f"{row.place}. {row.name} ({gains})" if gains else f"{row.place}. {row.name}"
    n = n_players - MOST_LINES
    if n > 0:
        yield ngettext("and %(n)d more", "and %(n)d more", n) % {"n": n}


def _gains(row: EventRow) -> Iterator[str]:
    """List what an entry brought: its balance, and its points if there are any and they are not the balance."""
    if row.balance is not None:
        yield formats.signed(row.balance, 1)
    if row.points and row.points != row.balance:
        n = 1 if row.points == 1 else 2  # only exactly 1 is singular: 1.5 points
        yield ngettext("%(points)s point", "%(points)s points", n) % {"points": formats.points(row.points)}
