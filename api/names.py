"""Names in results that programs send: a doubtful one is refused with whom it may mean."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from league.models import Club
from league.queries import players_by_key
from reading.names.keys import name_key
from reading.names.near import Doubt, Known, doubts


def name_players(
    club: Club, seats: Iterable[dict[str, Any]], *, field: str, new_players: bool
) -> dict[str, int | str]:
    """Give seats that state a `player_id` the name of that player; return the other names that were sent with one.

    Raise ValidationError for a player of another club, for the name of another player beside a `player_id`, and, unless
    new players are expected, for unknown names that resemble others; `field` is that of the seats.
    """
    seats, known = list(seats), players_by_key(club)
    names = dict(known.values())
    aliases: dict[str, int | str] = {}
    meant: dict[str, int | None] = {name_key(seat["player"]): None for seat in seats if _is_bare(seat)}
    for seat in seats:
        if (player_id := seat.get("player_id")) is not None:
            if player_id not in names:
                text = _("The club has no player with the id %(id)d.") % {"id": player_id}
                raise ValidationError({field: [text]})
            if typed := seat.get("player"):
                _require_of(player_id, typed, known, field)
                if name_key(typed) not in known:
                    if meant.setdefault(name_key(typed), player_id) != player_id:
                        text = _("“%(name)s” stands there for two players.") % {"name": typed}
                        raise ValidationError({field: [text]})
                    aliases[typed] = player_id
            seat["player"] = names[player_id]
    if not new_players:
        require_certain([seat["player"] for seat in seats], known, field)
    return aliases


def require_certain(names: Iterable[str], known: Known, field: str) -> None:
    """Raise ValidationError for unknown names that resemble known ones, or each other."""
    if found := doubts(list(dict.fromkeys(names)), known):
        raise ValidationError({field: [_message(doubt) for doubt in found]})


def _is_bare(seat: dict[str, Any]) -> bool:
    """Tell whether a seat names its player by the name alone."""
    return seat.get("player_id") is None and "player" in seat


def _require_of(player_id: int, typed: str, known: Known, field: str) -> None:
    """Raise ValidationError if a name that was sent with an id is that of another player."""
    whose = known.get(name_key(typed))
    if whose is not None and whose[0] != player_id:
        text = _("“%(name)s” is the name of the player %(id)d.") % {"name": typed, "id": whose[0]}
        raise ValidationError({field: [text]})


def _message(doubt: Doubt) -> str:
    likely = [
        name if player_id is None else _("%(name)s (player_id %(id)d)") % {"name": name, "id": player_id}
        for player_id, name in ((one.player_id, one.name) for one in doubt.suggestions)
    ]
    return _(
        "“%(typed)s” is unknown and resembles %(names)s. Send the player_id, the name itself, or"
        " new_players: true if all unknown names are new."
    ) % {"typed": doubt.typed, "names": " / ".join(likely)}
