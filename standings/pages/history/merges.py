"""What the page of a merge shows: both players and the one they become, and who else moves."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q

from league.models import Entry, Player, Season
from league.queries import count_evenings
from people.services.merges import events_of_both, merge_players
from reading.names.near import doubts
from standings.models import Standing
from standings.recomputation.previews import Mover, Preview, preview

MOST_SHOWN = 5


class Side(NamedTuple):
    """A column of the table: one of the two, or both together."""

    n_evenings: int
    total: Any
    rate: float | None
    badge: str
    rank: int | None


@dataclass(frozen=True)
class MergePreview:
    kept: Side
    merged: Side
    together: Side
    season: Season | None
    others: list[Mover]
    preview: Preview | None

    @property
    def most(self) -> float:
        """The widest change of a rate of the others."""
        return max((abs(mover.change or 0.0) for mover in self.others), default=0.0)

    @property
    def shown(self) -> list[Mover]:
        return self.others[:MOST_SHOWN]

    @property
    def badges(self) -> list[Mover]:
        """The others whose badge changes."""
        return [mover for mover in self.others if mover.badge.is_change]


def likely_same(player: Player) -> list[tuple[Player, int]]:
    """List players with near names who never met the player, with the number of their events."""
    others = Player.objects.filter(club=player.club_id).exclude(pk=player.pk)
    known = {key: (pk, name) for key, pk, name in others.values_list("key", "pk", "name")}
    near = [one.player_id for doubt in doubts([player.name], known) for one in doubt.suggestions]
    counts = count_evenings([pk for pk in near if pk])
    found = others.filter(pk__in=counts)
    return [(other, counts[other.pk]) for other in found if not events_of_both(player, other)]


def preview_merge(kept: Player, merged: Player, *, actor: User) -> MergePreview:
    """Preview the effects of a merge by making it and rolling it back."""
    counts = count_evenings([kept.pk, merged.pk])
    season = _last_season(kept, merged)
    if season is None:
        one, other = (_side(None, counts[player.pk]) for player in (kept, merged))
        return MergePreview(one, other, one, None, [], None)
    account = kept.user_id or merged.user_id
    found = preview(season, lambda: merge_players(kept, merged, actor=actor, account=account))
    before = {line.player_id: line for line in season.standings.filter(player__in=(kept, merged))}
    one, other = (_side(before.get(player.pk), counts[player.pk]) for player in (kept, merged))
    together = next((mover for mover in found.movers if mover.player_id == kept.pk), None)
    others = [mover for mover in found.movers if mover.player_id not in {kept.pk, merged.pk}]
    both = _after(together, one)._replace(n_evenings=sum(counts.values()))
    return MergePreview(one, other, both, season, others, found)


def _last_season(*players: Player) -> Season | None:
    """Find the season of the last entry of any of the players, or of totals brought forward."""
    last = Entry.objects.filter(player__in=players).order_by("-event__starts_at", "-pk").first()
    seasons = Season.objects.select_related("club", "pool")
    chosen = Q(events=last.event_id) if last else Q(totals_brought_forward__player__in=players)
    return seasons.filter(chosen).order_by("-starts_on").first()


def _side(line: Standing | None, n_evenings: int) -> Side:
    if line is None:
        return Side(n_evenings, None, None, "", None)
    return Side(n_evenings, line.total, line.rate, line.badge, line.points_rank)


def _after(mover: Mover | None, before: Side) -> Side:
    if mover is None:
        return before
    return Side(0, mover.total.after, mover.rate.after, mover.badge.after, mover.rank.after)
