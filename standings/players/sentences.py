"""What a player's history says, in sentences of the reader's language."""

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from league import formats
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.explanations.sentences import filled
from standings.players.comparison import Compared
from standings.players.figures import (
    Figures,
    Run,
    biggest_gain,
    is_in_best_half,
    longest_run,
)
from standings.players.history import RatedEvent
from standings.players.places import compared, has_nights
from standings.players.positions import Position

LEAST_TOLD = 3  # events, from which on a history has something to say
RECENT = 5


def day_of(row: RatedEvent) -> str:
    return date_format(localtime(row.starts_at), "DATE_FORMAT")


def summary(name: str, history: Sequence[RatedEvent], figures: Figures) -> list[SafeString]:
    """Sum a history up in one or two sentences; nothing after few events."""
    if figures.n_events < LEAST_TOLD:
        return []
    return [*_wins(history, figures), *_way(name, history, figures)]


def _wins(history: Sequence[RatedEvent], figures: Figures) -> list[SafeString]:
    if not figures.n_wins:
        return []
    recent = sum(row.place == 1 for row in history[-RECENT:])
    if recent > 1 and figures.n_events > RECENT:
        text = _("%(wins)s wins in the last %(n)s %(events_word)s, %(all)s in all %(total)s.")
        return [filled(text, wins=_bold(recent), n=RECENT, all=figures.n_wins, total=figures.n_events)]
    text = ngettext(
        "%(wins)s win in %(n)s %(events_word)s.", "%(wins)s wins in %(n)s %(events_word)s.", figures.n_wins
    )
    return [filled(text, wins=_bold(figures.n_wins), n=figures.n_events)]


def _way(name: str, history: Sequence[RatedEvent], figures: Figures) -> list[SafeString]:
    """Say how the badge moved lately, and that the rate was never higher or has come down from its peak."""
    before = history[-RECENT - 1] if len(history) > RECENT else None
    said = []
    if before and not before.is_provisional and before.badge != figures.now.badge:
        text = _("%(name)s has gone from %(before)s to %(now)s since %(day)s.")
        said.append(
            filled(
                text,
                name=name,
                before=_bold(before.badge),
                now=_bold(figures.now.badge),
                day=day_of(before),
            )
        )
    if figures.is_at_its_highest:
        said.append(filled(_("The rate has never been higher.")))
    elif figures.highest is not figures.now and figures.n_events > RECENT:
        down = figures.highest.rate - figures.now.rate
        text = _("Since the peak on %(day)s the rate has come down by %(points)s.")
        said.append(filled(text, day=day_of(figures.highest), points=formats.number(down)))
    return said


def _bold(value: object) -> SafeString:
    return format_html("<b>{}</b>", value)


def curve_in_words(history: Sequence[RatedEvent], figures: Figures) -> str:
    """Say the shape of the curve: where it begins, its ends, where it is now."""
    lowest = min(history, key=lambda row: row.rate)
    return ngettext(
        "Rate after %(n)d %(event_word)s: %(last)s.",
        "Rate over %(n)d %(events_word)s: from %(first)s to %(last)s; highest %(high)s on %(high_day)s, lowest"
        " %(low)s on"
        " %(low_day)s.",
        len(history),
    ) % {
        "n": len(history),
        "first": formats.whole_rate(history[0].rate),
        "last": formats.whole_rate(figures.now.rate),
        "high": formats.whole_rate(figures.highest.rate),
        "high_day": day_of(figures.highest),
        "low": formats.whole_rate(lowest.rate),
        "low_day": day_of(lowest),
    }


def positions_in_words(positions: Sequence[Position]) -> str:
    """Say where the player stands by rate now, and the best position so far."""
    best, now = min(positions, key=lambda each: each.position), positions[-1]
    text = _("By rate %(now)s of %(n)s; best %(best)s on %(day)s.")
    return text % {
        "now": formats.ordinal(now.position),
        "n": now.n_players,
        "best": formats.ordinal(best.position),
        "day": date_format(localtime(best.at), "DATE_FORMAT"),
    }


def places_in_words(history: Sequence[RatedEvent]) -> str:
    """Say how often the player was better than expected."""
    pairs = compared(history)
    better = sum(pair.place <= pair.expected for pair in pairs)
    if has_nights(history):
        text = ngettext(
            "Better than expected at %(better)d of %(n)d %(event_word)s.",
            "Better than expected at %(better)d of %(n)d %(events_word)s.",
            len(pairs),
        )
    else:
        text = ngettext(
            "On average better than expected in %(better)d of %(n)d season.",
            "On average better than expected in %(better)d of %(n)d seasons.",
            len(pairs),
        )
    return text % {"better": better, "n": len(pairs)}


class Record(NamedTuple):
    """A record of a player: what, how much, and when."""

    title: str
    value: str
    when: str


def records(history: Sequence[RatedEvent]) -> list[Record]:
    """The player's own records: the biggest gain, the longest runs."""
    found = []
    if gain := biggest_gain(history):
        found.append(
            Record(_("Biggest gain in one %(event_word)s"), formats.signed(gain.change), day_of(gain))
        )
    for title, run in (
        (_("Longest run of wins"), longest_run(history, lambda row: row.place == 1)),
        (_("Longest run in the best half"), longest_run(history, is_in_best_half)),
    ):
        if run:
            found.append(Record(title, _events(run.n), _span(run)))
    return found


def _events(n: int) -> str:
    return ngettext("%(n)d %(event_word)s", "%(n)d %(events_word)s", n) % {"n": n}


def _span(run: Run) -> str:
    return _("%(first)s to %(last)s") % {"first": day_of(run.first), "last": day_of(run.last)}


def comparison_in_words(players: Sequence[Compared]) -> str:
    """Say who has the highest rate now, and by how much."""
    first, second, *_others = sorted(players, key=lambda player: -player.now.rate)
    shown = [floor(player.now.rate) for player in (first, second)]
    if shown[0] == shown[1]:
        text = _("%(first)s and %(second)s have the same rate.")
        return text % {"first": first.name, "second": second.name}
    lead = formats.number(shown[0] - shown[1])
    text = _("By rate %(first)s is %(lead)s ahead of %(second)s.")
    return text % {"first": first.name, "second": second.name, "lead": lead}
