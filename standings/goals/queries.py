"""What a player's page says of goals."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from league.models import Player, Pool, PoolKind
from standings.goals.badges import BadgeGoal, badge_goal
from standings.goals.seasons import season_goal
from standings.goals.sentences import Aim, badge_aim, season_aim
from standings.models import Standing


@dataclass(frozen=True)
class Goals:
    """The goals of a player; `places` has the badge that each place brings."""

    aims: list[Aim]
    places: BadgeGoal | None


def goals_of(player: Player, pool: Pool | None, lines: Sequence[Standing], now: datetime) -> Goals | None:
    """Put the goals of a player into words; None if there is none."""
    badge = badge_goal(player, pool) if pool else None
    season = season_goal(lines, now)
    aims = [badge_aim(badge, is_r=pool.kind == PoolKind.PROFIT)] if badge and pool else []
    aims += [season_aim(season)] if season else []
    return Goals(aims, badge if badge and badge.steps else None) if aims else None
