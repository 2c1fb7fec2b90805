"""Reads of stored forecasts."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from forecasts.models import PoolQuality, SeasonSkill, SettingsFit, TitleOdds
from forecasts.scores import TitleScores, all_scores
from forecasts.skill import share_of
from league.models import Club, Player, Pool, Season
from league.schedule import Left, left_of
from standings.models import Standing

if TYPE_CHECKING:
    from forecasts.engine.skill_share import SkillShare


def quality_of(pool: Pool) -> PoolQuality | None:
    """Find a pool's computed quality; None if there is none yet, or nobody has been rated."""
    quality = PoolQuality.objects.filter(pool=pool).first()
    return quality if quality and quality.figures.get("pairs", {}).get("n") else None


def season_skill(season: Season) -> "SkillShare | None":
    """Read how much of a season's differences is skill; None if it is not computed yet."""
    stored: SeasonSkill | None = getattr(season, "skill", None)
    return share_of(stored.figures if stored else {})


def fit_of(pool: Pool) -> SettingsFit | None:
    return SettingsFit.objects.filter(pool=pool).first()


def title_scores_of(club: Club) -> TitleScores | None:
    """Put the scores of the club's ended seasons together, in one query."""
    return all_scores(
        TitleOdds.objects.filter(season__club=club).order_by("pk").values_list("scores", flat=True)
    )


class Contender(NamedTuple):
    """A player's chances in a season, each from 0 to 1; `then` are those of the title after earlier nights.

    `raw` is that of the title before it was drawn toward even.
    """

    player: Player
    title: float
    raw: float
    equal: float
    positions: list[float]
    then: list[float]


class SeasonOdds(NamedTuple):
    """The odds of a season with its players, the best chance first; they are as of a day.

    `left` is None if nothing says how many nights are left. While the chances of the present plan and results are being
    computed, `is_waiting` is set and there are no contenders.
    """

    contenders: list[Contender]
    left: Left | None
    has_ended: bool
    is_waiting: bool
    trust: float
    nights: list[int]  # after which the earlier odds were
    days: list[str]
    as_of: date


def season_odds(season: Season, now: datetime) -> SeasonOdds | None:
    """Read a season's odds if they are of what is left now; None if there are none.

    The season was read with club and pool__recomputation.
    """
    stored = TitleOdds.objects.filter(season=season).select_related("season__pool__quality").first()
    left = left_of(season, now)
    today = now.astimezone(season.club.tz).date()
    if not stored or not stored.figures:
        return None
    figures = stored.figures
    if not _is_current(stored, season, left):
        return SeasonOdds([], left, False, True, 1.0, [], [], today)
    players = Player.objects.select_related("club").in_bulk(figures["players"])
    before = figures["before"]
    found = [
        _contender(players[pk], i, figures, before)
        for i, pk in enumerate(figures["players"])
        if pk in players
    ]
    found.sort(key=lambda each: ([-chance for chance in each.positions], each.player.name))
    nights = [each["night"] for each in before]
    has_ended, trust = figures["has_ended"], figures["trust"]
    return SeasonOdds(found, left, has_ended, False, trust, nights, figures["days"], today)


def _is_current(stored: TitleOdds, season: Season, left: Left | None) -> bool:
    """Tell whether stored odds are of the results, ratings and nights to come as they are now."""
    figures, state = stored.figures, getattr(season.pool, "recomputation", None)
    if left is None or "left" not in figures or state is None:
        return False
    if left.is_planned and not left.n:
        return bool(figures["has_ended"])
    days = [day.isoformat() for day in left.days]
    is_same = days == figures["left"] if left.is_planned else len(days) == len(figures["left"])
    # A season can be in a pool of which nothing was computed yet.
    quality = getattr(stored.season.pool, "quality", None)
    is_of_results = quality is not None and quality.version == state.rated_version
    return is_same and is_of_results and figures["is_planned"] == left.is_planned


def trust_in_chances(club: Club) -> float:
    """Find how much to trust chances: by the club's own ended seasons, or if these are few, by those of all clubs."""
    own = title_scores_of(club)
    if own and own.is_enough:
        return own.trust
    everywhere = all_scores(
        TitleOdds.objects.exclude(scores=[]).order_by("pk").values_list("scores", flat=True)
    )
    return everywhere.trust if everywhere and everywhere.is_enough else 1.0


def _contender(player: Player, i: int, figures: Mapping[str, Any], before: list[dict[str, Any]]) -> Contender:
    then = [_drawn(each["odds"], str(player.pk), figures["trust"]) for each in before]
    positions = figures["chances"][i]
    return Contender(player, positions[0], figures["raw"][i], figures["equal"][i], positions, then)


def _drawn(odds: Mapping[str, float], player: str, trust: float) -> float:
    """Draw a chance toward an even one among all who had any, as the present chances are."""
    chance = odds.get(player, 0.0)
    even = 1.0 / sum(each > 0.0 for each in odds.values()) if chance else 0.0
    return round(even + trust * (chance - even), 4)


def totals_of(season: Season) -> dict[int, Any]:
    """Read each player's total, by id."""
    return dict(Standing.objects.filter(season=season).values_list("player_id", "total"))
