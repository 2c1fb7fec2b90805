"""The winners of a season's awards, computed from its stored standings at each read."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from league.models import Season
from payouts.engine.awards import AwardInput, award_winners
from payouts.engine.standings import SeasonRow
from standings.models import Award, Standing

Value = Decimal | int | float
LAST = 2**31  # in place of a missing rank: behind everybody


class SeasonLine(NamedTuple):
    """The columns of a player's standing that awards need."""

    player_id: int
    name: str
    badge: str
    is_provisional: bool
    is_newcomer: bool
    points: Decimal
    total: Decimal
    profit: Decimal
    n_events: int
    n_entries: int
    n_wins: int
    rate_from_third: float | None
    rate: float | None
    points_rank: int | None
    profit_rank: int | None

    @property
    def gain(self) -> float | None:
        """Change of the rate from the third event of the season on; None with fewer events."""
        return None if self.rate is None or self.rate_from_third is None else self.rate - self.rate_from_third


@dataclass(frozen=True)
class Winner:
    """A winner. `line` is None for a player chosen by hand who has not played in the season."""

    player_id: int
    name: str
    line: SeasonLine | None


@dataclass(frozen=True)
class AwardPlace:
    """A place and its winners, the tied by name. All places are 1 except those of the first three on points."""

    place: int
    winners: list[Winner]
    value: Value | None  # what it was won with; None if chosen by hand


@dataclass(frozen=True)
class WonAward:
    award: Award
    places: list[AwardPlace]


def season_awards(season: Season) -> list[WonAward]:
    """The awards of a season in their order, each with its winners so far."""
    awards = list(season.awards.select_related("player"))
    return won_awards(awards, season_lines(season) if awards else {})


def won_awards(awards: Iterable[Award], lines: dict[int, SeasonLine]) -> list[WonAward]:
    """Find the winners among the lines of a season, which are in the order of names."""
    rows = [_row(line) for line in lines.values()]
    newcomers = {line.player_id for line in lines.values() if line.is_newcomer}
    return [WonAward(award, _places(award, lines, rows, newcomers)) for award in awards]


def season_lines(season: Season) -> dict[int, SeasonLine]:
    """Lines of a season by player, in the order of names."""
    rows = Standing.objects.filter(season=season).order_by("player__key", "player_id").values_list(
        "player_id", "player__name", "badge", "is_provisional", "is_newcomer", "points", "total", "profit",
        "n_events", "n_entries", "n_wins", "rate_from_third", "rate", "points_rank", "profit_rank",
    )  # fmt: skip
    return {row[0]: SeasonLine(*row) for row in rows}


def _row(line: SeasonLine) -> SeasonRow:
    return SeasonRow(
        player_id=line.player_id,
        points=Fraction(line.points),
        total=Fraction(line.total),
        n_events=line.n_events,
        n_entries=line.n_entries,
        wins=line.n_wins,
        profit_per_tourney=Fraction(line.profit),
        points_rank=line.points_rank or LAST,
        profit_rank=line.profit_rank,
    )


def _places(
    award: Award, lines: dict[int, SeasonLine], rows: list[SeasonRow], newcomers: Collection[int]
) -> list[AwardPlace]:
    if award.player:
        chosen = Winner(award.player.pk, award.player.name, lines.get(award.player.pk))
        return [AwardPlace(1, [chosen], None)]
    changes = {line.player_id: line.gain for line in lines.values() if line.gain is not None}
    places = []
    for won in award_winners(award.kind, AwardInput(rows, changes, newcomers, award.min_events)):
        shared = set(won.player_ids)
        winners = [
            Winner(line.player_id, line.name, line) for line in lines.values() if line.player_id in shared
        ]
        places.append(AwardPlace(won.place, winners, _as_stored(won.value)))
    return places


def _as_stored(value: Fraction | float) -> Value:
    """Turn a fraction into a decimal: exact, since it was a decimal of the standings."""
    return Decimal(value.numerator) / value.denominator if isinstance(value, Fraction) else value
