"""Reads of stored forecasts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from forecasts.models import PoolQuality, SeasonSkill, SettingsFit, TitleOdds
from forecasts.scores import TitleScores, all_scores
from forecasts.skill import share_of
from league.models import Club, Player, Pool, Season
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
    """A player's chances in a season, each from 0 to 1; `then` are those of the title after earlier nights."""

    player: Player
    title: float
    equal: float
    positions: list[float]
    then: list[float]


class SeasonOdds(NamedTuple):
    """The odds of a season with its players, the best chance first."""

    contenders: list[Contender]
    n_to_come: int
    nights: list[int]  # after which the earlier odds were
    days: list[str]

    @property
    def has_ended(self) -> bool:
        return not self.n_to_come


def season_odds(season: Season) -> SeasonOdds | None:
    """Read a season's odds; None if there are none. Two queries."""
    figures = TitleOdds.objects.filter(season=season).values_list("figures", flat=True).first()
    if not figures:
        return None
    players = Player.objects.select_related("club").in_bulk(figures["players"])
    before = figures["before"]
    found = [
        _contender(players[pk], i, figures, before)
        for i, pk in enumerate(figures["players"])
        if pk in players
    ]
    found.sort(key=lambda each: ([-chance for chance in each.positions], each.player.name))
    return SeasonOdds(found, figures["n_to_come"], [each["night"] for each in before], figures["days"])


def _contender(player: Player, i: int, figures: Mapping[str, Any], before: list[dict[str, Any]]) -> Contender:
    then = [each["odds"].get(str(player.pk), 0.0) for each in before]
    positions = figures["chances"][i]
    return Contender(player, positions[0], figures["equal"][i], positions, then)


def totals_of(season: Season) -> dict[int, Any]:
    """Read each player's total, by id."""
    return dict(Standing.objects.filter(season=season).values_list("player_id", "total"))
