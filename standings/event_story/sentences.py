"""The headline of an event with its consequence, and what stands below the names on the podium."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.text import capfirst

from league import formats
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from standings.event_story.entries import EventPage, EventRow
from standings.event_story.facts import MOST_ON_PODIUM, PODIUM, Rated, Story
from standings.models import Standing

FIRST = 1


class Step(NamedTuple):
    """A step of the podium, and below the name what the result means for the player."""

    row: EventRow
    words: str


def headline(page: EventPage, story: Story) -> str | None:
    """Say who won and what follows for the season; None if there is no single winner."""
    first = page.rows[0] if page.rows and page.number == 1 else None
    if first is None or len(page.winners) != 1 or page.n_players < 2:  # noqa: PLR2004  nobody was beaten
        return None
    if first.balance is not None:  # of a game the balance says more
        return None
    standing = story.standings.get(first.player_id)
    consequence = _with_consequence(first.name, story.n_wins, standing) if standing else None
    if consequence:
        return consequence
    if story.n_wins > 1:
        return _("%(name)s wins for the %(nth)s time this season") % {
            "name": first.name,
            "nth": formats.nth(story.n_wins),
        }
    return None


def _with_consequence(name: str, n_wins: int, standing: Standing) -> str | None:
    rank, moved = standing.points_rank, standing.points_moved
    values = {
        "name": name,
        "nth": formats.nth(n_wins),
        "n": abs(moved or 0),
        "place": formats.ordinal(rank or 0),
    }
    is_again = n_wins > 1
    if rank == FIRST:
        texts = (
            (
                _("%(name)s wins for the %(nth)s time and takes the lead"),
                _("%(name)s wins and takes the lead"),
            )
            if moved
            else (_("%(name)s wins for the %(nth)s time and stays ahead"), _("%(name)s wins and leads"))
        )
        return texts[0 if is_again else 1] % values
    if rank is None or not moved or moved < 0:
        return None
    text = (
        ngettext(
            "%(name)s wins for the %(nth)s time and climbs a place to %(place)s",
            "%(name)s wins for the %(nth)s time and climbs %(n)d places to %(place)s",
            moved,
        )
        if is_again
        else ngettext(
            "%(name)s wins and climbs a place to %(place)s",
            "%(name)s wins and climbs %(n)d places to %(place)s",
            moved,
        )
    )
    return text % values


def podium(page: EventPage, story: Story) -> list[Step]:
    """List who came first, second and third, if that are few."""
    if page.number != 1 or page.n_players <= PODIUM:
        return []
    rows = [row for row in page.rows if row.is_last and row.place <= PODIUM]
    rated, bests = story.of_player, {each.player_id for each in story.bests}
    if len(rows) > MOST_ON_PODIUM:
        return []
    return [
        Step(row, capfirst(formats.listed(_meaning(row, rated.get(row.player_id), row.player_id in bests))))
        for row in rows
    ]


def _meaning(row: EventRow, rated: Rated | None, is_best: bool) -> Sequence[str]:
    parts = []
    if rated:
        parts.append(_("expected %(expected)s") % {"expected": formats.number(rated.expected, 1)})
        text = (
            _("rate %(change)s to %(rate)s, the highest yet") if is_best else _("rate %(change)s to %(rate)s")
        )
        places = 1 if row.balance is not None else 0
        parts.append(
            text
            % {
                "change": formats.signed(rated.change, places),
                "rate": formats.number(rated.after, 1) if places else formats.whole_rate(rated.after),
            }
        )
    return parts


def upset_words(story: Story) -> str:
    """Say who finished before whom, and how much higher the other one was rated."""
    if story.upset is None:
        return ""
    values = {
        "name": story.upset.better.name,
        "other": story.upset.other.name,
        "gap": formats.number(story.upset.gap),
    }
    return _("%(name)s finished before %(other)s, who was rated %(gap)s higher.") % values


def strength_words(story: Story) -> str:
    """Write how many players had each badge: S 2, B1 3."""
    return formats.listed(f"{letters} {n}" for letters, n in story.strength)
