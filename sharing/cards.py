"""What the pictures of shared links say: made of what was read, without asking the database or drawing anything.

Every word of a picture is in its card, so tests of names read cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.timezone import localtime

from league import formats
from league.models import Event, Player, PoolKind, Season
from league.templatetags.formatting import rating_name
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.event_story.entries import EventPage, EventRow
from standings.event_story.facts import Story
from standings.event_story.sentences import headline
from standings.models import SeasonSummary, Standing
from standings.pages.headlines import event_headline, event_stand, season_headline
from standings.queries import LeaderRow
from standings.receipts.facts import Receipt
from standings.receipts.sentences import lines as lines_of_receipt
from standings.receipts.sentences import reached
from standings.receipts.text import heading

N_ROWS = 3  # more could not be read at the size of a chat
MOST_AT_TABLE = 4  # of whom all are listed


class Mark(NamedTuple):
    """A badge."""

    letters: str
    is_provisional: bool


class Row(NamedTuple):
    """A line of the picture's table: a place or nothing, a name or label, and figures."""

    place: str
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """The texts of a picture. A portrait is of one player: the badge stands before the name."""

    club: str
    corner: str
    title: str
    text: str = ""
    badge: Mark | None = None
    heads: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    foot: str = ""
    is_portrait: bool = False

    @property
    def words(self) -> str:
        """Everything that the picture says, as one text."""
        badge = self.badge.letters if self.badge else ""
        rows = [" ".join([row.place, row.name, *row.values]) for row in self.rows]
        return "\n".join(
            [self.club, self.corner, self.title, self.text, badge, *self.heads, *rows, self.foot]
        )


def event_card(event: Event, page: EventPage, story: Story) -> Card:
    """Say who won and what it changed. The event was read with its season and club."""
    shown = N_ROWS if page.n_players > MOST_AT_TABLE else MOST_AT_TABLE
    rows = [row for row in page.rows if row.is_last][:shown]
    has_rates = any(row.change is not None for row in rows)
    first = rows[0] if rows and len(page.winners) == 1 else None
    places = 1 if event.pool.kind == PoolKind.PROFIT else 0
    change = rating_name(event.pool.kind) if event.pool.kind == PoolKind.PROFIT else _("Rate")
    return Card(
        club=event.season.club.name,
        corner=formats.listed([event.season.name, _day(event)]),
        title=event_title(event, page, story),
        badge=Mark(first.badge, first.is_provisional) if first and first.badge else None,
        heads=(change, _("Points")) if has_rates else (_("Points"),),
        rows=tuple(_event_row(row, places, has_rates=has_rates) for row in rows),
        foot=event_stand(event, page)[0],
    )


def event_title(event: Event, page: EventPage, story: Story) -> str:
    return headline(page, story) or event_headline(page, str(event))


def _day(event: Event) -> str:
    return date_format(localtime(event.starts_at), "DATE_FORMAT")


def _event_row(row: EventRow, places: int, *, has_rates: bool) -> Row:
    points = "" if row.points is None else formats.points(row.points)
    change = "" if row.change is None else formats.signed(row.change, places)
    return Row(str(row.place), row.name, (change, points) if has_rates else (points,))


def season_card(
    season: Season, summary: SeasonSummary | None, rows: Sequence[LeaderRow], *, is_over: bool
) -> Card:
    """Say who leads a season, or who has won it. The season was read with its club and pool."""
    title = season_headline(summary.facts if summary else None, season.name, has_ended=is_over)
    first = rows[0] if rows and rows[0].rank == 1 and [row.rank for row in rows].count(1) == 1 else None
    return Card(
        club=season.club.name,
        corner=season.name,
        title=title,
        badge=Mark(first.badge, first.is_provisional) if first and first.badge else None,
        heads=(_("%(Events_word)s"), _("Total")),
        rows=tuple(
            Row(
                "" if row.rank is None else str(row.rank),
                row.name,
                (str(row.n_events), formats.points(row.total)),
            )
            for row in rows
        ),
        foot=_so_far(summary),
    )


def _so_far(summary: SeasonSummary | None) -> str:
    if summary is None:
        return ""
    players = ngettext("%(n)d player", "%(n)d players", summary.n_players) % {"n": summary.n_players}
    if not summary.n_events:  # all totals are brought forward
        return players
    events = ngettext("%(n)d %(event_word)s", "%(n)d %(events_word)s", summary.n_events) % {
        "n": summary.n_events
    }
    return formats.listed([players, events])


def receipt_card(receipt: Receipt) -> Card:
    """Say what a night meant for a player."""
    lines = [line for line in lines_of_receipt(receipt) if line.value]
    return Card(
        club=receipt.event.season.club.name,
        corner=formats.listed([receipt.event.season.name, _day(receipt.event)]),
        title=heading(receipt),
        badge=Mark(receipt.badge, is_provisional=False) if receipt.badge else None,
        rows=tuple(
            Row("", formats.listed(filter(None, [line.label, line.text])), (line.value,)) for line in lines
        ),
        foot=formats.listed(reached(receipt)),
    )


def player_card(player: Player, standing: Standing | None) -> Card:
    """Introduce a player by the newest season. The standing was read with season, summary and pool."""
    return _portrait(player, standing, player.name)


def badge_card(player: Player, standing: Standing | None) -> Card:
    """Say which badge a player has."""
    return _portrait(player, standing, badge_title(player, standing))


def badge_title(player: Player, standing: Standing | None) -> str:
    if standing is None or not standing.badge:
        return player.name
    if standing.is_provisional:
        return _("%(name)s is in placement") % {"name": player.name}
    return _("%(name)s is %(badge)s") % {"name": player.name, "badge": standing.badge}


def player_place(standing: Standing | None) -> str:
    """Say where a player stands in a season."""
    if standing is None:
        return ""
    season, rank = standing.season, standing.points_rank
    summary: SeasonSummary | None = getattr(season, "summary", None)
    if rank is None or summary is None:
        return season.name
    return _("%(place)s of %(n)d in %(season)s") % {
        "place": formats.ordinal(rank),
        "n": summary.n_players,
        "season": season.name,
    }


def _portrait(player: Player, standing: Standing | None, title: str) -> Card:
    club = player.club.name
    if standing is None:
        return Card(club, "", title, is_portrait=True)
    return Card(
        club=club,
        corner="",
        title=title,
        text=player_place(standing),
        badge=Mark(standing.badge, standing.is_provisional) if standing.badge else None,
        rows=tuple(Row("", label, (value,)) for label, value in _figures(standing)),
        is_portrait=True,
    )


def _figures(standing: Standing) -> list[tuple[str, str]]:
    kind = standing.season.pool.kind
    figures = [(_("%(Events_word)s"), str(standing.n_events)), (_("%(Wins_word)s"), str(standing.n_wins))]
    if standing.rate is None:
        return figures
    is_profit = kind == PoolKind.PROFIT
    rate = formats.number(standing.rate, 1) if is_profit else formats.whole_rate(standing.rate)
    return [(rating_name(kind) if is_profit else _("Rate"), rate), *figures]
