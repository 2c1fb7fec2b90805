"""The ratings of a pool by other settings beside the real ones. Nothing is written."""

from dataclasses import dataclass

import numpy as np

from league.models import BEGINNING, Entry, Player, Pool
from league.services.errors import Refused
from league.vocabulary import gettext as _
from ratings.engine.tier.badges import badges
from ratings.engine.tier.params import TierParams, rate
from ratings.models import PlayerRating
from ratings.services.rerating import read_pool

MOST_ENTRIES = 60_000  # as many as an organizer can wait for
MOST_FOR_READERS = 4_000


@dataclass(frozen=True)
class OtherRating:
    """A player's rate and badge by the other settings and by the real ones, with the positions by both."""

    player_id: int
    name: str
    rate: float
    badge: str
    position: int
    real_rate: float
    real_badge: str
    real_position: int

    @property
    def change(self) -> float:
        return self.rate - self.real_rate

    @property
    def moved(self) -> int:
        return self.real_position - self.position


def rating_what_if(pool: Pool, params: TierParams, *, is_organizer: bool) -> list[OtherRating]:
    """Rate all events of a pool by one set of parameters; list its ranked players by the rates that come out.

    Raise Refused if the pool is too large to be rated while somebody waits.
    """
    most = MOST_ENTRIES if is_organizer else MOST_FOR_READERS
    if Entry.objects.filter(event__pool=pool)[most:].exists():
        raise Refused(_("This club has too many results to be rated again while you wait."))
    real = PlayerRating.objects.filter(pool=pool).order_by("-rate", "player_id")
    now = {each.player_id: each for each in real}
    rates = {player: value for player, value in _rates(pool, params).items() if player in now}
    names = dict(Player.objects.filter(pk__in=rates).values_list("pk", "name"))
    ranked = sorted(rates, key=lambda player: (-rates[player], player))
    letters = badges(np.array([rates[player] for player in ranked]), params)
    real_position = {player: position for position, player in enumerate(now, start=1)}
    return [
        OtherRating(
            player, names[player], rates[player], badge, position,
            now[player].rate, now[player].badge, real_position[player],
        )
        for position, (player, badge) in enumerate(zip(ranked, letters, strict=True), start=1)
    ]  # fmt: skip


def _rates(pool: Pool, params: TierParams) -> dict[int, float]:
    from ratings.engine.tier.pipeline import replay_events

    read = read_pool(pool.pk, since=BEGINNING)
    state = read.start_state.with_newcomers(params)
    for part in read.parts:
        state = replay_events(part.history, state, params).state
    rates = rate(state.mu, state.sigma, params).tolist()
    return {
        player: value for player, value, n in zip(read.player_ids, rates, state.n_entries, strict=True) if n
    }
