"""A player's opponents in a sentence."""

from collections.abc import Sequence

from forecasts.opponents import Opponent
from league import formats
from league.models import Player
from league.vocabulary import gettext as _

ENOUGH = 5  # meetings, from which on a difference says something
NOTABLE = 2.0  # more times ahead than expected


def opponents_in_words(player: Player, rows: Sequence[Opponent]) -> str:
    """Say whom the player beats more often than expected, and who beats the player."""
    known = [row for row in rows if row.n_events >= ENOUGH]
    if not known:
        return ""
    best, worst = (choose(known, key=lambda row: row.difference) for choose in (max, min))
    said = []
    if best.difference >= NOTABLE:
        text = _("Against %(opponent)s %(name)s does better than expected: ahead %(ahead)s of %(n)s times.")
        said.append(text % _figures(player, best))
    if worst.difference <= -NOTABLE:
        text = _("Against %(opponent)s %(name)s does worse than expected: ahead %(ahead)s of %(n)s times.")
        said.append(text % _figures(player, worst))
    return " ".join(said)


def _figures(player: Player, row: Opponent) -> dict[str, str]:
    ahead = formats.number(row.ahead, 0 if row.ahead.is_integer() else 1)
    return {"name": player.name, "opponent": row.name, "ahead": ahead, "n": str(row.n_events)}
