"""Names in results that programs send: a doubtful one is refused with whom it may mean."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

from league.models import Club
from league.names.near import Doubt, doubts
from league.queries import players_by_key


def name_players(club: Club, seats: Iterable[dict[str, Any]], *, field: str, new_players: bool) -> None:
    """Give seats that state a `player_id` the name of that player.

    Raise ValidationError for a player of another club, and, unless new players are expected, for unknown names that
    resemble others; `field` is that of the seats.
    """
    seats, known = list(seats), players_by_key(club)
    names = dict(known.values())
    for seat in seats:
        if (player_id := seat.get("player_id")) is not None:
            if player_id not in names:
                text = _("The club has no player with the id %(id)d.") % {"id": player_id}
                raise ValidationError({field: [text]})
            seat["player"] = names[player_id]
    found = [] if new_players else doubts([seat["player"] for seat in seats], known)
    if found:
        raise ValidationError({field: [_message(doubt) for doubt in found]})


def _message(doubt: Doubt) -> str:
    likely = [
        name if player_id is None else _("%(name)s (player_id %(id)d)") % {"name": name, "id": player_id}
        for player_id, name in ((one.player_id, one.name) for one in doubt.suggestions)
    ]
    return _(
        "“%(typed)s” is unknown and resembles %(names)s. Send the player_id, the name itself, or"
        " new_players: true if all unknown names are new."
    ) % {"typed": doubt.typed, "names": " / ".join(likely)}
