"""The winners of a season's awards, computed from its stored standings at each read."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Sum

from league.models import Entry, Season
from payouts.engine.seasons.awards import AwardInput, award_winners
from payouts.engine.seasons.standings import SeasonRow
from standings.models import Award, AwardKind, Standing

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
    n_knockouts: int = 0

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
    """List the awards of a season in their order, each with its winners so far."""
    awards = list(season.awards.select_related("player"))
    lines = season_lines(season) if awards else {}
    if any(award.kind == AwardKind.MOST_KNOCKOUTS for award in awards):
        lines = with_knockouts(lines, knockouts_by_season(season.club_id).get(season.pk, {}))
    return won_awards(awards, lines)


def won_awards(awards: Iterable[Award], lines: dict[int, SeasonLine]) -> list[WonAward]:
    """Find the winners among the lines of a season, which are in the order of names."""
    rows = [_row(line) for line in lines.values()]
    newcomers = {line.player_id for line in lines.values() if line.is_newcomer}
    return [WonAward(award, _places(award, lines, rows, newcomers)) for award in awards]


def season_lines(season: Season) -> dict[int, SeasonLine]:
    """Map players to their lines of a season, in the order of names."""
    rows = Standing.objects.filter(season=season).order_by("player__key", "player_id").values_list(
        "player_id", "player__name", "badge", "is_provisional", "is_newcomer", "points", "total", "profit",
        "n_events", "n_entries", "n_wins", "rate_from_third", "rate", "points_rank", "profit_rank",
    )  # fmt: skip
    return {row[0]: SeasonLine(*row) for row in rows}


def knockouts_by_season(club_id: int) -> dict[int, dict[int, int]]:
    """Count the knock-outs of each player, by season, in the seasons of a club that have an award for them."""
    awards = Award.objects.filter(kind=AwardKind.MOST_KNOCKOUTS, season__club=club_id)
    entries = Entry.objects.filter(event__season__in=awards.values("season"), knockouts__gt=0)
    rows = entries.order_by().values_list("event__season_id", "player_id").annotate(n=Sum("knockouts"))
    counts: dict[int, dict[int, int]] = defaultdict(dict)
    for season_id, player_id, n in rows:
        counts[season_id][player_id] = n
    return counts


def with_knockouts(lines: dict[int, SeasonLine], counts: Mapping[int, int]) -> dict[int, SeasonLine]:
    """Add to the lines of a season how many players each has knocked out."""
    return {pk: line._replace(n_knockouts=counts.get(pk, 0)) for pk, line in lines.items()}


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
    knockouts = {line.player_id: line.n_knockouts for line in lines.values()}
    figures = AwardInput(rows, changes, newcomers, award.min_events, knockouts)
    places = []
    for won in award_winners(award.kind, figures):
        shared = set(won.player_ids)
        winners = [
            Winner(line.player_id, line.name, line) for line in lines.values() if line.player_id in shared
        ]
        places.append(AwardPlace(won.place, winners, _as_stored(won.value)))
    return places


def _as_stored(value: Fraction | float) -> Value:
    """Turn a fraction into a decimal: exact, since it was a decimal of the standings."""
    return Decimal(value.numerator) / value.denominator if isinstance(value, Fraction) else value
