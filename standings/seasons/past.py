"""The standings of a season as they were after any day, computed as the recomputation does. Nothing is written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from league.models import Entry, Player, Season
from league.services.errors import Refused
from league.vocabulary import gettext as _
from reading.names.keys import name_key
from standings.models import SeasonSummary
from standings.queries import COUNTED, LeaderRow
from standings.recomputation.season import SeasonInput, StandingRow, read_season_to_rank, season_standings
from standings.recomputation.summary import season_summary

MOST_ENTRIES = 60_000  # as many as a reader can wait for


@dataclass(frozen=True)
class PastSeason:
    """A season after its first events."""

    season: SeasonInput
    standings: list[StandingRow]

    @property
    def summary(self) -> SeasonSummary:
        return season_summary(self.season, self.standings)

    def rows(self, by: str, sort: Sequence[str], chosen: dict[str, Any]) -> list[LeaderRow]:
        """Lines of the leaderboard in an order, of the players who fit what a reader has chosen."""
        rows = [row for row in self.standings if self._fits(row, **chosen)]
        rows.sort(key=lambda row: self._position(row, by))
        for order in reversed(sort):
            name = order.removeprefix("-")
            known = [row for row in rows if self._value(row, name) is not None]
            known.sort(key=lambda row: self._value(row, name), reverse=order.startswith("-"))
            rows = known + [row for row in rows if self._value(row, name) is None]
        guests = set(
            Player.objects.filter(pk__in=self.season.names, is_guest=True).values_list("pk", flat=True)
        )
        ranks = self._ranks(by)
        return [self._line(row, by, ranks[row.player_id], is_guest=row.player_id in guests) for row in rows]

    def _fits(self, row: StandingRow, q: str = "", badge: str = "", least: str = "") -> bool:
        return (
            name_key(q) in self.season.sort_keys[row.player_id]
            and row.badge.startswith(badge)
            and row.n_events >= int(least or 0)
        )

    @staticmethod
    def _position(row: StandingRow, by: str) -> tuple[int, int]:
        if by in COUNTED:
            return -getattr(row, COUNTED[by]), row.points_position
        return getattr(row, f"{by}_position"), 0

    def _ranks(self, by: str) -> dict[int, int | None]:
        """Find the ranks of all players in an order; equal ones share a rank."""
        if by not in COUNTED:
            return {row.player_id: getattr(row, f"{by}_rank") for row in self.standings}
        values = sorted((getattr(row, COUNTED[by]) for row in self.standings), reverse=True)
        first = {value: place for place, value in reversed(list(enumerate(values, start=1)))}
        return {row.player_id: first[getattr(row, COUNTED[by])] for row in self.standings}

    def _value(self, row: StandingRow, name: str) -> Any:
        return self.season.sort_keys[row.player_id] if name == "player__key" else getattr(row, name)

    def _line(self, row: StandingRow, by: str, rank: int | None, *, is_guest: bool) -> LeaderRow:
        values = {
            "name": self.season.names[row.player_id],
            "is_guest": is_guest,
            "rank": rank,
            "moved": None if by in COUNTED else getattr(row, f"{by}_moved"),
        }
        columns: list[Any] = [
            values[name] if name in values else getattr(row, name) for name in LeaderRow._fields
        ]
        return LeaderRow(*columns)


def season_at(season: Season, day: date) -> PastSeason:
    """Compute a season as it was after the events until the end of a day; Refused if it is too large for that."""
    if Entry.objects.filter(event__season=season)[MOST_ENTRIES:].exists():
        raise Refused(_("This season has too many results to be computed while you wait."))
    read = read_season_to_rank(season, changed=(), since=None)
    played = read.until(sum(event.day <= day for event in read.events))
    # All entries have points, unless they are being computed at this moment.
    settled = replace(played, entries=played.entries.where(played.entries.denominator > 0))
    return PastSeason(settled, season_standings(settled))
