"""Whom a reader follows: how they did on the last night, and where they stand against the reader."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from league import formats
from league.vocabulary import gettext as _
from standings.models import Standing


class FollowedLine(NamedTuple):
    """A followed player: the place on the last night, if there was one, and the distance in the season."""

    name: str
    address: str
    words: str
    change: float | None


def followed_lines(
    followed: Sequence[Standing], own: Standing | None, places: Mapping[int, int]
) -> list[FollowedLine]:
    """Describe the followed players; `places` are those of the last night, by player."""
    return [
        FollowedLine(
            row.player.name,
            row.player.get_absolute_url(),
            _words(row, own, places.get(row.player_id)),
            row.last_change if row.player_id in places else None,
        )
        for row in followed
    ]


def _words(row: Standing, own: Standing | None, place: int | None) -> str:
    parts = []
    if place == 1:
        parts.append(_("won"))
    elif place:
        parts.append(formats.ordinal(place))
    if row.points_rank:
        parts.append(_("%(rank)s in the season") % {"rank": formats.ordinal(row.points_rank)})
    if own is not None and own.pk != row.pk:
        gap = row.total - own.total
        values = {"points": formats.points(abs(gap))}
        if gap > 0:
            parts.append(_("you are %(points)s behind") % values)
        elif gap < 0:
            parts.append(_("you are %(points)s ahead") % values)
        else:
            parts.append(_("level with you"))
    return formats.listed(parts)
