"""What the page of a season tells beside its table: who is ahead or has won, since when, and the podium."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import formats
from league.formats import points as points_in_words
from standings.points.race import Race
from standings.queries import LeaderPage, LeaderRow

PODIUM = 3  # positions
MOST_ON_PODIUM = 6  # players who share them


class Placed(NamedTuple):
    """A player on the podium of a season."""

    place: int
    player_id: int
    name: str
    badge: str
    is_provisional: bool


class SeasonStep(NamedTuple):
    """A step of the podium, and below the name what the player has won."""

    row: Placed
    words: str


def season_podium(page: LeaderPage) -> list[SeasonStep]:
    """List who came first, second and third in an ended season, if that are few; `page` is one by points."""
    if page.number != 1 or page.n_rows <= PODIUM:
        return []
    first = [(row.rank, row) for row in page.rows if row.rank is not None and row.rank <= PODIUM]
    if len(first) > MOST_ON_PODIUM:
        return []
    return [
        SeasonStep(Placed(rank, row.player_id, row.name, row.badge, row.is_provisional), _won(row))
        for rank, row in first
    ]


def _won(row: LeaderRow) -> str:
    n = 1 if row.total == 1 else 2
    parts = [
        ngettext("%(points)s point", "%(points)s points", n) % {"points": points_in_words(row.total)},
        *([ngettext("%(n)d win", "%(n)d wins", row.n_wins) % {"n": row.n_wins}] if row.n_wins else []),
    ]
    return formats.listed(parts)


def race_in_words(race: Race) -> str:
    """Say who is ahead, by how much, since when."""
    lines = race.lines
    values = {
        "n": race.n_events,
        "first": lines[0].name,
        "points": points_in_words(lines[0].totals[-1]),
    }
    if len(lines) == 1:
        return _("After event %(n)d: %(first)s %(points)s points.") % values
    values |= {"second": lines[1].name, "behind": points_in_words(lines[1].totals[-1])}
    if lines[0].totals[-1] == lines[1].totals[-1]:
        return _("After event %(n)d: %(first)s and %(second)s level with %(points)s points.") % values
    values["since"] = race.leads_since
    return (
        _(
            "After event %(n)d: %(first)s %(points)s points, %(second)s %(behind)s."
            " Of these players nobody has been ahead of %(first)s since event %(since)d."
        )
        % values
    )


def won_in_words(race: Race) -> str:
    """Say who won an ended season, and how early; nothing if points alone did not decide."""
    if race.decided_after is None:
        return ""
    n_left = race.n_events - race.decided_after
    if n_left == 0:
        return _("%(name)s won at the last event") % {"name": race.lines[0].name}
    text = ngettext(
        "%(name)s won with %(n)d event to spare", "%(name)s won with %(n)d events to spare", n_left
    )
    return text % {"name": race.lines[0].name, "n": n_left}


def decision_in_words(race: Race) -> str:
    """Say when an ended season was decided; nothing if that cannot be said."""
    if race.decided_after is None:
        return ""
    n_left = race.n_events - race.decided_after
    values = {"first": race.lines[0].name, "n": race.decided_after, "left": n_left}
    if n_left == 0:
        return _("Decided at the last event: until then another player could have won.")
    return (
        ngettext(
            "Decided after event %(n)d, with %(left)d to come: nobody could catch up with %(first)s any more.",
            "Decided after event %(n)d, with %(left)d to come: nobody could catch up with %(first)s any more, not even"
            " by winning all of them.",
            n_left,
        )
        % values
    )
