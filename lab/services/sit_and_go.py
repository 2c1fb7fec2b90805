"""Writes of sit-and-gos: each is one transaction, and changes one row."""

import secrets
from collections.abc import Callable, Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from lab.engine.holdem import sit_and_go as engine
from lab.engine.holdem.hand import Action, NotAllowedError
from lab.engine.holdem.styles import RANDOM
from lab.models import SitAndGo
from league.services.errors import Refused, Stale

SEED_BITS = 63
DRAW_BITS = 31  # of a player at random
KEPT = timedelta(days=30)


def open_game(styles: Sequence[str]) -> SitAndGo:
    """Begin a game against players of the given styles; those at random are drawn."""
    drawn = [f"{style}-{secrets.randbits(DRAW_BITS)}" if style == RANDOM else style for style in styles]
    game = engine.start(drawn, secrets.randbits(SEED_BITS))
    return SitAndGo.objects.create(state=game.to_json(), played_at=timezone.now())


def take_decision(token: UUID, *, version: int, action: Action, to: int = 0) -> None:
    """Take the person's decision; `Stale` if the game has gone on since the page was opened."""
    _change(token, version, lambda game: engine.take_decision(game, action, to))


def begin_next_hand(token: UUID, *, version: int) -> None:
    """Go on to the next hand; `Stale` if the game has gone on since the page was opened."""
    _change(token, version, engine.begin_next_hand)


def purge_games() -> None:
    """Delete games that nobody has played for a month."""
    SitAndGo.objects.filter(played_at__lt=timezone.now() - KEPT).delete()


@transaction.atomic
def _change(token: UUID, version: int, change: Callable[[engine.Game], None]) -> None:
    row = SitAndGo.objects.select_for_update().get(pk=token)
    if row.version != version:
        raise Stale(_("The game has gone on since you opened this page. This is how it stands now."))
    game = engine.Game.of_json(row.state)
    try:
        change(game)
    except NotAllowedError as error:
        raise Refused(_("That is not possible at this moment of the game.")) from error
    row.state, row.version, row.played_at = game.to_json(), version + 1, timezone.now()
    row.save()
