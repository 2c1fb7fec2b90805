"""What the next badge takes, by the rates that the recomputation finds for each place of the next event."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import NamedTuple

import numpy as np

from league.models import Player, Pool, PoolKind
from ratings.engine.tier.badges import badge_bounds, badges
from ratings.engine.tier.params import Floats, TierParams
from ratings.models import PlayerRating, ProfitRating
from ratings.queries import badge_bounds_of, params_of, settings_in_force
from standings.goals.memory import remembered
from standings.models import NextEvent

MOST_CELLS = 20  # places that have a cell each on the narrowest screen


class Step(NamedTuple):
    """Places of the next event that bring the same badge."""

    badge: str
    first: int
    last: int


@dataclass(frozen=True)
class BadgeGoal:
    """The badge above a player's, its distance in rating points, and the badges that places of the usual field bring.

    `enough` is the last place up to which every place brings a better badge, `safe` that which keeps the present one.
    """

    now: str
    above: str | None
    missing: float
    n_players: int = 0
    steps: tuple[Step, ...] = ()
    enough: int | None = None
    safe: int | None = None

    @property
    def has_cells(self) -> bool:
        return self.n_players <= MOST_CELLS

    @property
    def cells(self) -> list[tuple[int, str, bool]]:
        """Each place, its badge, and whether it is the first with it."""
        return [
            (place, step.badge, place == step.first)
            for step in self.steps
            for place in range(step.first, step.last + 1)
        ]


def badge_goal(player: Player, pool: Pool) -> BadgeGoal | None:
    """Find the goal in a pool that was read with its recomputation; None for a player without a badge."""
    state = getattr(pool, "recomputation", None)
    if state is None or pool.kind == PoolKind.NONE:
        return None
    key = ("badge", player.pk, pool.pk, state.rated_version, state.rated_at)
    return remembered(key, partial(_badge_goal, player.pk, pool))


def _badge_goal(player_id: int, pool: Pool) -> BadgeGoal | None:
    settings = settings_in_force(pool.pk)
    if pool.kind == PoolKind.PROFIT:
        return _goal_by_r(player_id, pool.pk, badge_bounds_of(settings))
    params = params_of(settings)
    own = PlayerRating.objects.filter(pool=pool, player=player_id).first()
    if own is None:
        return None
    goal = _goal(own.badge, own.rate, badge_bounds(params))
    found = NextEvent.objects.filter(pool=pool).first()
    rates = found.rates.get(str(player_id)) if found else None
    return _with_places(goal, found, np.array(rates), params) if found and rates else goal


def _goal_by_r(player_id: int, pool_id: int, bounds: Sequence[tuple[str, float]]) -> BadgeGoal | None:
    """Find the badge goal by R, without places, since R follows balances."""
    own = ProfitRating.objects.filter(pool=pool_id, player=player_id).first()
    return _goal(own.badge, own.r, bounds) if own and bounds else None


def _goal(now: str, rate: float, bounds: Sequence[tuple[str, float]]) -> BadgeGoal:
    above = [(letters, least - rate) for letters, least in bounds if least > rate]
    letters, missing = above[-1] if above else (None, 0.0)
    return BadgeGoal(now, letters, missing)


def _with_places(goal: BadgeGoal, found: NextEvent, rates: Floats, params: TierParams) -> BadgeGoal:
    brought = badges(rates, params)
    order = [letters for letters, _least in badge_bounds(params)]
    gained = [order.index(letters) - order.index(goal.now) for letters in brought]
    return replace(
        goal,
        n_players=found.n_players,
        steps=_steps(found.places, brought),
        enough=_last_until(found.places, [worse >= 0 for worse in gained]),
        safe=_last_until(found.places, [worse > 0 for worse in gained]),
    )


def _steps(places: Sequence[int], brought: Sequence[str]) -> tuple[Step, ...]:
    """Places with the same badge; of those that were not tried, each counts like the next one that was."""
    steps: list[Step] = []
    for letters, group in groupby(zip(places, brought, strict=True), key=lambda pair: pair[1]):
        first = steps[-1].last + 1 if steps else 1
        steps.append(Step(letters, first, [place for place, _letters in group][-1]))
    return tuple(steps)


def _last_until(places: Sequence[int], stops: Sequence[bool]) -> int | None:
    """Find the last place before the first stop; None if the first place is a stop."""
    n_good = next((i for i, stop in enumerate(stops) if stop), len(places))
    return places[n_good - 1] if n_good else None
